public import FoundationEssentials
public import PushCore

/// A clock for tests: a sleep takes no time and moves the clock.
public final class VirtualClock: PushClock {
    private struct State {
        var elapsed: Duration = .zero
        var sleeps: [Duration] = []
    }

    private let start: Date
    private let state = Locked(State())

    /// A clock that stands at this date, in September 2026 unless given, until something moves it.
    public init(startingAt start: Date = Date(timeIntervalSince1970: 1_790_000_000)) { self.start = start }

    public var elapsed: Duration { state.withLock { $0.elapsed } }
    public var date: Date { start.addingTimeInterval(elapsed.seconds) }
    /// Every sleep so far, in order.
    public var sleeps: [Duration] { state.withLock { $0.sleeps } }

    /// Moves the clock on; this is not one of the sleeps.
    public func advance(by duration: Duration) { state.withLock { $0.elapsed += duration } }

    public func sleep(for duration: Duration) async throws(CancellationError) {
        if Task.isCancelled { throw CancellationError() }
        let end = state.withLock { state in
            state.sleeps.append(duration)
            return state.elapsed + duration
        }
        await Task.yield()
        state.withLock { $0.elapsed = max($0.elapsed, end) }
        if Task.isCancelled { throw CancellationError() }
    }
}
