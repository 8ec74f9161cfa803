import FoundationEssentials
import PushSimulation

/// Messages that wait for an offline device.
struct OfflineStore {
    struct Item {
        var message: DeliveredMessage
        var end: Date
        /// The collapse key; nil if no other message replaces this one.
        var key: String?
    }

    private var items: [Item] = []
    /// The number of times that the store was full and the vendor dropped every message without a key.
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

    /// Removes all messages. Returns those that have not expired, oldest first.
    mutating func takeAll(_ now: Date) -> [DeliveredMessage] {
        let waiting = items.filter { $0.end > now }.map(\.message)
        items = []
        return waiting
    }

    /// Makes room for a key. The vendor does not say which keys stay; the simulator keeps the newest.
    private mutating func makeRoom(for key: String) {
        items.removeAll { $0.key == key }
        guard items.count(where: { $0.key != nil }) >= Rules.collapseKeys else { return }
        if let oldest = items.firstIndex(where: { $0.key != nil }) { items.remove(at: oldest) }
    }
}
