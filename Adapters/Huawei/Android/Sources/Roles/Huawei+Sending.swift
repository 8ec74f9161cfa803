import FoundationEssentials
import HuaweiDialect
public import PushAdapter

extension Huawei {
    /// `POST /v1/{clientId}/messages:send` or `/v2/{projectId}/messages:send`, to at most 1,000 devices, to those of a
    /// tag, or to a condition over tags.
    func encode(_ message: Message, at now: Date) throws(PushError) -> Roles.SendRequest {
        let encoded = try encoder.encode(message)
        return { (audience, context) throws(PushError) in
            try exchange(.send, message, encoded, audience, context.key)
        }
    }

    /// The same call as a dry run: the vendor checks the form, and delivers nothing.
    public func validate(
        _ message: Message, to audience: Audience, in context: SendContext
    ) throws(PushError) -> Exchange<SendReceipt> {
        try exchange(.validate, message, try encoder.encode(message), audience, context.key)
    }

    /// A dry run to a topic.
    public func probe() throws(PushError) -> Exchange<Void> {
        let encoded = try encoder.encode(Message(custom: CustomMessage(content: "probe")))
        let body = try encoded.body(to: .topic("pushbridge_probe"), isDryRun: true)
        return Exchange(.probeCredentials, sending(body.bytes), idempotency: .idempotent) {
            (response) throws(PushError) in _ = try HuaweiReply.accepted(response)
        }
    }

    private var encoder: HuaweiEncoder {
        HuaweiEncoder(capabilities: capabilities, defaultTitle: defaultTitle, launcherClass: launcherClass)
    }

    private func exchange(
        _ operation: Feature, _ message: Message, _ encoded: HuaweiMessage, _ audience: Audience,
        _ key: IdempotencyKey?
    ) throws(PushError) -> Exchange<SendReceipt> {
        guard key == nil else {
            throw PushError(.unsupported, "Huawei takes no idempotency keys; leave the key out", operation: operation)
        }
        let isDryRun = operation == .validate
        let target = try HuaweiTarget(audience)
        let (body, size) = try encoded.body(to: target, isDryRun: isDryRun)
        var exchange = Exchange(
            operation, sending(body),
            inputs: [
                .message(message), .audience(audience),
                .amount(size, .payloadBytes, "the message without its tokens"),
            ], idempotency: isDryRun || acceptsDuplicates ? .idempotent : .unkeyed,
            charges: isDryRun
                ? [] : HuaweiTables.charges(target.count, test: encoded.isTest ? .huaweiTests : nil, capabilities),
            decode: receipt)
        // A refusal may list a thousand tokens.
        exchange.longestResponse = 1 << 20
        return exchange
    }

    private func sending(_ json: [UInt8]) -> WireRequest {
        let owner: [PathSegment] = projectID.map { ["v2", .literal($0)] } ?? ["v1", .literal(clientID)]
        return WireRequest(.post, .huawei, path: owner + ["messages:send"], body: .json(json))
    }

    /// Reads an accepted send. The vendor names the tokens that it refused, and no reason.
    private func receipt(_ response: WireResponse) throws(PushError) -> SendReceipt {
        try HuaweiReply.receipt(response) { reply in
            let refused = reply.details["illegal_tokens"]?.arrayValue?.compactMap(\.stringValue) ?? []
            let status: TargetStatus = refused.count > mostInvalid ? .suspect : .invalid()
            return Dictionary(refused.map { ($0, status) }, uniquingKeysWith: { first, _ in first })
        }
    }
}

/// The one target of a message.
enum HuaweiTarget {
    case tokens([DeviceID])
    case topic(String)
    case condition(String)

    /// The devices of a list; 0 if only the vendor knows.
    var count: Int { if case .tokens(let devices) = self { devices.count } else { 0 } }

    init(_ audience: Audience) throws(PushError) {
        switch audience {
        case .devices(let devices): self = .tokens(devices)
        case .tagged(let anyOf, let allOf, let noneOf):
            let only = anyOf.union(allOf)
            if noneOf.isEmpty, only.count == 1, let tag = only.first {
                self = .topic(tag.rawValue)
            } else {
                self = .condition(Self.condition(anyOf, allOf, noneOf))
            }
        case .everyone, .aliases, .accounts, .segment, .liveActivity, .file:
            throw PushError(.unsupported, "Huawei sends to devices and tags only", operation: .send)
        }
    }

    /// Parentheses say what belongs together, because no page says which operator binds tighter.
    private static func condition(_ anyOf: Set<Tag>, _ allOf: Set<Tag>, _ noneOf: Set<Tag>) -> String {
        func terms(_ tags: Set<Tag>) -> [String] { tags.sorted().map { "'\($0.rawValue)' in topics" } }
        let any = terms(anyOf)
        let alternatives = any.count > 1 ? ["(" + any.joined(separator: " || ") + ")"] : any
        return (alternatives + terms(allOf) + terms(noneOf).map { "!(\($0))" }).joined(separator: " && ")
    }
}
