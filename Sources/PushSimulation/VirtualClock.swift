public import FoundationEssentials
public import PushAdapter

/// A clock for tests: a sleep takes no time and moves the clock.
public final class VirtualClock: PushClock {
    private struct State {
        var elapsed: Duration = .zero
        var sleeps: [Duration] = []
        /// Callers that give up at a moment.
        var expiries: [Int: (moment: Duration, wake: CheckedContinuation<Void, Never>)] = [:]
        var lastNumber = 0

        mutating func move(to moment: Duration) -> [CheckedContinuation<Void, Never>] {
            elapsed = max(elapsed, moment)
            let due = expiries.filter { $0.value.moment <= elapsed }
            for number in due.keys { expiries[number] = nil }
            return due.values.map(\.wake)
        }
    }

    private let start: Date
    private let state = Locked(State())

    /// A clock that stands at this date, by default in September 2026, until something moves it.
    public init(startingAt start: Date = Date(timeIntervalSince1970: 1_790_000_000)) { self.start = start }

    public var elapsed: Duration { state.withLock { $0.elapsed } }
    public var date: Date { start.addingTimeInterval(elapsed.seconds) }
    /// Every sleep so far, in order.
    public var sleeps: [Duration] { state.withLock { $0.sleeps } }

    /// How many callers wait in ``expire(after:)`` now.
    package var expiries: Int { state.withLock { $0.expiries.count } }

    /// Moves the clock forward; does not count as a sleep.
    public func advance(by duration: Duration) {
        let due = state.withLock { $0.move(to: $0.elapsed + duration) }
        for wake in due { wake.resume() }
    }

    public func sleep(for duration: Duration) async throws(CancellationError) {
        if Task.isCancelled { throw CancellationError() }
        let end = state.withLock { state in
            state.sleeps.append(duration)
            return state.elapsed + duration
        }
        await Task.yield()
        let due = state.withLock { $0.move(to: end) }
        for wake in due { wake.resume() }
        if Task.isCancelled { throw CancellationError() }
    }

    public func expire(after duration: Duration) async throws(CancellationError) {
        let (number, end) = state.withLock { state in
            state.lastNumber += 1
            return (state.lastNumber, state.elapsed + duration)
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { wake in
                let isOver = state.withLock { state in
                    if Task.isCancelled || state.elapsed >= end { return true }
                    state.expiries[number] = (end, wake)
                    return false
                }
                if isOver { wake.resume() }
            }
        } onCancel: {
            state.withLock { $0.expiries.removeValue(forKey: number)?.wake }?.resume()
        }
        if Task.isCancelled { throw CancellationError() }
    }
}
