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
            /// The number of its last turn, counted over all lists. A list that begins comes before the one whose turn it
            /// was, and after all that wait longer.
            var lastTurn: Int
            var line = WaitingLine()
            /// Whether its time is up.
            var isOver = false
        }

        /// A list whose requests wait for a place. The least is next.
        struct Turn: Comparable {
            let places: Int
            let lastTurn: Int
            let list: Int

            static func < (left: Self, right: Self) -> Bool {
                (left.places, left.lastTurn, left.list) < (right.places, right.lastTurn, right.list)
            }
        }

        var free: Int
        private(set) var shares: [Int: Share] = [:]
        /// In order; there may be thousands. They wait only while no place is free.
        private(set) var waiting: ArraySlice<Turn> = []
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
            state.change(state.lastNumber) { [lastTurn = state.lastTurn] in $0 = State.Share(lastTurn: lastTurn - 1) }
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
            defer { state.change(list) { $0 = nil } }
            return state.endWaits(of: list)
        }
        ended.resume()
    }

    /// Ends all waits, now and from now on.
    func close() {
        let ended = state.withLock { state in
            state.isClosed = true
            return state.waiting.reduce(into: WaitingLine.Departure()) { $0.add(state.endWaits(of: $1.list)) }
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
                    state.change(list) { $0?.line.join(number, place) }
                    return nil
                }
                if let isIn { place.resume(returning: isIn) }
            }
        } onCancel: {
            state.withLock { state in state.change(list) { $0?.line.leave(number) } }?.resume()
        }
    }

    /// Gives a place back, to the waiting list with the fewest places.
    fileprivate func leave(_ list: Int) {
        let next = state.withLock { state in
            state.change(list) { $0?.places -= 1 }
            state.free += 1
            return state.admitNext()
        }
        next?.resume()
    }

    /// Whether a waiting list has no place, or fewer places than this list would have after giving one back.
    fileprivate func isDueToOthers(_ list: Int) -> Bool {
        state.withLock { state in
            let other = state.waiting.first { $0.list != list }
            guard let other, let own = state.shares[list]?.places else { return false }
            return other.places == 0 || other.places < own - 1
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
        change(list) { [lastTurn] in
            $0?.places += 1
            $0?.lastTurn = lastTurn
        }
    }

    fileprivate mutating func admitNext() -> WaitingLine.Departure? {
        guard let next = waiting.first?.list else { return nil }
        give(to: next)
        return change(next) { $0?.line.admitFirst() }
    }

    fileprivate mutating func endWaits(of list: Int) -> WaitingLine.Departure {
        let ended = change(list) { share in
            share?.isOver = true
            return share?.line.dismissAll()
        }
        return ended ?? WaitingLine.Departure()
    }

    /// Changes a share, and where its list stands among those that wait.
    @discardableResult
    fileprivate mutating func change<Result>(_ list: Int, _ edit: (inout Share?) -> Result) -> Result {
        let old = turn(of: list)
        let result = edit(&shares[list])
        let new = turn(of: list)
        guard old != new else { return result }
        if let old { _ = waiting.take(at: waiting.partitioningIndex { $0 >= old }) }
        if let new { waiting.insert(new, at: waiting.partitioningIndex { $0 > new }) }
        return result
    }

    /// Nil unless requests of the list wait.
    private func turn(of list: Int) -> Turn? {
        guard let share = shares[list], !share.line.isEmpty else { return nil }
        return Turn(places: share.places, lastTurn: share.lastTurn, list: list)
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
