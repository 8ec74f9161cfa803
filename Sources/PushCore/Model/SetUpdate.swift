/// One change to a set that belongs to a device: its tags or its accounts.
public enum SetUpdate<Element: Hashable & Sendable>: Sendable, Hashable {
    /// Adds these elements and keeps the others.
    case add(Set<Element>)
    /// Removes these elements and keeps the others.
    case remove(Set<Element>)
    /// Replaces the set with this one.
    case replace(Set<Element>)
    /// Removes all elements.
    case clear

    /// The elements it names; none for `clear`.
    public var elements: Set<Element> {
        switch self {
        case .add(let elements), .remove(let elements), .replace(let elements): elements
        case .clear: []
        }
    }

    /// Whether the set after the change is independent of the set before.
    public var isWhole: Bool {
        switch self {
        case .replace, .clear: true
        case .add, .remove: false
        }
    }

    /// The set after the change.
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

/// One change to a device's tags.
public typealias TagUpdate = SetUpdate<Tag>

/// One change to a device's accounts. Where the vendor keeps one account per type, an added account replaces the
/// account of its type.
public typealias AccountUpdate = SetUpdate<Account>

extension SetUpdate where Element == Tag {
    /// The feature that a provider needs for it.
    public var feature: Feature { feature(.addTags, .removeTags, .replaceTags, .clearTags) }
}

extension SetUpdate where Element == Account {
    /// The feature that a provider needs for it.
    public var feature: Feature { feature(.addAccounts, .removeAccounts, .replaceAccounts, .clearAccounts) }
}

/// One change to the attributes of a device: values by name.
public enum AttributeUpdate: Sendable, Hashable {
    /// Sets these attributes, replaces their old values, and keeps the others.
    case add([String: String])
    /// Removes the attributes with these names and keeps the others.
    case remove(Set<String>)
    /// Replaces the device's attributes with these.
    case replace([String: String])
    /// Removes all attributes.
    case clear

    /// The change to the set of attribute names.
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

/// A vendor's response to an accepted change of attributes.
public struct AttributeReceipt: Sendable, Hashable {
    /// Names that the vendor ignored, because the app does not have the attribute; it accepted the others.
    public var rejectedNames: Set<String>

    /// A receipt with the names that the vendor ignored.
    public init(rejectedNames: Set<String> = []) { self.rejectedNames = rejectedNames }
}
