import PushAdapter

/// A process of a simulation: tasks that end together, at any moment, as after `kill -9`.
///
/// What its tasks start belongs to it, too. It is cut off between two jobs, and nothing of it runs any more: no `defer`, no
/// `catch`. What it asked others for goes on there. All that connects it with the others, such as transports and stores,
/// passes ``pass()`` on the way in and out.
public final class SimulatedProcess: Sendable {
    private struct State {
        var hasEnded = false
        var waiting: [UnsafeContinuation<Void, Never>] = []
    }

    /// How the story calls it.
    public let name: String
    /// Its clocks.
    public let clock: SimulatedClock
    /// The simulation that it is part of.
    public let simulation: Simulation
    private let number: Int
    private let state = Locked(State())

    init(_ simulation: Simulation, _ number: Int, _ name: String, skew: Duration) {
        (self.simulation, self.number, self.name) = (simulation, number, name)
        clock = SimulatedClock(simulation.scheduler, process: number, ahead: skew)
    }

    private var scheduler: Scheduler { simulation.scheduler }

    func start(_ body: @escaping @Sendable (SimulatedProcess) async throws -> Void) {
        scheduler.attribute(to: number) {
            _ = Task {
                do { try await body(self) } catch { self.simulation.tell("\(self.name) throws: \(error)") }
                self.noteEnd()
            }
        }
    }

    private func noteEnd() {
        let waiting = state.withLock { state in
            defer { state = State(hasEnded: true) }
            return state.waiting
        }
        for one in waiting { scheduler.attribute(to: 0) { one.resume() } }
    }

    /// Whether its body returned, or something killed it.
    public var hasEnded: Bool { state.withLock(\.hasEnded) }

    /// Returns when it has ended.
    public func untilEnd() async {
        guard !hasEnded else { return }
        await withUnsafeContinuation { waiter in state.withLock { $0.waiting.append(waiter) } }
    }

    /// Ends it, between two of its jobs.
    public func kill() {
        guard !hasEnded else { return }
        scheduler.kill(number)
        noteEnd()
    }

    /// Stops it until ``resume()``, between two of its jobs, as SIGSTOP does. The time of others goes on.
    public func pause() { scheduler.pause(number) }

    /// Lets it go on.
    public func resume() { scheduler.resume(number) }

    /// Where something leaves the process or comes back: one that is paused waits here, one that ended never returns.
    public func pass() async { await scheduler.pass(number) }

    /// Starts something that goes on without the process, such as a request that has left it.
    public func leave(_ body: @escaping @Sendable () async -> Void) {
        scheduler.attribute(to: 0) { _ = Task { await body() } }
    }
}
