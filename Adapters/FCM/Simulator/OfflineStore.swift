import FoundationEssentials
import PushSimulation

/// Messages that wait for a device that is offline.
struct OfflineStore {
    struct Item {
        var message: DeliveredMessage
        var end: Date
        /// Nil for a message that no other replaces.
        var key: String?
    }

    private var items: [Item] = []
    /// How often the store was full, so that the vendor dropped everything without a key.
    private(set) var overflows = 0

    mutating func add(_ item: Item, _ now: Date) {
        items.removeAll { $0.end <= now }
        if let key = item.key {
            makeRoom(for: key)
        } else if items.count(where: { $0.key == nil }) >= Rules.storedMessages {
            items.removeAll { $0.key == nil }
            overflows += 1
            return
        }
        items.append(item)
    }

    /// Removes everything, and returns what has not expired, oldest first.
    mutating func takeAll(_ now: Date) -> [DeliveredMessage] {
        let waiting = items.filter { $0.end > now }.map(\.message)
        items = []
        return waiting
    }

    /// The vendor does not say which keys stay; here the newest do.
    private mutating func makeRoom(for key: String) {
        items.removeAll { $0.key == key }
        guard items.count(where: { $0.key != nil }) >= Rules.collapseKeys else { return }
        if let oldest = items.firstIndex(where: { $0.key != nil }) { items.remove(at: oldest) }
    }
}
