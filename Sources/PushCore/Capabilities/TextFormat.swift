/// A text format that a vendor requires, where a length and allowed characters cannot describe it.
public struct TextFormat: Sendable {
    /// A description for error messages: "a phone number such as +8613711112222".
    public let summary: String
    /// The page and its date.
    public let source: String
    /// Whether a text has the format.
    public let allows: @Sendable (String) -> Bool

    /// A format, as a description and as a test.
    public init(_ summary: String, source: String, allows: @escaping @Sendable (String) -> Bool) {
        self.summary = summary
        self.source = source
        self.allows = allows
    }
}
