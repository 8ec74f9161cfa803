public import FoundationEssentials
import PushCore

/// Every request that reached a simulator, in order: what tests look at to see what really left.
public final class RequestJournal: Sendable {
    /// One request and what became of it.
    public struct Entry: Sendable {
        /// When it was answered, by the host's clock.
        public var date: Date
        /// What the client sent.
        public var request: SimulatedRequest
        /// The status of the vendor's answer, also of one that was lost; nil when the vendor was not asked.
        public var status: Int?
        /// The fault that it met; nil for none.
        public var fault: Fault?
    }

    private let capacity: Int
    private let list = Locked<[Entry]>([])

    /// - Parameter capacity: the oldest entries make room for new ones beyond this.
    public init(capacity: Int = 100_000) { self.capacity = max(1, capacity) }

    /// What the journal holds, oldest first.
    public var entries: [Entry] { list.withLock { $0 } }
    /// The number of entries that the journal holds.
    public var count: Int { list.withLock { $0.count } }

    /// Requests whose path ends in this text.
    public func entries(path suffix: String) -> [Entry] { entries.filter { $0.request.path.hasSuffix(suffix) } }
    /// Forgets all entries.
    public func removeAll() { list.withLock { $0 = [] } }

    func append(_ entry: Entry) {
        list.withLock { list in
            if list.count >= capacity { list.removeFirst(list.count / 2 + 1) }
            list.append(entry)
        }
    }
}
