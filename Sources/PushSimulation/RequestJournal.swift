public import FoundationEssentials
import PushAdapter

/// Every request that reached a simulator, in order. Tests use it to check the requests that were really sent.
public final class RequestJournal: Sendable {
    /// One request and its outcome.
    public struct Entry: Sendable {
        /// Its place in the order of all answers, from 1; the journal never uses a number twice.
        public internal(set) var number = 0
        /// When it was answered, by the host's clock.
        public var date: Date
        /// The client's request.
        public var request: SimulatedRequest
        /// The whole response, even if a fault lost or cut it; nil if a fault let nothing go back.
        public var response: SimulatedResponse?
        /// The status of the vendor's response, even if it was lost; nil if the request did not reach the vendor.
        public var status: Int?
        /// The fault that affected it; nil for none.
        public var fault: Fault?
    }

    /// An observer of a journal, for its removal.
    public struct Observation: Sendable, Hashable {
        fileprivate var number: Int
    }

    private struct State {
        var entries: [Entry] = []
        var lastNumber = 0
        var observers: [Int: @Sendable () -> Void] = [:]
        var lastObserver = 0
    }

    private let capacity: Int
    private let state = Locked(State())

    /// - Parameter capacity: the most entries; new ones replace the oldest.
    public init(capacity: Int = 100_000) { self.capacity = max(1, capacity) }

    /// The entries of the journal, oldest first.
    public var entries: [Entry] { state.withLock { $0.entries } }
    /// The number of entries in the journal.
    public var count: Int { state.withLock { $0.entries.count } }
    /// The number of the newest request; 0 before the first.
    public var lastNumber: Int { state.withLock { $0.lastNumber } }

    /// Requests whose path ends in this text.
    public func entries(path suffix: String) -> [Entry] { entries.filter { $0.request.path.hasSuffix(suffix) } }

    /// The newest requests after the one with a number, oldest first.
    /// - Parameters:
    ///   - number: 0 for all.
    ///   - limit: the most entries; leaves out the oldest.
    public func entries(after number: Int, limit: Int) -> [Entry] {
        state.withLock { state in
            // Numbers grow by one from entry to entry.
            let new = min(state.entries.count, max(0, state.lastNumber - max(0, number)), max(0, limit))
            return Array(state.entries.suffix(new))
        }
    }

    /// The request with a number; nil if there is none, or if the journal does not have it any more.
    public func entry(_ number: Int) -> Entry? {
        state.withLock { state in
            guard let first = state.entries.first?.number, number >= first, number <= state.lastNumber else {
                return nil
            }
            return state.entries[number - first]
        }
    }

    /// Removes all entries. Later requests do not get their numbers.
    public func removeAll() { state.withLock { $0.entries = [] } }

    /// Calls a function after each new entry, on any thread, until it is removed. It must not block.
    public func observe(_ observer: @escaping @Sendable () -> Void) -> Observation {
        state.withLock { state in
            state.lastObserver += 1
            state.observers[state.lastObserver] = observer
            return Observation(number: state.lastObserver)
        }
    }

    /// Removes an observer. A call that has begun may still end afterwards.
    public func remove(_ observation: Observation) { state.withLock { $0.observers[observation.number] = nil } }

    func append(_ entry: Entry) {
        let observers = state.withLock { state in
            if state.entries.count >= capacity { state.entries.removeFirst(state.entries.count / 2 + 1) }
            state.lastNumber += 1
            var entry = entry
            entry.number = state.lastNumber
            state.entries.append(entry)
            return Array(state.observers.values)
        }
        for observer in observers { observer() }
    }
}
