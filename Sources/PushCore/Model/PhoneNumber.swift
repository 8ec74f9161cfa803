/// A phone number for text messages, in the vendor's format. Its description is shortened like a device id's.
public struct PhoneNumber: TextIdentifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { Redaction.shortened(rawValue) }
}

extension PhoneNumber: CustomReflectable {
    /// Empty, so `dump` shows only the shortened description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
