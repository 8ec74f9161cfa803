import FoundationEssentials
public import PushAdapter

extension FCM {
    /// `POST /v1/projects/{project}/messages:send`, to one device, to the devices of a tag, or to a condition over
    /// tags.
    ///
    /// Refuses with `tooLong` a message with more than 4,096 bytes of texts and data, and a change of a Live Activity
    /// with a larger payload.
    func encode(_ message: Message, at now: Date) throws(PushError) -> Roles.SendRequest {
        let encoded = try FCMEncoder(now: now).encode(message)
        return { (audience, context) throws(PushError) in
            try exchange(.send, message, encoded, audience, context.key, isDryRun: false)
        }
    }

    /// The same call as a dry run: the vendor checks everything, including the target, and delivers nothing.
    public func validate(
        _ message: Message, to audience: Audience, in context: SendContext
    ) throws(PushError) -> Exchange<SendReceipt> {
        try exchange(
            .validate, message, try FCMEncoder(now: context.now).encode(message), audience, context.key,
            isDryRun: true)
    }

    /// A dry run to a topic. It succeeds exactly if the account may send in the project.
    public func probe() throws(PushError) -> Exchange<Void> {
        let message = Message(notification: Notification(body: "probe"))
        let encoded = try FCMEncoder(now: .distantPast).encode(message)
        let body = try encoded.body(to: .topic("pushbridge-probe"), isDryRun: true)
        return Exchange(
            .probeCredentials, sending(body), idempotency: .idempotent, charges: [QuotaCharge(.fcmSends)]
        ) { (response) throws(PushError) in _ = try Self.receipt(response) }
    }

    private func exchange(
        _ operation: Feature, _ message: Message, _ encoded: FCMEncoder.Encoded, _ audience: Audience,
        _ key: IdempotencyKey?, isDryRun: Bool
    ) throws(PushError) -> Exchange<SendReceipt> {
        guard key == nil else {
            throw PushError(.unsupported, "FCM takes no idempotency keys; leave the key out", operation: operation)
        }
        var exchange = Exchange(
            operation, sending(try encoded.body(to: try target(of: audience), isDryRun: isDryRun)),
            inputs: [
                .message(message), .audience(audience),
                .amount(encoded.payloadBytes, .payloadBytes, "the texts and data of the message"),
                .amount(encoded.appleBytes, .fcmAppleBytes, "the payload for Apple's devices"),
            ], idempotency: isDryRun || acceptsDuplicates ? .idempotent : .unkeyed,
            charges: [QuotaCharge(.fcmSends)], decode: Self.receipt)
        // The longest refusal lists the wrong fields of a message of 4 KiB.
        exchange.longestResponse = 16 << 10
        return exchange
    }

    private func sending(_ json: [UInt8]) -> WireRequest {
        WireRequest(.post, .fcm, path: ["projects", .literal(projectID), "messages:send"], body: .json(json))
    }

    /// Reads `{"name": "projects/p/messages/m"}`. A response without a name is not from the vendor.
    private static func receipt(_ response: WireResponse) throws(PushError) -> SendReceipt {
        let name = try response.json()["name"]?.stringValue ?? ""
        guard name.hasPrefix("projects/"), let slash = name.utf8.lastIndex(of: 0x2F),
            case let id = name[name.utf8.index(after: slash)...], !id.isEmpty
        else { throw PushError(unreadable: "the response names no message") }
        return SendReceipt(messageID: MessageID(String(id)))
    }

    // MARK: Targets

    private func target(of audience: Audience) throws(PushError) -> FCMTarget {
        switch audience {
        case .devices(let devices):
            guard let device = devices.first, devices.count == 1 else {
                throw PushError(.limitExceeded, "an FCM message has one target; send one for each device")
            }
            guard deviceIDs == .installations else { return .token(device.rawValue) }
            // FCM would report it as a deleted installation.
            guard !device.rawValue.contains(":") else {
                throw PushError(
                    .misconfigured,
                    "a device id has a colon, as registration tokens have and installation ids do not; set deviceIDs "
                        + "to tokens, or send to the two kinds through two clients")
            }
            return .installation(device.rawValue)
        case .tagged(let anyOf, let allOf, let noneOf):
            let only = anyOf.union(allOf)
            if noneOf.isEmpty, only.count == 1, let tag = only.first { return .topic(topic(tag)) }
            return .condition(condition(anyOf, allOf, noneOf))
        case .everyone, .aliases, .accounts, .segment, .liveActivity, .file:
            throw PushError(.unsupported, "FCM sends to devices and tags only", operation: .send)
        }
    }

    /// Puts the alternatives first, in parentheses: the vendor reads a condition from left to right, and `&&` binds no
    /// tighter than `||`.
    private func condition(_ anyOf: Set<Tag>, _ allOf: Set<Tag>, _ noneOf: Set<Tag>) -> String {
        func terms(_ tags: Set<Tag>) -> [String] { tags.sorted().map { "'\(topic($0))' in topics" } }
        let any = terms(anyOf)
        let alternatives = any.count > 1 ? ["(" + any.joined(separator: " || ") + ")"] : any
        return (alternatives + terms(allOf) + terms(noneOf).map { "!(\($0))" }).joined(separator: " && ")
    }

    func topic(_ tag: Tag) -> String { topicPrefix + PercentEncoding.encode(tag.rawValue) }
}
