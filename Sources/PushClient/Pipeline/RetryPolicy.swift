public import PushAdapter

/// How often and how soon the client retries a failed request.
///
/// Whether a retry is safe is not a setting: only the failed attempt's effect and the request's idempotency decide
/// that. You only say which grades of idempotency keys are good enough for you.
public struct RetryPolicy: Sendable, Hashable {
    /// Total attempts, including the first; at least 1.
    public var attempts = 3
    /// The first upper bound of the random delay after a transient failure; it doubles with each attempt.
    public var base: Duration = .milliseconds(50)
    /// The minimum delay after a throttle without a stated time, plus a random delay below a doubling bound.
    public var throttledBase: Duration = .seconds(1)
    /// The longest random delay.
    public var longestDelay: Duration = .seconds(20)
    /// The retry budget: how many retries a client may save up, and has at the start; 0 turns retries off.
    public var budget = 10.0
    /// The part of a retry that each successful call adds to the budget. With 0.1, retries add at most a tenth to the
    /// load, and in an outage without any success no more than the budget.
    public var budgetPerSuccess = 0.1
    /// The grades of idempotency keys with which the client repeats a request after an unknown outcome, and an outbox
    /// over this client too. A key of another grade is sent all the same, and the outcome stays unknown.
    ///
    /// Add `device` if the vendor may count a message twice, because a phone shows only the first. Not every old phone
    /// does.
    public var repeatsAfterUnknown: Set<KeyMemory.Grade> = [.vendor]

    /// The defaults: three attempts, short random delays, and a budget that prevents a retry storm.
    public init() {}

    /// No retries.
    public static let none: RetryPolicy = {
        var policy = RetryPolicy()
        policy.attempts = 1
        return policy
    }()

    /// The longest wait that the client accepts from a vendor's hint.
    static let longestHint: Duration = .seconds(3600)
    /// The longest time for which a used up quota rests because a vendor or another process says so: eleven days.
    fileprivate static let longestRest: Duration = .seconds(1_000_000)

    /// The delay after `attempt`: the vendor's time if it names one, otherwise the least delay plus full jitter below a
    /// doubling bound. The least delay is the vendor's least wait, or after a throttle the policy's minimum if that is
    /// longer.
    func delay(
        after attempt: Int, _ error: PushError, atLeast least: Duration, random: RandomSource
    ) -> Duration {
        // Zero names no time: see `PushError.Retry.after`.
        if case .after(let hint) = error.retry, hint > .zero {
            return error.kind == .quotaExhausted ? hint : min(hint, Self.longestHint)
        }
        let least = max(least, error.kind == .rateLimited || error.kind == .busy ? throttledBase : .zero)
        let bound = min(max(least, base) * (1 << min(attempt - 1, 16)), longestDelay)
        return least + bound * random.fraction()
    }
}

extension Duration {
    /// A time that a vendor or another process named, clamped between zero and `RetryPolicy.longestRest`.
    package var asRest: Duration { max(.zero, min(self, RetryPolicy.longestRest)) }
}

extension PushError.Retry {
    /// With a time that is at most `RetryPolicy.longestRest`. A negative one names no time.
    var bounded: Self {
        guard case .after(let time) = self else { return self }
        return time < .zero ? .backoff : .after(time.asRest)
    }
}
