import PushCore

/// How often and after how long a failed request is tried again.
///
/// Whether it may be tried again is not a setting: only the effect of the failed try and the idempotency of the
/// request decide that.
public struct RetryPolicy: Sendable, Hashable {
    /// Tries in all, the first included; at least 1.
    public var attempts = 3
    /// First bound of the random delay after a passing failure; doubles with each try.
    public var base: Duration = .milliseconds(50)
    /// The least delay after a throttle without a stated time; a random one below a doubling bound is added.
    public var throttledBase: Duration = .seconds(1)
    /// The longest random delay.
    public var longestDelay: Duration = .seconds(20)
    /// Retries that a client may have in store, which it has at the start; 0 turns retries off.
    public var budget = 10.0
    /// What each call that succeeds adds to the store: with 0.1, retries add at most a tenth to the load, and an outage
    /// without any success no more than the store.
    public var budgetPerSuccess = 0.1

    /// The defaults: three tries, short random delays, and a budget that keeps an outage from becoming a storm.
    public init() {}

    /// No repetition at all.
    public static let none: RetryPolicy = {
        var policy = RetryPolicy()
        policy.attempts = 1
        return policy
    }()

    /// The longest time a vendor's hint is followed.
    static let longestHint: Duration = .seconds(3600)

    /// The delay before the try after `attempt`: the vendor's time, or full jitter below a doubling bound, on top of the
    /// least time after a throttle.
    func delay(after attempt: Int, _ error: PushError, random: @Sendable (ClosedRange<Double>) -> Double) -> Duration {
        if case .after(let hint) = error.retry { return min(max(.zero, hint), Self.longestHint) }
        let least = error.kind == .rateLimited || error.kind == .busy ? throttledBase : .zero
        let bound = min(max(least, base) * (1 << min(attempt - 1, 16)), longestDelay)
        return least + bound * random(0...1)
    }
}
