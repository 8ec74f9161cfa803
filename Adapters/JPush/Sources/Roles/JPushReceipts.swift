public import FoundationEssentials
public import PushAdapter
public import PushWebhooks

/// Reads JPush's callbacks about accepted, delivered, opened and undelivered messages.
///
/// JPush authenticates like a backend, with HTTP Basic (app key and master secret), and signs nothing. The fields were
/// seen in callbacks of 2018; the vendor gives out its list only on request. Callbacks may arrive twice and in any
/// order. No event has a verdict: nothing in a callback is known to say that a device is gone.
public struct JPushReceipts: WebhookReceiver {
    private let expected: Secret
    private let longestBody: Int

    /// Creates the receiver. Refuses with `misconfigured` the keys and secrets that ``JPush`` refuses.
    /// - Parameters:
    ///   - appKey: the key of the app.
    ///   - masterSecret: the secret of the app.
    ///   - longestBody: in bytes. A longer body is refused unread.
    public init(appKey: String, masterSecret: Secret, longestBody: Int = 1 << 20) throws(PushError) {
        expected = try JPushAuthorizer.basic(appKey, masterSecret, "", "app key", "master secret")
        self.longestBody = longestBody
    }

    /// Reads an array of events. Refuses wrong credentials (401), a long body (413), a method other than POST (405) and
    /// any other form (400).
    public func receive(_ call: WebhookCall, at now: Date) throws(WebhookRefusal) -> WebhookAnswer {
        guard let given = call.headers[.authorization], Secret(given) == expected else {
            throw .unauthorized("the callback does not carry the app's credentials")
        }
        guard call.body.count <= longestBody else { throw WebhookRefusal(status: 413, "the callback is too long") }
        guard call.method == .post else { throw WebhookRefusal(status: 405, "callbacks must use POST") }
        guard let value = try? JSONValue(parsing: call.body), let rows = value.arrayValue else {
            throw .malformed("the callback is not a JSON array")
        }
        var events: [WebhookEvent] = []
        for row in rows {
            guard case .object(let fields) = row else { throw .malformed("an event is not a JSON object") }
            events.append(Self.event(fields))
        }
        return WebhookAnswer(events)
    }

    private static func event(_ fields: [String: JSONValue]) -> WebhookEvent {
        let kinds: [Int: WebhookEvent.Kind] = [1: .delivered, 2: .clicked, 4: .notDelivered, 8: .accepted]
        let code = fields["callback_type"]?.intValue
        return WebhookEvent(
            code.flatMap { kinds[$0] } ?? WebhookEvent.Kind("jpush.\(code.map(String.init) ?? "unknown")"),
            device: fields["registration_id"]?.stringValue.map { DeviceID($0) },
            message: fields["msg_id"]?.identifier.map { MessageID($0) },
            date: fields["sent_time"]?.intValue.map { Date(timeIntervalSince1970: Double($0)) }, fields: fields)
    }
}
