import FoundationEssentials
import PushAdapter
import PushSimulation

/// What happened to a message on a device.
enum ReceiptEvent: String {
    /// It reached the push client. Whether it is shown is another matter.
    case arrived = "push_arrive"
    /// The app was removed or unregistered, or the phone was reset or away too long.
    case invalid = "regid_invalid"
    /// The device has had its share of the day.
    case dailyLimit = "user_daily_limit"
}

/// The receipts that a message asks for.
struct ReceiptOrder: Sendable {
    let url: String
    let parameter: String

    /// Nil for a message without an address.
    init?(_ fields: Fields, _ settings: OPPOSimulatorSettings) throws(Refusal) {
        let parameter = try fields.text("call_back_parameter", atMost: settings.callbackParameterLength)
        guard let url = try fields.text("call_back_url", atMost: 200) else { return nil }
        (self.url, self.parameter) = (url, parameter ?? "")
    }
}

/// Receipts not yet delivered: a JSON array for each address. Receipts of one message and kind are one row, whose ids
/// are joined by a comma and a blank.
struct ReceiptLine: Sendable {
    private struct Row {
        let push: Push
        let parameter: String
        let event: ReceiptEvent
        let date: Date
        var devices: [String]

        var json: JSONValue {
            [
                "messageId": .string(push.messageID), "appId": .string(push.app.id), "taskId": .string(push.taskID),
                "registrationIds": .string(devices.joined(separator: ", ")),
                "eventTime": .string(String(Int(date.timeIntervalSince1970 * 1000))), "param": .string(parameter),
                "eventType": .string(event.rawValue),
            ]
        }
    }

    private var waiting: [(number: Int, url: String, dueAt: Date, rows: [Row])] = []
    private var lastNumber = 0

    /// Adds a receipt to the call of its address that waits, which is due one second after its first receipt.
    mutating func add(_ event: ReceiptEvent, of push: Push, on device: String, _ now: Date) {
        guard let order = push.receipts else { return }
        let row = Row(
            push: push, parameter: order.parameter, event: event, date: now, devices: [device])
        guard let call = waiting.firstIndex(where: { $0.url == order.url }) else {
            lastNumber += 1
            return waiting.append((lastNumber, order.url, now.addingTimeInterval(1), [row]))
        }
        let same = waiting[call].rows.firstIndex { $0.push.taskID == push.taskID && $0.event == event }
        guard let same else { return waiting[call].rows.append(row) }
        waiting[call].rows[same].devices.append(device)
    }

    /// When the next call is due.
    var next: Date? { waiting.map(\.dueAt).min() }

    /// The calls that are due, oldest first.
    mutating func take(_ most: Int, at now: Date) -> [OutgoingCallback] {
        let due = waiting.filter { $0.dueAt <= now }.prefix(max(0, most))
        let numbers = Set(due.map(\.number))
        waiting.removeAll { numbers.contains($0.number) }
        return due.map { call in
            OutgoingCallback(
                number: call.number, url: call.url, body: JSONWriter.bytes(of: .array(call.rows.map(\.json))),
                timeout: .seconds(5))
        }
    }
}
