import PushAdapter

/// The places for requests in flight that all lists of a client share.
///
/// Lists take turns: a place goes to the list with the fewest places, and of several to the one that waited longest for
/// its turn. So a short list never waits for a long one to end. A place is for a request in flight; a call that waits
/// gives it back.
final class SendWindow: Sendable {
    /// How many requests fit.
    let size: Int
    private let state: Locked<State>

    init(size: Int) {
        // An adapter may say that its vendor has no limit.
        self.size = min(max(1, size), 1 << 20)
        state = Locked(State(free: self.size))
    }

    fileprivate struct State {
        /// The state of one list.
        struct Share {
            var places = 0
            /// The number of its last turn, counted over all lists.
            var lastTurn = 0
            var line = WaitingLine()
            /// Whether its time is up.
            var isOver = false
        }

        var free: Int
        var shares: [Int: Share] = [:]
        /// The lists whose requests wait. They wait only while no place is free.
        var waiting: Set<Int> = []
        var lastNumber = 0
        var lastTurn = 0
        var isClosed = false
    }
}

/// Lists.
extension SendWindow {
    /// Opens the share of a list, whose requests wait until this moment of the clock; `close` must follow.
    func open(until end: Duration, on clock: any PushClock) -> WindowShare {
        let number = state.withLock { state in
            state.lastNumber += 1
            state.shares[state.lastNumber] = State.Share()
            return state.lastNumber
        }
        let timer = Task {
            do throws(CancellationError) { try await clock.expire(after: max(.zero, end - clock.elapsed)) } catch {
                return
            }
            self.state.withLock { $0.endWaits(of: number) }.resume()
        }
        return WindowShare(window: self, number: number, timer: timer)
    }

    fileprivate func close(_ list: Int) {
        let ended = state.withLock { state in
            defer { state.shares[list] = nil }
            return state.endWaits(of: list)
        }
        ended.resume()
    }

    /// Ends all waits, now and from now on.
    func close() {
        let ended = state.withLock { state in
            state.isClosed = true
            return state.waiting.reduce(into: WaitingLine.Departure()) { $0.add(state.endWaits(of: $1)) }
        }
        ended.resume()
    }
}

/// Places.
extension SendWindow {
    /// Takes a place, after earlier requests of the list; false when the task was cancelled, the list's time is up, or
    /// the client was shut down.
    fileprivate func enter(_ list: Int) async -> Bool {
        if let isIn = state.withLock({ $0.take(list) }) { return isIn }
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { place in
                let isIn: Bool? = state.withLock { state in
                    if Task.isCancelled { return false }
                    if let isIn = state.take(list) { return isIn }
                    state.shares[list]?.line.join(number, place)
                    state.waiting.insert(list)
                    return nil
                }
                if let isIn { place.resume(returning: isIn) }
            }
        } onCancel: {
            let left = state.withLock { state in
                defer { state.noteLine(of: list) }
                return state.shares[list]?.line.leave(number)
            }
            left?.resume()
        }
    }

    /// Gives a place back, to the waiting list with the fewest places.
    fileprivate func leave(_ list: Int) {
        let next = state.withLock { state in
            state.shares[list]?.places -= 1
            state.free += 1
            return state.admitNext()
        }
        next?.resume()
    }

    /// Whether a waiting list has no place, or fewer places than this list would have after giving one back.
    fileprivate func isDueToOthers(_ list: Int) -> Bool {
        state.withLock { state in
            guard !state.waiting.isEmpty, let own = state.shares[list]?.places else { return false }
            return state.waiting.contains { other in
                let places = state.shares[other]?.places ?? .max
                return other != list && (places == 0 || places < own - 1)
            }
        }
    }
}

extension SendWindow.State {
    /// Whether the list gets a place; nil if it has to wait for one.
    fileprivate mutating func take(_ list: Int) -> Bool? {
        guard !isClosed, let share = shares[list], !share.isOver else { return false }
        guard free > 0 else { return nil }
        give(to: list)
        return true
    }

    private mutating func give(to list: Int) {
        free -= 1
        lastTurn += 1
        shares[list]?.places += 1
        shares[list]?.lastTurn = lastTurn
    }

    fileprivate mutating func admitNext() -> WaitingLine.Departure? {
        let next = waiting.min { left, right in
            guard let left = shares[left], let right = shares[right] else { return false }
            return (left.places, left.lastTurn) < (right.places, right.lastTurn)
        }
        guard let next else { return nil }
        give(to: next)
        defer { noteLine(of: next) }
        return shares[next]?.line.admitFirst()
    }

    fileprivate mutating func endWaits(of list: Int) -> WaitingLine.Departure {
        shares[list]?.isOver = true
        waiting.remove(list)
        return shares[list]?.line.dismissAll() ?? WaitingLine.Departure()
    }

    fileprivate mutating func noteLine(of list: Int) {
        if shares[list]?.line.isEmpty ?? true { waiting.remove(list) }
    }
}

/// A list's share of a window.
struct WindowShare: Sendable {
    fileprivate let window: SendWindow
    fileprivate let number: Int
    fileprivate let timer: Task<Void, Never>

    /// Ends the list; it gets no place any more.
    func close() {
        timer.cancel()
        window.close(number)
    }
}

/// A place in the window that a task of a list keeps from one request to the next, because each change of places
/// switches tasks. The task gives it up to a list with fewer places, and while it waits.
final class WindowPlace: Sendable {
    private let share: WindowShare
    private let isHeld = Locked(false)

    init(of share: WindowShare) { self.share = share }

    /// Takes a place for the next request; false when the task was cancelled, the list's time is up, or the client was shut
    /// down.
    func take() async -> Bool {
        if isHeld.withLock({ $0 }) {
            guard share.window.isDueToOthers(share.number) else { return true }
            giveBack()
        }
        guard await share.window.enter(share.number) else { return false }
        isHeld.withLock { $0 = true }
        return true
    }

    func giveBack() {
        let wasHeld = isHeld.withLock { isHeld in
            defer { isHeld = false }
            return isHeld
        }
        if wasHeld { share.window.leave(share.number) }
    }
}
