/// A form that a vendor demands of a text, where a length and an alphabet do not say it.
public struct TextFormat: Sendable {
    /// For people, in refusals: "a phone number such as +8613711112222".
    public let summary: String
    /// The page and its date.
    public let source: String
    /// Whether a text has the form.
    public let allows: @Sendable (String) -> Bool

    /// A form, in words and as a test.
    public init(_ summary: String, source: String, allows: @escaping @Sendable (String) -> Bool) {
        self.summary = summary
        self.source = source
        self.allows = allows
    }
}
