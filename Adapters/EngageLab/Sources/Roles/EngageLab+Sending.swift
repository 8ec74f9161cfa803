import FoundationEssentials
import JiguangDialect
public import PushAdapter

extension EngageLab {
    /// `POST /v4/push`. One request for any number of targets. If a push is repeated under its key within an hour, the
    /// vendor returns the first message and sends nothing.
    func encode(_ message: Message, at now: Date) throws(PushError) -> Roles.SendRequest {
        let encoded = try EngageLabEncoder(self).encode(message)
        return { (audience, context) throws(PushError) in
            try context.key.check(.push)
            let (body, inputs) = try encoded.push(to: audience, key: context.key?.value)
            return api.call(
                .send, WireRequest(.post, .engageLab, path: ["push"], body: .json(body)),
                context.key.map(Idempotency.keyed) ?? .unkeyed, checking: inputs, decode: PushReply.receipt)
        }
    }

    /// `POST /v4/push/validate`: the same checks as a push, but no delivery.
    public func validate(_ message: Message, to audience: Audience) throws(PushError) -> Exchange<SendReceipt> {
        let (body, inputs) = try EngageLabEncoder(self).push(message, audience, key: nil)
        return api.call(
            .validate, WireRequest(.post, .engageLab, path: ["push", "validate"], body: .json(body)), checking: inputs,
            decode: PushReply.validation)
    }
}

/// The response to a push.
struct PushReply: Decodable {
    private var messageID: WireText?
    private var requestID: String?

    private enum CodingKeys: String, CodingKey {
        case messageID = "msg_id"
        case requestID = "request_id"
    }

    static func receipt(_ response: WireResponse) throws(PushError) -> SendReceipt {
        let reply = try response.json(PushReply.self)
        guard let id = reply.messageID?.text, !id.isEmpty else { throw response.malformed("has no msg_id") }
        return SendReceipt(messageID: MessageID(id))
    }

    /// A validation may create no message. Only the vendor's tests have one.
    static func validation(_ response: WireResponse) throws(PushError) -> SendReceipt {
        let reply = try response.json(PushReply.self)
        guard reply.messageID != nil || reply.requestID != nil else { throw response.malformed("has no msg_id") }
        return SendReceipt(messageID: reply.messageID.flatMap { $0.text.isEmpty ? nil : MessageID($0.text) })
    }
}
