import JiguangDialect
public import PushAdapter

/// One of up to 500 different messages in a batch.
public struct EngageLabBatchItem: Sendable {
    /// The device or alias that gets the message. All targets of a batch are of one kind, and different.
    public var target: Target
    /// The target's message: a notification or a custom message.
    public var message: Message
    /// A key of kind push. If every item has one, the client retries after a lost response.
    public var key: IdempotencyKey?

    /// Creates an item: one message for one target.
    public init(target: Target, message: Message, key: IdempotencyKey? = nil) {
        self.target = target
        self.message = message
        self.key = key
    }
}

/// The result for one message of a batch, or for one app of a group push.
public struct EngageLabItemResult: Sendable {
    /// The message id.
    public var message: MessageID?
    /// Why the vendor refused the message; nil if it accepted it.
    public var error: PushError?

    /// The same result as a status of a send report.
    public var status: TargetStatus {
        switch error?.effect {
        case nil, .applied: .accepted
        case .unknown: .unknown
        case .notApplied: .rejected(mayRetry: error?.retry.isAdvised ?? false)
        }
    }
}

/// The result of a batch.
public struct EngageLabBatchReceipt: Sendable {
    /// Results by target, for all targets of the batch.
    public var results: [Target: EngageLabItemResult]
    /// Whether the batch hit the rate limit per second. You may send again to the targets that the limit stopped.
    public var wasRateLimited: Bool
}

extension EngageLab {
    /// `POST /v4/batch/push/regid` or `.../alias`: sends a different message to each device, or to each alias.
    ///
    /// Costs one request, and one call of the quota per target. Returns a result for each target, because the vendor
    /// may accept some and refuse others. Refuses more than 500 items, a duplicate target or key, targets of two kinds,
    /// and contents other than a notification or a custom message.
    public func sendBatch(_ items: [EngageLabBatchItem]) throws(PushError) -> Exchange<EngageLabBatchReceipt> {
        let targets = items.map(\.target)
        guard Set(targets).count == items.count, let audience = Audience(targets) else {
            throw PushError(
                .invalidArgument, "a batch goes only to devices or only to aliases, each listed once")
        }
        let kind: PathSegment
        switch audience {
        case .devices: kind = "regid"
        case .aliases: kind = "alias"
        default: throw PushError(.unsupported, "EngageLab has no accounts; use aliases")
        }
        let keys = items.compactMap(\.key)
        guard Set(keys.map(\.value)).count == keys.count else {
            throw PushError(
                .invalidArgument, "two messages of the batch have the same key; the vendor would not send the second")
        }
        let encoder = EngageLabEncoder(self)
        var inputs: [Input] = [.count(items.count, .engageLabBatch, "the messages of a batch"), .audience(audience)]
        let body = try JSONWriter.object(reserving: 1024) { (json) throws(PushError) in
            try json.field("requests") { (json) throws(PushError) in
                try json.array { (json) throws(PushError) in
                    for item in items {
                        try item.key.check(.push)
                        inputs += try encoder.writeSingle(
                            item.message, to: item.target.text, key: item.key?.value, &json)
                    }
                }
            }
        }
        // The first key to expire decides how long a retry is harmless.
        let oldest = keys.count == items.count ? keys.min { $0.expiresAt < $1.expiresAt } : nil
        return api.call(
            .engageLabSendBatch,
            WireRequest(.post, .engageLab, path: ["batch", "push", kind], body: .json(body)),
            oldest.map(Idempotency.keyed) ?? .unkeyed, cost: items.count, checking: inputs
        ) { (response) throws(PushError) in
            let reply = try response.json(BatchReply.self)
            return EngageLabBatchReceipt(
                results: Dictionary(
                    uniqueKeysWithValues: targets.map { target in
                        (target, reply.results[target.text]?.value?.result ?? ItemReply.unreadable)
                    }),
                wasRateLimited: reply.rate?.occurred ?? false)
        }
    }
}

private struct BatchReply: Decodable {
    struct Rate: Decodable {
        var occurred: Bool?
        private enum CodingKeys: String, CodingKey { case occurred = "rate_limit_occurred" }
    }

    var results: [String: Lenient<ItemReply>]
    var rate: Rate?

    private enum CodingKeys: String, CodingKey {
        case results
        case rate = "rate_limit_info"
    }
}

/// One result in a response that is a success as a whole. Its error has either of the vendor's forms.
struct ItemReply: Decodable {
    private struct Detail: Decodable {
        var code: Int?
        var message: String?
    }

    private var messageID: WireText?
    private var success: Bool?
    private var error: Detail?
    private var code: Int?
    private var message: String?

    private enum CodingKeys: String, CodingKey {
        case success, error, code, message
        case messageID = "msg_id"
    }

    var result: EngageLabItemResult {
        let id = messageID.flatMap { $0.text.isEmpty ? nil : MessageID($0.text) }
        let code = VendorCode(error?.code ?? code ?? 0)
        guard code != 0 else {
            return id == nil || success == false || error != nil ? Self.unreadable : EngageLabItemResult(message: id)
        }
        let detail = VendorDetail(code: code, message: error?.message ?? message, messageID: id, httpStatus: 200)
        return EngageLabItemResult(message: id, error: EngageLabErrors.error(code, detail))
    }

    /// The result of a part that the response does not describe readably.
    static let unreadable = EngageLabItemResult(
        error: PushError(
            .malformedResponse, "the response has no readable result for this part", retry: .never, effect: .unknown))
}
