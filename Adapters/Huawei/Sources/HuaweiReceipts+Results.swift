import FoundationEssentials
import PushAdapter
import PushWebhooks

extension HuaweiReceipts {
    /// The meanings of the results, for people. Source: receipts of Push Kit, 2026-04-20; receipts of HMS Core, 2025.
    public static let meanings: [Int: String] = [
        0: "delivered", 2: "the app was removed", 5: "the token does not belong to this device or user",
        6: "the user turned notifications off", 10: "the device was away for 30 days, so the vendor did not send",
        14: "the vendor failed", 15: "a later message with the collapse key replaced it, or too many were stored",
        22: "another user is active on the device", 27: "the app does not run; the device keeps the message for it",
        31: "the app or the system does not support the page or the message",
        51: "the user has not unlocked the device since it started",
        102: "the device has the day's maximum of the app's messages", 144: "another profile is active",
        151: "the form does not exist", 155: "the live view does not exist",
        156: "the device has a newer version of the live view", 158: "the live view exists already",
        188: "a result about the start of the app", 191: "a result about the badge",
        201: "the vendor holds the message back, and may deliver it later",
        256: "the device has the day's maximum of this class or kind of message", 259: "the vendor refused the content",
        261: "updates of the form are blocked for 30 days", 262: "updates of the form are blocked for a day",
        264: "the user has not subscribed", 265: "the id of the live view is blocked for 24 hours",
        268: "the live view has no status", 269: "the live view was created twice",
    ]

    /// Results that say nothing final: the message may still arrive, or the page is unclear.
    private static let open: Set<Int> = [27, 188, 191, 201]

    /// The kind of event that a result means. Results that this library does not know are `huawei.` and the number.
    static func kind(of result: Int?) -> WebhookEvent.Kind {
        guard let result, meanings[result] != nil, !open.contains(result) else {
            return WebhookEvent.Kind("huawei.\(result.map(String.init) ?? "unknown")")
        }
        return result == 0 ? .delivered : .notDelivered
    }
}

extension WebhookEvent {
    /// One status of a receipt: version 1 has `status` and `timestamp`, version 2 a `deliveryStatus` or, for a form, a
    /// `formStatus`.
    init(huawei fields: [String: JSONValue]) {
        let outcome = fields["deliveryStatus"] ?? fields["formStatus"] ?? .object(fields)
        let result = (outcome["result"] ?? outcome["status"])?.identifier.flatMap { Int($0) }
        self.init(
            HuaweiReceipts.kind(of: result), device: fields["token"]?.stringValue.map { DeviceID($0) },
            message: fields["requestId"]?.stringValue.map { MessageID($0) },
            date: outcome["timestamp"]?.identifier.flatMap { Int64($0) }.map { Date(huawei: Double($0)) },
            verdict: result == 2 || result == 5 ? .dead() : nil, fields: fields)
    }
}
