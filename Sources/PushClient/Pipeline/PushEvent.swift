public import PushCore

/// Something that happens inside a call, in order. Print an event's error by its
/// description only: its other parts hold what the vendor said.
public enum PushEvent: Sendable {
    /// A request is about to leave for this host.
    case attemptStarted(number: Int, host: String)
    /// An answer came, whatever it says.
    case answered(status: Int, facts: ResponseFacts)
    /// A request ended without success.
    case attemptFailed(number: Int, PushError)
    /// The call waits before it tries again.
    case retrying(attempt: Int, delay: Duration, cause: PushError.Kind)
    /// The call is not tried again because the client's retry budget is empty.
    case retryBudgetEmpty
    /// The call waits for a quota or a minimum interval.
    case waiting(Wait, delay: Duration)
    /// A request that acts again when it is repeated goes without an idempotency key.
    case unkeyed

    /// What a call waits for.
    public enum Wait: Sendable, Hashable {
        /// For its turn in this quota, or for the quota to reopen.
        case quota(QuotaBucket)
        /// For the least time between two writes of one operation on one subject.
        case minimumInterval
        /// For the vendor to carry out an earlier call about the same subject.
        case writeDelay
        /// For the moment of the next try, after a failure of this kind.
        case retry(PushError.Kind)
    }
}
