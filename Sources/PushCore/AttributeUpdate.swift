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

    /// The feature a provider needs for it.
    public var feature: Feature {
        switch self {
        case .add: .addAttributes
        case .remove: .removeAttributes
        case .replace: .replaceAttributes
        case .clear: .clearAttributes
        }
    }

    /// The attributes that it names; none for `clear`.
    public var names: Set<String> {
        switch self {
        case .add(let attributes), .replace(let attributes): Set(attributes.keys)
        case .remove(let names): names
        case .clear: []
        }
    }
}

/// What a vendor says about a change of attributes that it accepted.
public struct AttributeReceipt: Sendable, Hashable {
    /// Names that the vendor passed over while it took the others, because the app has no such attribute.
    public var rejectedNames: Set<String>

    /// A receipt with the names that the vendor passed over.
    public init(rejectedNames: Set<String> = []) { self.rejectedNames = rejectedNames }
}
