import FoundationEssentials
import PushAdapter
import PushSimulation

/// An event of a message on a device.
enum ReceiptType: Int, CaseIterable {
    case delivered = 1
    case clicked = 2
    /// The phone was away too long, the id is wrong, or the app was removed.
    case invalidTarget = 16
    case pushOff = 32
    /// The message's own filters left the phone out.
    case filtered = 64
    /// The app's quota of the day is used.
    case quotaUsed = 128
    case expired = 1024
}

/// The receipts that a message asks for.
struct ReceiptOrder: Sendable {
    private static let known = ReceiptType.allCases.reduce(0) { $0 | $1.rawValue }

    let url: String
    var parameter = ""
    var types = 3

    /// Whether receipts of a type come. A sum with a part that is no type gets none: adding 3 to 1 makes 4.
    func wants(_ type: ReceiptType) -> Bool { types & ~Self.known == 0 && types & type.rawValue != 0 }
}

extension ReceiptOrder {
    /// Nil for a message without an address.
    init?(_ form: Form, _ settings: XiaomiSimulatorSettings) throws(Refusal) {
        guard let url = form["extra.callback"] else { return nil }
        let parameter = form["extra.callback.param"] ?? ""
        guard parameter.count <= settings.callbackParamLength else { throw .illegal("callback.param is too long") }
        let types = try form.number("extra.callback.type", in: 0...Int.max) ?? 3
        self.init(url: url, parameter: parameter, types: types)
    }
}

/// A receipt about one target of a message.
struct Receipt: Sendable {
    var order: ReceiptOrder
    var messageID: String
    var type: ReceiptType
    var target: String
    var jobKey: String?
    var extra: [String: JSONValue] = [:]
    var date: Date
}

/// Receipts not yet delivered: a form whose field `data` has receipts by message id. A message has one row in a call,
/// so another type waits for the next call.
struct ReceiptLine: Sendable {
    private let endingStatuses: Set<Int>
    private var queue = ReceiptQueue<[String: [Receipt]]>([:])
    private var ended: Set<String> = []

    init(endingStatuses: Set<Int>) { self.endingStatuses = endingStatuses }

    mutating func add(_ receipt: Receipt) {
        guard !ended.contains(receipt.order.url) else { return }
        let id = receipt.messageID
        let hasRoom = { (rows: [String: [Receipt]]) in rows[id]?.first.map { $0.type == receipt.type } ?? true }
        queue.add(receipt.order.url, at: receipt.date, where: hasRoom) { $0[id, default: []].append(receipt) }
    }

    /// When the next call is due.
    var next: Date? { queue.next }

    /// The calls that are due, oldest first.
    mutating func take(_ most: Int, at now: Date) -> [OutgoingCallback] {
        let calls = queue.take(most, at: now) { rows in
            let data = JSONValue.object(rows.compactMapValues(Self.row)).shown
            return Array("data=\(PercentEncoding.encode(data))".utf8)
        }
        return calls.map { call in
            var call = call
            call.contentType = "application/x-www-form-urlencoded"
            return call
        }
    }

    /// Takes the backend's response. The documents promise no retry.
    mutating func note(_ answer: SimulatedResponse?, to callback: OutgoingCallback) {
        guard let status = answer?.status, endingStatuses.contains(status) else { return }
        ended.insert(callback.url)
        queue.drop(callback.url)
    }

    private static func row(_ receipts: [Receipt]) -> JSONValue? {
        guard let first = receipts.first else { return nil }
        var row: [String: JSONValue] = [
            "param": .string(first.order.parameter), "type": JSONValue(first.type.rawValue),
            "targets": .string(receipts.map(\.target).joined(separator: ",")), "barStatus": "Enable",
            "timestamp": JSONValue(Int(first.date.timeIntervalSince1970 * 1000)), "extra": .object(first.extra),
        ]
        if let key = first.jobKey { row["jobkey"] = .string(key) }
        return .object(row)
    }
}
