import FoundationEssentials
import JiguangDialect
public import PushAdapter

extension JPush {
    /// `POST /v3/push`, and `POST /v3/push/file` for an uploaded list. One request for any number of targets.
    func encode(_ message: Message, at now: Date) throws(PushError) -> Roles.SendRequest {
        let encoded = try JPushEncoder(capabilities).encode(message)
        return { (audience, context) throws(PushError) in
            try context.key.check(.push)
            let body = try encoded.push(to: audience, key: context.key?.value)
            // An uploaded list has its own path.
            var path: [PathSegment] = []
            var idempotency = context.key.map(Idempotency.keyed) ?? .unkeyed
            if case .file = audience {
                path = ["file"]
                // No page says that this path honors a key.
                idempotency = .unkeyed
            }
            return Exchange(
                .send, WireRequest(.post, .jpushPush, path: path, body: .json(body)),
                inputs: [.message(message), .audience(audience)], idempotency: idempotency,
                charges: [QuotaCharge(.jpushPush)], decode: PushReply.receipt)
        }
    }

    /// `POST /v3/push/validate`: the same checks and response as a push, but no delivery.
    public func validate(_ message: Message, to audience: Audience) throws(PushError) -> Exchange<SendReceipt> {
        let body = try JPushEncoder(capabilities).push(message, audience, key: nil)
        return api.call(
            .validate, WireRequest(.post, .jpushPush, path: ["validate"], body: .json(body)),
            checking: [.message(message), .audience(audience)], decode: PushReply.receipt)
    }
}

/// The response to a push.
enum PushReply {
    static func receipt(_ response: WireResponse) throws(PushError) -> SendReceipt {
        let reply = try response.json()
        guard let id = reply["msg_id"]?.identifier, !id.isEmpty else {
            throw response.malformed("has no msg_id, or an empty one")
        }
        // Skipped targets. Newer responses may list them.
        let listed = reply["illegal_rids"] ?? .null
        let skipped = listed.arrayValue?.map(\.stringValue) ?? []
        guard listed == .null || listed.arrayValue != nil, !skipped.contains(nil) else {
            throw response.malformed("has illegal_rids that are no list of texts")
        }
        return SendReceipt(messageID: MessageID(id), invalidTargets: skipped.compactMap { $0 })
    }
}
