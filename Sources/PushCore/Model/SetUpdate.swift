/// One change of a set that belongs to a device: its tags, its accounts.
public enum SetUpdate<Element: Hashable & Sendable>: Sendable, Hashable {
    /// Puts these elements beside those that are there.
    case add(Set<Element>)
    /// Takes these elements out and leaves the others.
    case remove(Set<Element>)
    /// Makes the set exactly this one.
    case replace(Set<Element>)
    /// Takes all elements out.
    case clear

    /// The elements it names; none for `clear`.
    public var elements: Set<Element> {
        switch self {
        case .add(let elements), .remove(let elements), .replace(let elements): elements
        case .clear: []
        }
    }

    /// Whether it says what is left, whatever was there.
    public var isWhole: Bool {
        switch self {
        case .replace, .clear: true
        case .add, .remove: false
        }
    }

    /// What a set is after the change.
    public func applied(to set: Set<Element>) -> Set<Element> {
        switch self {
        case .add(let elements): set.union(elements)
        case .remove(let elements): set.subtracting(elements)
        case .replace(let elements): elements
        case .clear: []
        }
    }

    /// The same kind of change with other elements.
    package func map<Other>(_ transform: (Set<Element>) -> Set<Other>) -> SetUpdate<Other> {
        switch self {
        case .add(let elements): .add(transform(elements))
        case .remove(let elements): .remove(transform(elements))
        case .replace(let elements): .replace(transform(elements))
        case .clear: .clear
        }
    }

    fileprivate func feature(_ add: Feature, _ remove: Feature, _ replace: Feature, _ clear: Feature) -> Feature {
        switch self {
        case .add: add
        case .remove: remove
        case .replace: replace
        case .clear: clear
        }
    }
}

/// One change of a device's tags.
public typealias TagUpdate = SetUpdate<Tag>

/// One change of a device's accounts. Where the vendor keeps one account of a type, an account that is added takes the
/// place of the one of its type.
public typealias AccountUpdate = SetUpdate<Account>

extension SetUpdate where Element == Tag {
    /// The feature that a provider needs for it.
    public var feature: Feature { feature(.addTags, .removeTags, .replaceTags, .clearTags) }
}

extension SetUpdate where Element == Account {
    /// The feature that a provider needs for it.
    public var feature: Feature { feature(.addAccounts, .removeAccounts, .replaceAccounts, .clearAccounts) }
}

/// One change of the attributes of a device: values by name.
public enum AttributeUpdate: Sendable, Hashable {
    /// Sets these attributes beside the others, in place of values that they had.
    case add([String: String])
    /// Takes the attributes with these names off the device and leaves the others.
    case remove(Set<String>)
    /// Makes the device's attributes exactly these.
    case replace([String: String])
    /// Takes all attributes off the device.
    case clear

    /// The change of the set of names.
    public var names: SetUpdate<String> {
        switch self {
        case .add(let attributes): .add(Set(attributes.keys))
        case .remove(let names): .remove(names)
        case .replace(let attributes): .replace(Set(attributes.keys))
        case .clear: .clear
        }
    }

    /// The feature that a provider needs for it.
    public var feature: Feature {
        names.feature(.addAttributes, .removeAttributes, .replaceAttributes, .clearAttributes)
    }
}

/// What a vendor says about a change of attributes that it accepted.
public struct AttributeReceipt: Sendable, Hashable {
    /// Names that the vendor passed over while it took the others, because the app has no such attribute.
    public var rejectedNames: Set<String>

    /// A receipt with the names that the vendor passed over.
    public init(rejectedNames: Set<String> = []) { self.rejectedNames = rejectedNames }
}
