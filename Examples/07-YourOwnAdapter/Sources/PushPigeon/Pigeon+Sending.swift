import FoundationEssentials
public import PushAdapter

extension Pigeon {
    /// `POST /messages`: one request for at most 50 birds. Pigeon has no idempotency keys.
    func encode(_ message: Message, at now: Date) throws(PushError) -> Roles.SendRequest {
        guard message.options[id] == nil else { throw PushError(.invalidArgument, "Pigeon has no options") }
        let fields = try JSONWriter.bytes { (json) throws(PushError) in
            guard let notification = message.notification else { return }
            guard let body = notification.body else {
                throw PushError(.invalidArgument, "Pigeon needs a text; give the notification a body")
            }
            json.field("text", try body.plain(.body, at: id))
            if let title = try notification.title?.plain(.title, at: id) { json.field("title", title) }
            if let ios = notification.ios {
                try write("ios", ios.title?.plain(.ios("title"), at: id), ios.body?.plain(.ios("body"), at: id), &json)
            }
            if let android = notification.android {
                try write(
                    "android", android.title?.plain(.android("title"), at: id),
                    android.body?.plain(.android("body"), at: id), &json)
            }
            json.field("data", .object(notification.extras))
        }
        // The client keeps this for all requests with the message.
        return { (audience, context) throws(PushError) in
            let body = try JSONWriter.bytes { (json) throws(PushError) in
                try json.object { (json) throws(PushError) in
                    try write(audience, &json)
                    json.fields(encoded: fields)
                }
            }
            return Exchange(
                .send, WireRequest(.post, .pigeon, path: ["messages"], body: .json(body)),
                inputs: [.message(message), .audience(audience)], idempotency: .unkeyed,
                charges: [QuotaCharge(.pigeonCalls)]
            ) { (response) throws(PushError) in
                let flight = try response.json(Flight.self)
                return SendReceipt(messageID: MessageID(flight.flight), invalidTargets: flight.unknown)
            }
        }
    }

    /// `GET /loft`: the name of the loft that the key belongs to.
    public func probe() throws(PushError) -> Exchange<Void> {
        Exchange(
            .probeCredentials, WireRequest(.get, .pigeon, path: ["loft"]), idempotency: .idempotent,
            charges: [QuotaCharge(.pigeonCalls)]
        ) { (response) throws(PushError) in _ = try response.json(Loft.self) }
    }

    private func write(_ audience: Audience, _ json: inout JSONWriter) throws(PushError) {
        switch audience {
        case .everyone: json.field("to", "all")
        case .devices(let ids): json.field("birds", ids)
        case .tagged(let anyOf, _, _): json.field("rings", anyOf.sorted())
        default: throw PushError(.unsupported, "Pigeon sends only to all, to birds and to rings")
        }
    }

    private func write(
        _ platform: String, _ title: String?, _ text: String?, _ json: inout JSONWriter
    ) throws(PushError) {
        try json.field(platform) { (json) throws(PushError) in
            try json.object { json in
                if let title { json.field("title", title) }
                if let text { json.field("text", text) }
            }
        }
    }

    private struct Flight: Decodable {
        var flight: String
        var unknown: [String]
    }

    private struct Loft: Decodable {
        var loft: String
    }
}
