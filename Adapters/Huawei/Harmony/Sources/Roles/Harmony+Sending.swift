import FoundationEssentials
import HuaweiDialect
import PushAdapter

extension HTTPField.Name {
    fileprivate static let pushType = HTTPField.Name("push-type")
}

extension Harmony {
    /// `POST /v3/{project}/messages:send`, to at most 1,000 devices.
    func encode(_ message: Message, at now: Date) throws(PushError) -> Roles.SendRequest {
        let encoded = try HarmonyEncoder(capabilities: capabilities, defaultTitle: defaultTitle).encode(message)
        return { (audience, context) throws(PushError) in
            guard case .devices(let devices) = audience else {
                throw PushError(.unsupported, "HarmonyOS sends to devices only", operation: .send)
            }
            return try exchange(
                .send, encoded, devices, [.message(message), .audience(audience)], key: context.key)
        }
    }

    /// A send of any kind.
    func exchange(
        _ operation: Feature, _ message: HarmonyMessage, _ devices: [DeviceID], _ inputs: [Input],
        key: IdempotencyKey? = nil
    ) throws(PushError) -> Exchange<SendReceipt> {
        // Devices recognize repeated notifications only.
        let key = message.type == .alert ? key : nil
        let (body, size) = try message.body(to: devices, key: key)
        let isSafe = message.isVersioned || message.type == .form
        let tests = message.isTest ? [Input.count(devices.count, .harmonyTestDevices, "a test message's devices")] : []
        var exchange = Exchange(
            operation, request(["v3", .literal(projectID), "messages:send"], message.type, body),
            inputs: inputs + [.amount(size, .payloadBytes, "the message without its tokens")] + tests,
            idempotency: key.map(Idempotency.keyed) ?? (isSafe ? .idempotent : .unkeyed),
            charges: HuaweiTables.charges(
                devices.count, test: message.isTest ? .harmonyTests : nil, capabilities), decode: Self.receipt)
        // A refusal may list a thousand tokens.
        exchange.longestResponse = 1 << 20
        return exchange
    }

    /// A request with the header field that names the kind of message.
    func request(_ path: [PathSegment], _ type: HarmonyPushType, _ body: [UInt8]) -> WireRequest {
        var headers = HTTPFields()
        if let name = HTTPField.Name.pushType { headers[name] = String(type.rawValue) }
        return WireRequest(.post, .harmony, path: path, headers: headers, body: .json(body))
    }

    /// Reads an accepted send, with the tokens that the vendor refused by their reasons.
    static func receipt(_ response: WireResponse) throws(PushError) -> SendReceipt {
        try HuaweiReply.receipt(response) { reply in
            HarmonyReasons.tokens(in: reply).mapValues { HarmonyReasons.status(of: $0) }
        }
    }
}
