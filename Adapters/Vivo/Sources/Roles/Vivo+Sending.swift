import FoundationEssentials
public import PushAdapter

extension Vivo {
    /// `POST /message/send` to one device or alias, `/message/tagPush` to those of tags, or `/message/all`.
    func encode(_ message: Message, at now: Date) throws(PushError) -> Roles.SendRequest {
        let encoded = try VivoEncoder(vivo: self).encode(message)
        return { (audience, context) throws(PushError) in
            guard context.key?.kind != .schedule else {
                throw PushError(.invalidArgument, "the key is for a schedule; a send needs one of its own")
            }
            let target = try VivoTarget(audience, except: encoded.options.except ?? [])
            return try sending(encoded, to: target, in: context)
        }
    }

    private func sending(
        _ encoded: VivoMessage, to target: VivoTarget, in context: SendContext
    ) throws(PushError) -> Exchange<SendReceipt> {
        try Self.checkLife(of: encoded.message, to: target)
        let body = try encoded.body(to: target, id: context.key?.value ?? context.id, callback)
        var charges = [QuotaCharge(encoded.day), QuotaCharge(.vivoRequests)]
        if case .everyone = target.audience { charges.insert(QuotaCharge(.vivoEveryone), at: 0) }
        return Exchange(
            .send, WireRequest(.post, .vivo, path: ["message", target.call], body: body),
            inputs: [.message(encoded.message), .audience(target.audience)] + encoded.amounts,
            idempotency: context.key.map(Idempotency.keyed) ?? .unkeyed, charges: charges, decode: VivoReply.receipt)
    }

    private static func checkLife(of message: Message, to target: VivoTarget) throws(PushError) {
        let least = VivoLimits.shortestLife.many
        guard !target.isSingle, let life = message.timeToLive, life < .seconds(least) else { return }
        throw PushError(
            .invalidArgument,
            "timeToLive is \(life.components.seconds) s, and vivo keeps a message to everyone or to tags for \(least) s "
                + "or more; give a longer time, or leave it out", operation: .send)
    }

    /// Remarks for a dry run, on a notification without a class or without a word for it.
    func remarks(on message: Message) -> [String] {
        guard message.notification != nil, message.messageClass ?? capabilities.classes.defaultClass == nil else {
            return MakerWords.remarks(on: message, capabilities)
        }
        return [
            "vivo counts a notification without a class as operational, shows two a day on a device, and none at night; "
                + "give the message a class, or set defaultClass"
        ]
    }

    /// `GET /report/getStatistics` for a message that does not exist: it needs a token and changes nothing.
    public func probe() throws(PushError) -> Exchange<Void> {
        Exchange(
            .probeCredentials,
            WireRequest(.get, .vivo, path: ["report", "getStatistics"], query: [QueryItem("taskIds", "0")]),
            idempotency: .idempotent, charges: [QuotaCharge(.vivoRequests)]
        ) { (response) throws(PushError) in
            guard let reply = VivoReply(response), reply.hasFoundCredentials else { throw VivoReply.unreadable }
        }
    }
}
