public import FoundationEssentials
public import PushAdapter

/// Options of one send.
public struct SendOptions: Sendable {
    /// The time the whole send may take, including waits for quotas and throttles; targets left then are
    /// `notAttempted`. If nil, a send of one request ends by the client's `deadline` (30 s unless set). A longer one
    /// ends by its `plannedDeadline` (15 minutes unless set).
    ///
    /// If a vendor throttles one target at an address of the target's own, the send waits for it no longer than the
    /// client's `deadline`.
    public var deadline: Duration?
    /// Refuses to send a slice without an idempotency key, where the provider has keys; also a message whose requests
    /// cannot carry one, with `unsupported`. A key of any grade will do.
    public var requiresKeys = false
    /// Your own name for the send, where the vendor accepts caller-made keys (`capabilities.callerKeys`); nil makes
    /// random keys.
    ///
    /// If you send the same list again under the same name, for example after a crash, the vendor delivers it once
    /// while it remembers the first send. Keys are derived from the name and the recipients, not from the message.
    /// Until the vendor forgets them, another message to the same list under the same name is *not delivered*, but
    /// reported as accepted. Give every message its own name. Refused with `unsupported` where the vendor accepts no
    /// such keys.
    ///
    /// Where all requests of a message have one key (`KeyMemory.Scope.message`), the key is derived from the name alone.
    /// Another list under the name then reaches only the targets that did not have the message.
    public var key: String?
    /// When the send of this name was first attempted, if that was earlier, for example before a crash; nil for now.
    /// The vendor's memory of the keys counts from then. The send refuses with `invalidState` once that memory may have
    /// ended.
    public var keyFirstUsedAt: Date?
    /// Keeps the vendor's message ids in the report; false saves memory where each target is a request of its own.
    /// `onSlice` gets them either way.
    public var keepsMessageIDs = true
    /// Called for each slice as it ends, in the order they end.
    public var onSlice: (@Sendable (SliceReport) -> Void)?
    /// Sees the outcome of each request, and may end the list.
    package var watch: (any SendWatch)?
    /// The key of all requests, where the vendor wants one for a message.
    var messageKey: IdempotencyKey?

    /// The defaults: the client's deadlines, keys where the vendor has them, no callback for slices.
    public init() {}
}

/// Watches a send, request by request.
package protocol SendWatch: Sendable {
    /// Records the outcome of a request: its error, or nil if the vendor accepted it.
    /// - Parameters:
    ///   - origin: the origin of the target's own address; nil for a request to the vendor's hosts.
    ///   - start: the client's time when the request began.
    func note(_ error: PushError?, at origin: String?, begunAt start: Duration)
    /// Why a target at an origin is not attempted; nil if its request may begin. Then `note` must follow.
    func begin(at origin: String) -> PushError?
    /// Why no more requests of a list start; those in flight go on.
    var stopReason: PushError? { get }
}
