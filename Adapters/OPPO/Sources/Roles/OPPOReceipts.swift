public import FoundationEssentials
import PushAdapter
public import PushWebhooks

/// Reads OPPO's receipts: the outcome of a message to devices.
///
/// A receipt of the type `regid_invalid` has the verdict `dead`: the app was removed or unregistered, the phone was
/// reset, or it was away for 30 days. The vendor does not tell these apart, so a device may come back; a later binding
/// revives it. The vendor signs nothing. So listen on TLS, at a long random path that your server compares, and give a
/// parameter, which the vendor repeats.
///
/// ```swift
/// let callback = try OPPOCallback(Secret("https://push.example/r/9f3c"), parameter: Secret(text))
/// oppo.callback = callback
/// let answer = try OPPOReceipts(callback).receive(call, at: Date())
/// ```
public struct OPPOReceipts: WebhookReceiver {
    /// The meanings of the vendor's types, for people. Source: OPPO, receipts, 2024.
    public static let meanings: [String: String] = [
        "push_arrive": "reached the vendor's client on the phone, perhaps not shown",
        "regid_invalid": "the app was removed or unregistered, the phone was reset, or it was away for 30 days",
        "user_daily_limit": "the device has had its share of the app's messages today",
    ]

    private let checks: UnsignedReceipts

    /// Creates a receiver for receipts with the parameter of a callback; nil for messages without a parameter, whose
    /// receipts anyone who knows the path can forge.
    /// - Parameters:
    ///   - callback: as in the adapter.
    ///   - longestBody: in bytes. A longer body is refused unread.
    public init(_ callback: OPPOCallback? = nil, longestBody: Int = 1 << 20) {
        checks = UnsignedReceipts(callback?.address, longestBody: longestBody)
    }

    /// Reads the events, one for each device of a receipt, in the receipt's order.
    ///
    /// Refuses a method other than POST (405), a long body (413), an unreadable body (400) and a receipt without the
    /// parameter (401). No source says what the vendor expects as an answer: it gets 200 without a body.
    public func receive(_ call: WebhookCall, at now: Date) throws(WebhookRefusal) -> WebhookAnswer {
        try checks.check(call)
        guard case .array(let receipts)? = try? JSONValue(parsing: call.body) else {
            throw .malformed("the body is not a JSON array of receipts")
        }
        var events: [WebhookEvent] = []
        for receipt in receipts {
            events += Self.events(try checks.fields(of: receipt))
        }
        return WebhookAnswer(events)
    }

    private static func events(_ fields: [String: JSONValue]) -> [WebhookEvent] {
        let type = fields["eventType"]?.stringValue
        let time = fields["eventTime"]?.identifier.flatMap { Int64($0) }
        let date = time.map { Date(timeIntervalSince1970: Double($0) / 1000) }
        let message = fields["messageId"]?.identifier.map { MessageID($0) }
        let devices = Self.devices(fields["registrationIds"]?.stringValue ?? "")
        return (devices.isEmpty ? [nil] : devices.map(Optional.some)).map { device in
            WebhookEvent(
                kind(of: type), device: device, message: message, date: date,
                verdict: type == "regid_invalid" ? .dead() : nil, fields: fields)
        }
    }

    /// Ids with commas between them, and sometimes blanks.
    private static func devices(_ list: String) -> [DeviceID] {
        list.split { $0 == "," || $0 == " " }.map { DeviceID(String($0)) }
    }

    /// Types that this library does not know are `oppo.` and the type, if it is a word.
    private static func kind(of type: String?) -> WebhookEvent.Kind {
        switch type {
        case "push_arrive": .delivered
        case "regid_invalid", "user_daily_limit": .notDelivered
        case let type? where type.wholeMatch(of: /[a-z_]{1,40}/) != nil: WebhookEvent.Kind("oppo.\(type)")
        default: "oppo.unknown"
        }
    }
}
