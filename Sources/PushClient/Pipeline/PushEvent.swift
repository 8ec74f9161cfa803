public import PushAdapter

/// Something that happens inside a call, in order. Print an event's error only by its description: its other parts hold
/// the vendor's texts.
public enum PushEvent: Sendable {
    /// A request is about to leave for this host.
    case attemptStarted(number: Int, host: String)
    /// A response arrived, success or not.
    case answered(status: Int, facts: ResponseFacts)
    /// A request ended without success.
    case attemptFailed(number: Int, PushError)
    /// The call waits before a retry.
    case retrying(attempt: Int, delay: Duration, cause: PushError.Kind)
    /// The client does not retry the call because its retry budget is empty.
    case retryBudgetEmpty
    /// The call waits for a quota or a minimum interval.
    case waiting(Wait, delay: Duration)
    /// A request that is not safe to repeat goes without an idempotency key.
    case unkeyed

    /// The reason of a call's wait.
    public enum Wait: Sendable, Hashable {
        /// For its turn in this quota, or for the quota to reopen.
        case quota(QuotaBucket)
        /// For the minimum time between two writes of one operation on one subject.
        case minimumInterval
        /// For the vendor to apply an earlier call about the same subject.
        case writeDelay
        /// For the next attempt, after a failure of this kind.
        case retry(PushError.Kind)
    }
}
