public import FoundationEssentials
import PushAdapter
public import PushWebhooks

/// Reads Xiaomi's receipts: the outcome of a message on devices.
///
/// Only receipts report devices that are gone: the kind 16 has the verdict `dead`. The vendor signs nothing. So listen
/// on TLS, at a long random path that your server compares, and give a parameter, which the vendor repeats. Receipts
/// may arrive twice, in any order, and before the response to the send.
///
/// ```swift
/// let callback = try XiaomiCallback(Secret("https://push.example/r/9f3c"), parameter: Secret(text))
/// xiaomi.callback = callback
/// let answer = try XiaomiReceipts(callback).receive(call, at: Date())
/// ```
public struct XiaomiReceipts: WebhookReceiver {
    /// The meanings of the vendor's kinds, for people. Sources: a public client, 2020; limits of messages, 2026-02-04.
    public static let meanings: [Int: String] = [
        1: "delivered", 2: "clicked",
        16: "the device was away too long, its id is wrong, or the app was removed",
        32: "the app has switched push off", 64: "the message's filters left the device out",
        128: "the app has sent the day's amount of the class", 1024: "the time to live was over",
    ]

    private let checks: UnsignedReceipts

    /// Creates a receiver for receipts with the parameter of a callback; nil for messages without a callback of their
    /// own, whose receipts anyone who knows the path can forge.
    /// - Parameters:
    ///   - callback: as in the adapter.
    ///   - longestBody: in bytes. A longer body is refused unread.
    public init(_ callback: XiaomiCallback? = nil, longestBody: Int = 1 << 20) {
        checks = UnsignedReceipts(callback?.address, longestBody: longestBody)
    }

    /// Reads the events, one for each device of a receipt, in the order of the messages' ids. No source says whether a
    /// receipt of a send to aliases or accounts names devices. The events treat its names as device ids.
    ///
    /// Refuses a method other than POST (405), a long body (413), an unreadable body (400) and a receipt without the
    /// parameter (401). No source says what the vendor expects as an answer: it gets 200 without a body.
    public func receive(_ call: WebhookCall, at now: Date) throws(WebhookRefusal) -> WebhookAnswer {
        try checks.check(call)
        guard case .object(let messages)? = Self.data(in: call.body) else {
            throw .malformed("the receipt has no JSON object in its field data")
        }
        var events: [WebhookEvent] = []
        for (id, value) in messages.sorted(by: { $0.key < $1.key }) {
            events += Self.events(MessageID(id), try checks.fields(of: value))
        }
        return WebhookAnswer(events)
    }

    /// The field `data` of a form.
    private static func data(in body: [UInt8]) -> JSONValue? {
        let pairs = String(decoding: body, as: UTF8.self).split(separator: "&")
        guard let pair = pairs.first(where: { $0.hasPrefix("data=") }),
            let text = PercentEncoding.decode(pair.dropFirst(5).replacing("+", with: " "))
        else { return nil }
        return try? JSONValue(parsing: Array(text.utf8))
    }

    private static func events(_ message: MessageID, _ fields: [String: JSONValue]) -> [WebhookEvent] {
        let number = fields["type"]?.identifier.flatMap { Int($0) }
        let time = fields["timestamp"]?.identifier.flatMap { Int64($0) }
        let date = time.map { Date(timeIntervalSince1970: Double($0) / 1000) }
        let targets = fields["targets"]?.stringValue?.split(separator: ",").map { DeviceID(String($0)) } ?? []
        return (targets.isEmpty ? [nil] : targets.map(Optional.some)).map { device in
            WebhookEvent(
                kind(of: number), device: device, message: message, date: date,
                verdict: number == 16 ? .dead() : nil, fields: fields)
        }
    }

    /// Kinds that this library does not know are `xiaomi.` and the number.
    private static func kind(of number: Int?) -> WebhookEvent.Kind {
        switch number {
        case 1: .delivered
        case 2: .clicked
        case let number? where meanings[number] != nil: .notDelivered
        default: WebhookEvent.Kind("xiaomi.\(number.map(String.init) ?? "unknown")")
        }
    }
}
