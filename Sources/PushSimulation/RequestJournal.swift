public import FoundationEssentials
import PushCore

/// Every request that reached a simulator, in order: what tests look at to see what really left.
public final class RequestJournal: Sendable {
    public struct Entry: Sendable {
        public var date: Date
        public var request: SimulatedRequest
        /// The status of the vendor's answer, also of one that was lost; nil when the vendor was not asked.
        public var status: Int?
        public var fault: Fault?
    }

    private let capacity: Int
    private let list = Locked<[Entry]>([])

    /// - Parameter capacity: the oldest entries make room for new ones beyond this.
    public init(capacity: Int = 100_000) { self.capacity = max(1, capacity) }

    public var entries: [Entry] { list.withLock { $0 } }
    public var count: Int { list.withLock { $0.count } }

    /// Requests whose path ends in this text.
    public func entries(path suffix: String) -> [Entry] { entries.filter { $0.request.path.hasSuffix(suffix) } }
    public func removeAll() { list.withLock { $0 = [] } }

    func append(_ entry: Entry) {
        list.withLock { list in
            if list.count >= capacity { list.removeFirst(list.count / 2 + 1) }
            list.append(entry)
        }
    }
}
