import FoundationEssentials
import PushAdapter
import PushSimulation

/// An event of a message on a device.
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

/// A row of a call with receipts: those of one message and kind. Their ids are joined by a comma and a blank.
struct ReceiptRow: Sendable {
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

/// The rows of a call, in the order in which they began.
struct ReceiptRows: Sendable {
    private(set) var list: [ReceiptRow] = []
    private var places: [String: Int] = [:]

    mutating func add(_ event: ReceiptEvent, of push: Push, _ parameter: String, on device: String, _ now: Date) {
        let key = "\(push.taskID) \(event)"
        if let place = places[key] {
            list[place].devices.append(device)
        } else {
            places[key] = list.count
            list.append(ReceiptRow(push: push, parameter: parameter, event: event, date: now, devices: [device]))
        }
    }
}

extension ReceiptQueue<ReceiptRows> {
    /// Adds a receipt, if the message asks for one.
    mutating func add(_ event: ReceiptEvent, of push: Push, on device: String, _ now: Date) {
        guard let order = push.receipts else { return }
        add(order.url, at: now) { $0.add(event, of: push, order.parameter, on: device, now) }
    }
}
