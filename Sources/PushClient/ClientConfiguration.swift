public import PushCore

/// How a client behaves. Every value has a default that suits a backend.
public struct ClientConfiguration: Sendable {
    /// The time one call may take, with all its requests, retries and waits.
    public var deadline: Duration = .seconds(30)
    /// The time that a call of several planned requests may take, a send to a long list, where the caller names none.
    /// Each of its requests has `deadline`, which waits with a known end move on.
    public var plannedDeadline: Duration = .seconds(15 * 60)
    /// The time one attempt may take.
    public var attemptTimeout: Duration = .seconds(10)
    /// How often and how soon a failed request is tried again, where that is safe.
    public var retry = RetryPolicy()
    /// Slices of one send that are under way together.
    public var concurrentSlices = 4
    /// Idempotency keys asked for at once, where the vendor makes them.
    public var keysPerMint = 100
    /// A minted key is used within this time after it was minted.
    public var keyLifetime: Duration = .seconds(23 * 3600)
    /// Lossy emulations that the caller accepts; faithful ones need no consent.
    public var acceptedLosses: Set<Feature> = []
    /// Remembers the tags and accounts that the vendor confirmed, for vendors that cannot list them; nil remembers
    /// nothing. With a ledger, its losses are accepted.
    public var ledger: (any DeviceLedger)?
    /// Layers around every call, outermost first: logs, metrics, traces, your own.
    public var layers: [any CallLayer] = []
    /// What deadlines, waits and signatures go by; a virtual one in tests.
    public var clock: any PushClock = SystemClock()
    /// A number from a range; for jitter.
    public var random: @Sendable (ClosedRange<Double>) -> Double = { Double.random(in: $0) }

    /// The defaults, for a backend in production.
    public init() {}
}
