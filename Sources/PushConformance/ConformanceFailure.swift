/// Why a check failed: the expectation, the finding, and where to look.
public struct ConformanceFailure: Error, Sendable, CustomStringConvertible {
    /// The condition that had to hold.
    public var expected: String
    /// The check's finding instead; may contain the vendor's message.
    public var actual: String
    /// Which part of the adapter or the simulator to check first.
    public var hint: String

    /// Creates a failure with the expectation, the finding, and where to look.
    public init(expected: String, actual: String, hint: String) {
        self.expected = expected
        self.actual = actual
        self.hint = hint
    }

    /// All three parts in one line, for people.
    public var description: String { "expected \(expected); found \(actual). Hint: \(hint)" }
}
