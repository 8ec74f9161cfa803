/// Why a check failed: what it wanted, what it saw, and where to look.
public struct ConformanceFailure: Error, Sendable, CustomStringConvertible {
    /// What had to hold.
    public var expected: String
    /// What the check saw instead; may hold the vendor's message.
    public var actual: String
    /// Which part of the adapter or the simulator to look at first.
    public var hint: String

    /// Ends a check: what it wanted, what it saw, and where to look.
    public init(expected: String, actual: String, hint: String) {
        self.expected = expected
        self.actual = actual
        self.hint = hint
    }

    /// All three parts in one line, for people.
    public var description: String { "expected \(expected); found \(actual). Hint: \(hint)" }
}
