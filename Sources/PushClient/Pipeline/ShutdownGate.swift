import PushAdapter

/// Whether a client takes new calls, only finishes those in flight, or has ended. Closing it ends every sleep.
final class ShutdownGate: Sendable {
    private struct State {
        var takesCalls = true
        var isOpen = true
        var callsInFlight = 0
        /// The functions that end the current waits.
        var waits: [Int: @Sendable () -> Void] = [:]
        var lastNumber = 0
    }

    /// The refusal of everything after a shutdown.
    static let refusal = PushError(.stopped, "the client was shut down; make a new one")

    private let state = Locked(State())

    /// Whether a public call may begin.
    var takesCalls: Bool { state.withLock { $0.takesCalls } }
    /// Whether calls in flight may send their requests.
    var isOpen: Bool { state.withLock { $0.isOpen } }
    /// Whether a public call is in flight.
    var isBusy: Bool { state.withLock { $0.callsInFlight > 0 } }

    /// Counts a public call; false when the client takes none.
    func enter() -> Bool {
        state.withLock { state in
            if state.takesCalls { state.callsInFlight += 1 }
            return state.takesCalls
        }
    }

    func leave() { state.withLock { $0.callsInFlight -= 1 } }

    /// Refuses new calls; those in flight go on.
    func drain() { state.withLock { $0.takesCalls = false } }

    /// Refuses new calls and the requests of those in flight, and ends their waits.
    func close() {
        let waits = state.withLock { state in
            state.takesCalls = false
            state.isOpen = false
            defer { state.waits = [:] }
            return Array(state.waits.values)
        }
        for end in waits { end() }
    }
}

extension ShutdownGate {
    /// Sleeps; false when the task was cancelled or the gate closed first.
    func sleep(for duration: Duration, on clock: any PushClock) async -> Bool {
        // Starts at once, so that the time begins now.
        let sleep = Task.immediate {
            do throws(CancellationError) { try await clock.sleep(for: duration) } catch { return false }
            return true
        }
        let wait = beginWait { sleep.cancel() }
        defer { endWait(wait) }
        return await withTaskCancellationHandler {
            await sleep.value
        } onCancel: {
            sleep.cancel()
        }
    }

    /// Adds a wait. The gate calls `end` when it closes, or at once if it is closed.
    func beginWait(_ end: @escaping @Sendable () -> Void) -> Int {
        let (number, isOpen) = state.withLock { state in
            state.lastNumber += 1
            if state.isOpen { state.waits[state.lastNumber] = end }
            return (state.lastNumber, state.isOpen)
        }
        if !isOpen { end() }
        return number
    }

    func endWait(_ number: Int) { state.withLock { $0.waits[number] = nil } }
}
