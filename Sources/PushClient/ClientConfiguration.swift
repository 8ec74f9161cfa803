public import PushAdapter

/// How a client behaves. Every value has a default that suits a backend.
public struct ClientConfiguration: Sendable {
    /// The time one call may take, including all its requests, retries and waits.
    public var deadline: Duration = .seconds(30)
    /// The time that a call of several planned requests, such as a send to a long list, may take unless the caller sets
    /// one. Each of its requests has `deadline`; a wait with a known end extends it.
    public var plannedDeadline: Duration = .seconds(15 * 60)
    /// The time one attempt may take.
    public var attemptTimeout: Duration = .seconds(10)
    /// How often and how soon the client retries a failed request, where that is safe.
    public var retry = RetryPolicy()
    /// Slices of one send in flight at once.
    public var concurrentSlices = 4
    /// Idempotency keys to request at once, where the vendor makes them.
    public var keysPerMint = 100
    /// How long a key may be used after it is minted.
    public var keyLifetime: Duration = .seconds(23 * 3600)
    /// Lossy emulations that the caller accepts; faithful ones need no consent.
    public var acceptedLosses: Set<Feature> = []
    /// Remembers the tags and accounts that the vendor confirmed, for vendors that cannot list them; nil remembers
    /// nothing. Setting a ledger accepts its losses.
    public var ledger: (any DeviceLedger)?
    /// The quotas that this client counts together with other processes that send with the same app key; nil for none.
    /// The client keeps to its own count as well.
    public var sharedQuota: (any SharedQuota)?
    /// Layers around every call, outermost first: logs, metrics, traces, your own.
    public var layers: [any CallLayer] = []
    /// The clock of deadlines, waits and signatures; a virtual one in tests.
    public var clock: any PushClock = SystemClock()
    /// The random numbers of jitter, and the start of message ids and of the client's own idempotency keys; seeded in a
    /// simulation.
    public var random = RandomSource.system

    /// The defaults, for a backend in production.
    public init() {}
}

extension ClientConfiguration {
    /// A copy whose times are clamped to the longest wait, and whose keys to a million.
    var bounded: ClientConfiguration {
        var bounded = self
        bounded.keysPerMint = min(keysPerMint, 1 << 20)
        bounded.deadline = deadline.bounded
        bounded.plannedDeadline = plannedDeadline.bounded
        bounded.attemptTimeout = attemptTimeout.bounded
        bounded.keyLifetime = keyLifetime.bounded
        bounded.retry.base = retry.base.bounded
        bounded.retry.throttledBase = retry.throttledBase.bounded
        bounded.retry.longestDelay = retry.longestDelay.bounded
        return bounded
    }
}
