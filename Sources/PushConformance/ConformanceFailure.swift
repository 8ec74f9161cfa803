/// Why a check failed: what it wanted, what it saw, and where to look.
public struct ConformanceFailure: Error, Sendable, CustomStringConvertible {
    public var expected: String
    public var actual: String
    public var hint: String

    public init(expected: String, actual: String, hint: String) {
        self.expected = expected
        self.actual = actual
        self.hint = hint
    }

    public var description: String { "expected \(expected); found \(actual). Hint: \(hint)" }
}
