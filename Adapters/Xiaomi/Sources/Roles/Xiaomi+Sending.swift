import FoundationEssentials
public import PushAdapter

extension Xiaomi {
    /// `POST /v3/message/regid`, `/alias`, `/topic`, `/multi_topic` or `/all`, or `/v2/message/user_account`.
    func encode(_ message: Message, at now: Date) throws(PushError) -> Roles.SendRequest {
        let encoded = try XiaomiEncoder(xiaomi: self).encode(message)
        return { (audience, context) throws(PushError) in
            guard context.key?.kind != .schedule else {
                throw PushError(.invalidArgument, "the key is for a schedule; a send needs one of its own")
            }
            let target = try XiaomiTarget(audience, except: encoded.options.except ?? [])
            return sending(.send, encoded, XiaomiDelivery(target: target, seed: context.id, key: context.key))
        }
    }

    /// The request with a message, at once or at a date.
    func sending(
        _ operation: Feature, _ encoded: XiaomiMessage, _ delivery: XiaomiDelivery
    ) -> Exchange<SendReceipt> {
        let (form, inputs) = encoded.body(delivery, callback)
        // The vendor stops one class when it is used up, so its quota comes first.
        let charges = [QuotaCharge(encoded.day), QuotaCharge(.xiaomiRequests)]
        var exchange = Exchange(
            operation, WireRequest(.post, .xiaomi, path: delivery.target.path, body: form.body),
            inputs: [.message(encoded.message), .audience(delivery.target.audience)] + inputs,
            idempotency: delivery.key.map(Idempotency.keyed) ?? .unkeyed, charges: charges, decode: XiaomiReply.receipt)
        // An answer may list a thousand devices.
        exchange.longestResponse = 1 << 20
        return exchange
    }

    /// Remarks for a dry run, on a notification without a channel and on one of service without a template.
    func remarks(on message: Message) -> [String] {
        guard message.notification != nil, let encoded = try? XiaomiEncoder(xiaomi: self).encode(message) else {
            return []
        }
        guard encoded.extra["channel_id"] != nil else {
            return encoded.intent == nil
                ? [Self.noClass] : MakerWords.remarks(on: message, capabilities, channels: [.xiaomi])
        }
        return encoded.intent == .service && encoded.extra["template_id"] == nil ? [Self.noTemplate] : []
    }

    private static let noClass =
        "xiaomi refuses a notification without a channel, or shows one such notification a day on a device; give the "
        + "message a class, or set defaultClass"
    private static let noTemplate =
        "xiaomi wants a template in each private channel, and may not deliver a notification without one after "
        + "2026-12-31; give the class a template with an id of xiaomi"

    /// `GET /v1/trace/quota/get`: the day's quota, which needs the app's secret and changes nothing.
    public func probe() throws(PushError) -> Exchange<Void> {
        reading(.probeCredentials, ["v1", "trace", "quota", "get"], of: nil) { (response) throws(PushError) in
            _ = try XiaomiReply.accepted(response)
        }
    }

    /// A read, about a device if there is one.
    func reading<Output>(
        _ operation: Feature, _ path: [PathSegment], of device: DeviceID?,
        decode: @escaping @Sendable (WireResponse) throws(PushError) -> Output
    ) -> Exchange<Output> {
        let query =
            (device.map { [QueryItem("registration_id", $0.rawValue)] } ?? [])
            + [QueryItem("restricted_package_name", packageName)]
        return Exchange(
            operation, WireRequest(.get, .xiaomi, path: path, query: query),
            inputs: device.map { [.devices([$0])] } ?? [], idempotency: .idempotent,
            charges: [QuotaCharge(.xiaomiRequests)], subject: device.map(Subject.device), decode: decode)
    }
}
