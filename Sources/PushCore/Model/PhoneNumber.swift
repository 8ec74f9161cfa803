/// A phone number for text messages, as the vendor takes it. Its description is shortened like a device's.
public struct PhoneNumber: TextIdentifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { Redaction.shortened(rawValue) }
}

extension PhoneNumber: CustomReflectable {
    /// Nothing beside the shortened description, also for `dump`.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
