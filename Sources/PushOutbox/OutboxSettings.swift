public import PushAdapter

/// How an outbox works.
public struct OutboxSettings: Sendable {
    /// How often an idle worker looks for work.
    public var poll: Duration = .milliseconds(250)
    /// How often a worker says that it is there. After four failures in a row it stops, and begins anew. It looks for slices of
    /// workers that ended as often, and at least once a second.
    public var renewal: Duration = .seconds(5)
    /// Slices in flight at a route whose requests take many targets.
    public var slicesInFlight = 16
    /// `enqueue` refuses with `busy` while more targets than this wait to be sent.
    public var maxWaitingTargets = 50_000_000
    /// Where there are other workers: how long one whose key the vendor refuses leaves the route to them. The part is paused if
    /// nothing of it was accepted by then.
    public var credentialDoubt: Duration = .seconds(60)
    /// How long requests on their way may take after `run` was cancelled.
    public var drain: Duration = .seconds(10)
    /// The random numbers of a worker's name, of keys and of waits; seeded ones in a simulation.
    public var random = RandomSource.system
    /// Gets what happens.
    public var onEvent: @Sendable (OutboxEvent) -> Void = { _ in }
    /// Runs around each try of a slice, such as in a span: it calls `work` and waits for it. The slice is tried once, whatever it
    /// does.
    public var aroundAttempt: (@Sendable (SliceRow.ID, RouteName, _ work: @Sendable () async -> Void) async -> Void)?

    /// The defaults.
    public init() {}
}
