import PushCore

/// The places for requests in flight that all sends of a client share.
final class SendWindow: Sendable {
    fileprivate struct State {
        var free: Int
        var line = WaitingLine()
        var lastNumber = 0
    }

    /// How many requests fit.
    let size: Int
    private let state: Locked<State>

    init(size: Int) {
        self.size = max(1, size)
        state = Locked(State(free: self.size))
    }

    /// Takes a place, after those that asked earlier; false when the task was cancelled first.
    func enter() async -> Bool {
        if state.withLock({ $0.takeFree() }) { return true }
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { place in
                let isIn: Bool? = state.withLock { state in
                    if Task.isCancelled { return false }
                    if state.takeFree() { return true }
                    state.line.join(number, place)
                    return nil
                }
                if let isIn { place.resume(returning: isIn) }
            }
        } onCancel: {
            state.withLock { $0.line.leave(number) }
        }
    }

    /// Gives a place back, to the first that waits.
    func leave() {
        state.withLock { state in
            if state.line.isEmpty { state.free += 1 } else { state.line.admitFirst() }
        }
    }
}

extension SendWindow.State {
    fileprivate mutating func takeFree() -> Bool {
        guard free > 0, line.isEmpty else { return false }
        free -= 1
        return true
    }
}
