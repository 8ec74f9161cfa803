public import FoundationEssentials
public import PushAdapter

/// The settings of an outbox.
public struct OutboxSettings: Sendable {
    /// How often an idle worker looks for work.
    public var poll: Duration = .milliseconds(250)
    /// How often a worker renews its claim. After four failures in a row it stops and starts anew. It looks for the
    /// work of dead workers just as often, and at least once a second.
    public var renewal: Duration = .seconds(5)
    /// Slices in flight at a route whose requests take many targets.
    public var slicesInFlight = 16
    /// `enqueue` refuses with `busy` while more targets than this wait to be sent.
    public var maxWaitingTargets = 50_000_000
    /// How long a worker leaves a route to the other workers after the vendor refused its credentials. If nothing of
    /// the part was accepted by then, the worker pauses the part. Without other workers, it pauses the part at once.
    public var credentialDoubt: Duration = .seconds(60)
    /// How long requests in flight may take after `run` was cancelled.
    public var drain: Duration = .seconds(10)
    /// The random numbers for a worker's id, for keys and for pauses. Seed them in a simulation.
    public var random = RandomSource.system
    /// Receives the outbox's events.
    public var onEvent: @Sendable (OutboxEvent) -> Void = { _ in }
    /// Receives the targets that a vendor accepted, and when, for example for a router's draining migrations
    /// (`PushRouter.noteAccepted`). Called after the outcome is stored, before the worker continues with the slice's
    /// place. A worker that crashes then may not have called it.
    public var onAccepted: (@Sendable ([RoutedTarget.Way], Date) async -> Void)?
    /// Runs around each attempt of a slice, for example to open a span. It calls `work` and waits for it. The slice is
    /// attempted exactly once, even if this closure never calls `work`.
    public var aroundAttempt: (@Sendable (SliceRow.ID, RouteName, _ work: @Sendable () async -> Void) async -> Void)?

    /// The defaults.
    public init() {}
}

extension OutboxSettings {
    /// A copy whose times are clamped to the longest wait, and whose slices to a million.
    var bounded: OutboxSettings {
        var bounded = self
        bounded.slicesInFlight = min(slicesInFlight, 1 << 20)
        for path in [\.poll, \.renewal, \.credentialDoubt, \.drain] as [WritableKeyPath<OutboxSettings, Duration>] {
            bounded[keyPath: path] = self[keyPath: path].bounded
        }
        return bounded
    }
}
