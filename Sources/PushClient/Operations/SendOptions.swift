public import PushCore

/// How one send is made.
public struct SendOptions: Sendable {
    /// The time the whole send may take, waits for quotas and throttles included; what is left then is `notAttempted`.
    /// Nil: a send of one request ends by the client's `deadline`, 30 s unless set, a longer one by its
    /// `plannedDeadline`, 15 minutes unless set.
    public var deadline: Duration?
    /// Refuses to send a slice without an idempotency key, where the provider has keys.
    public var requiresKeys = false
    /// A name of your own for the send, where the vendor takes keys of the caller's making
    /// (`capabilities.callerKeys`); nil makes random keys.
    ///
    /// The same list sent again under the same name, after a crash for example, is not delivered twice as long as the
    /// vendor remembers the first time. A key is made of the name and of whom a request is for, and not of the message:
    /// another message to the same list under the same name is *not delivered* until then, and reported as accepted.
    /// Give every message its own name. Refused with `unsupported` where the vendor takes no such keys.
    public var key: String?
    /// Told about each slice as it ends, in the order they end.
    public var onSlice: (@Sendable (SliceReport) -> Void)?

    /// The defaults: the client's deadlines, keys where the vendor has them, no callback for slices.
    public init() {}
}
