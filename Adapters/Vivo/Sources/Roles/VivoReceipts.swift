public import FoundationEssentials
import PushAdapter
public import PushWebhooks

/// Reads vivo's receipts: a message arrived on a device.
///
/// They come for live messages to one device or alias, and report deliveries only. The vendor signs nothing. So listen
/// on TLS, at a long random path that your server compares, and give a parameter, which the vendor repeats. Receipts
/// may arrive twice, in any order, and before the response to the send.
///
/// ```swift
/// let callback = try VivoCallback(Secret("https://push.example/r/9f3c"), parameter: Secret(text))
/// vivo.callback = callback
/// let answer = try VivoReceipts(callback).receive(call, at: Date())
/// ```
///
/// The vendor's newer receipts, by `callback.id`, also report failures. No source shows the form of their body, so this
/// type does not read them; ``meanings`` and ``verdict(on:)`` have their codes, for a backend that does.
public struct VivoReceipts: WebhookReceiver {
    private let checks: UnsignedReceipts

    /// Creates a receiver for receipts with the parameter of a callback; nil for messages without a callback of their
    /// own, whose receipts anyone who knows the path can forge.
    /// - Parameters:
    ///   - callback: as in the adapter.
    ///   - longestBody: in bytes. A longer body is refused unread.
    public init(_ callback: VivoCallback? = nil, longestBody: Int = 1 << 20) {
        checks = UnsignedReceipts(callback?.address, longestBody: longestBody)
    }

    /// Reads the events, one for each device of a receipt, in the order of the messages' ids. No source says whether a
    /// receipt of a send to an alias names the device. The events treat its names as device ids.
    ///
    /// Refuses a method other than POST (405), a long body (413), an unreadable body (400) and a receipt without the
    /// parameter (401). No source says what the vendor expects as an answer: it gets 200 without a body.
    public func receive(_ call: WebhookCall, at now: Date) throws(WebhookRefusal) -> WebhookAnswer {
        try checks.check(call)
        guard case .object(let messages)? = try? JSONValue(parsing: call.body) else {
            throw .malformed("the receipt is not a JSON object")
        }
        var events: [WebhookEvent] = []
        for (id, value) in messages.sorted(by: { $0.key < $1.key }) {
            events += Self.events(MessageID(id), try checks.fields(of: value))
        }
        return WebhookAnswer(events)
    }

    /// Several targets stand between commas.
    private static func events(_ message: MessageID, _ fields: [String: JSONValue]) -> [WebhookEvent] {
        let targets = fields["targets"]?.stringValue?.split(separator: ",").map { DeviceID(String($0)) } ?? []
        return (targets.isEmpty ? [nil] : targets.map(Optional.some)).map { device in
            WebhookEvent(.delivered, device: device, message: message, fields: fields)
        }
    }
}
