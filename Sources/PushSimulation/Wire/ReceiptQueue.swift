package import FoundationEssentials

/// Receipts that wait for their calls. Those to one address share a call, which is due one second after its first one.
/// There is no retry.
package struct ReceiptQueue<Receipts: Sendable>: Sendable {
    private let empty: Receipts
    private var waiting: [(number: Int, url: String, dueAt: Date, receipts: Receipts)] = []
    private var lastNumber = 0

    /// An empty queue.
    /// - Parameter empty: a call without receipts.
    package init(_ empty: Receipts) { self.empty = empty }

    /// Adds a receipt to the first call of its address that has room, or to a new call.
    package mutating func add(
        _ url: String, at now: Date, where hasRoom: (Receipts) -> Bool = { _ in true },
        _ add: (inout Receipts) -> Void
    ) {
        if let call = waiting.firstIndex(where: { $0.url == url && hasRoom($0.receipts) }) {
            return add(&waiting[call].receipts)
        }
        lastNumber += 1
        var receipts = empty
        add(&receipts)
        waiting.append((lastNumber, url, now.addingTimeInterval(1), receipts))
    }

    /// Drops the calls of an address.
    package mutating func drop(_ url: String) { waiting.removeAll { $0.url == url } }

    /// When the next call is due.
    package var next: Date? { waiting.map(\.dueAt).min() }

    /// The calls that are due, oldest first.
    package mutating func take(_ most: Int, at now: Date, body: (Receipts) -> [UInt8]) -> [OutgoingCallback] {
        let due = waiting.filter { $0.dueAt <= now }.prefix(max(0, most))
        let numbers = Set(due.map(\.number))
        waiting.removeAll { numbers.contains($0.number) }
        return due.map {
            OutgoingCallback(number: $0.number, url: $0.url, body: body($0.receipts), timeout: .seconds(5))
        }
    }
}
