import FoundationEssentials
import PushAdapter
import PushSimulation

/// The receipts that a message asks for.
struct ReceiptOrder: Sendable {
    private static let keys: Set<String> = ["callback", "callback.param", "callback.id"]

    let url: String
    let parameter: String

    /// Nil for a message that asks for none, or for the newer receipts, whose form no document shows.
    init?(_ value: JSONValue?, _ settings: VivoSimulatorSettings) throws(Refusal) {
        guard let value else { return nil }
        guard case .object(let object) = value, Self.keys.isSuperset(of: object.keys) else { throw .code("extra") }
        let extra = Fields(object, .byField)
        let (url, parameter) = (try extra.text("callback") ?? "", try extra.text("callback.param") ?? "")
        guard url.count <= 128 else { throw .code("callback") }
        guard parameter.count <= settings.callbackParamLength else { throw .code("callback.param") }
        guard !url.isEmpty, try extra.text("callback.id") == nil else { return nil }
        (self.url, self.parameter) = (url, parameter)
    }
}

/// Receipts not yet delivered: an object with a row for each message, of deliveries only. Those of one second to one
/// address share a call.
struct ReceiptLine: Sendable {
    private struct Call {
        let number: Int
        let url: String
        let dueAt: Date
        var rows: [String: JSONValue]
    }

    private var waiting: [Call] = []
    private var lastNumber = 0

    /// Adds the delivery of a message to a device, due one second later.
    mutating func add(_ order: ReceiptOrder, _ task: String, _ device: String, at now: Date) {
        let row: JSONValue = ["param": .string(order.parameter), "targets": .string(device)]
        if let index = waiting.firstIndex(where: { $0.url == order.url }) {
            waiting[index].rows[task] = row
        } else {
            lastNumber += 1
            waiting.append(
                Call(number: lastNumber, url: order.url, dueAt: now.addingTimeInterval(1), rows: [task: row]))
        }
    }

    /// When the next call is due.
    var next: Date? { waiting.map(\.dueAt).min() }

    /// The calls that are due, oldest first. The documents promise no retry.
    mutating func take(_ most: Int, at now: Date) -> [OutgoingCallback] {
        let due = waiting.filter { $0.dueAt <= now }.prefix(max(0, most))
        let numbers = Set(due.map(\.number))
        waiting.removeAll { numbers.contains($0.number) }
        return due.map { call in
            OutgoingCallback(
                number: call.number, url: call.url, body: JSONWriter.bytes(of: .object(call.rows)), timeout: .seconds(5)
            )
        }
    }
}
