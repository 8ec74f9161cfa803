public import FoundationEssentials
import PushCore

/// Every request that reached a simulator, in order. Tests use it to check what was really sent.
public final class RequestJournal: Sendable {
    /// One request and its outcome.
    public struct Entry: Sendable {
        /// When it was answered, by the host's clock.
        public var date: Date
        /// What the client sent.
        public var request: SimulatedRequest
        /// The status of the vendor's response, even if it was lost; nil if the request did not reach the vendor.
        public var status: Int?
        /// The fault that affected it; nil for none.
        public var fault: Fault?
    }

    private let capacity: Int
    private let list = Locked<[Entry]>([])

    /// - Parameter capacity: the most entries; new ones replace the oldest.
    public init(capacity: Int = 100_000) { self.capacity = max(1, capacity) }

    /// The entries of the journal, oldest first.
    public var entries: [Entry] { list.withLock { $0 } }
    /// The number of entries in the journal.
    public var count: Int { list.withLock { $0.count } }

    /// Requests whose path ends in this text.
    public func entries(path suffix: String) -> [Entry] { entries.filter { $0.request.path.hasSuffix(suffix) } }
    /// Removes all entries.
    public func removeAll() { list.withLock { $0 = [] } }

    func append(_ entry: Entry) {
        list.withLock { list in
            if list.count >= capacity { list.removeFirst(list.count / 2 + 1) }
            list.append(entry)
        }
    }
}
