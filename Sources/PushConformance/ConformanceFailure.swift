/// Why a check failed: what it expected, what it found, and where to look.
public struct ConformanceFailure: Error, Sendable, CustomStringConvertible {
    /// What had to hold.
    public var expected: String
    /// What the check found instead; may contain the vendor's message.
    public var actual: String
    /// Which part of the adapter or the simulator to check first.
    public var hint: String

    /// Creates a failure with what was expected, what was found, and where to look.
    public init(expected: String, actual: String, hint: String) {
        self.expected = expected
        self.actual = actual
        self.hint = hint
    }

    /// All three parts in one line, for people.
    public var description: String { "expected \(expected); found \(actual). Hint: \(hint)" }
}
