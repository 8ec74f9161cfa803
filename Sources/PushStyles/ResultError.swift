public import PushCore

/// The error of a call whose completion takes one: the SDK's code, and the error behind it.
public struct ResultError: Error, Sendable, CustomStringConvertible {
    /// One of ``ResultCodes``; never 0.
    public var code: Int
    /// What happened, whether the vendor acted, and whether to retry.
    public var error: PushError

    public var description: String { "\(code): \(error)" }
}
