import PushAdapter

/// A process of a simulation: tasks that end together at any moment, as after `kill -9`.
///
/// A task belongs to the process that started it. A kill takes effect between two jobs, and then nothing of the process
/// runs any more, not even a `defer` or `catch`. Requests that it sent proceed elsewhere. All its connections to other
/// processes, such as transports and stores, call ``pass()`` on the way in and out.
public final class SimulatedProcess: Sendable {
    private struct State {
        var hasEnded = false
        var waiting: [UnsafeContinuation<Void, Never>] = []
    }

    /// Its name in the story.
    public let name: String
    /// Its clocks.
    public let clock: SimulatedClock
    /// The simulation that it belongs to.
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

    /// Whether its body has returned or it was killed.
    public var hasEnded: Bool { state.withLock(\.hasEnded) }

    /// Returns when it has ended.
    public func untilEnd() async {
        guard !hasEnded else { return }
        await withUnsafeContinuation { waiter in state.withLock { $0.waiting.append(waiter) } }
    }

    /// Kills it between two jobs.
    public func kill() {
        guard !hasEnded else { return }
        scheduler.kill(number)
        noteEnd()
    }

    /// Stops it between two jobs until ``resume()``, as SIGSTOP does. Time passes for the others.
    public func pause() { scheduler.pause(number) }

    /// Lets it continue.
    public func resume() { scheduler.resume(number) }

    /// The border of the process, for calls that leave it and for answers that come back. A paused process waits here,
    /// and a killed one never returns.
    public func pass() async { await scheduler.pass(number) }

    /// Starts something that proceeds without the process, such as a request that has left it.
    public func leave(_ body: @escaping @Sendable () async -> Void) {
        scheduler.attribute(to: 0) { _ = Task { await body() } }
    }
}
