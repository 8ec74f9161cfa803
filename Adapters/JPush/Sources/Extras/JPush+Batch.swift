public import PushCore

/// One of up to 1000 different messages in a batch.
public struct JPushBatchItem: Sendable {
    /// A key of kind push: the batch and its answer go by it.
    public var key: IdempotencyKey
    /// The device or alias that the message goes to; all items of a batch have targets of one kind.
    public var target: Target
    /// What the target gets; neither a live activity nor a message inside the app.
    public var message: Message

    /// One message for one target, under a key that no other item of the batch has.
    public init(key: IdempotencyKey, target: Target, message: Message) {
        self.key = key
        self.target = target
        self.message = message
    }
}

/// What became of one message of a batch, or of one app of a group push.
public struct JPushItemResult: Sendable {
    /// Also allocated for some that were refused.
    public var message: MessageID?
    /// Why it was refused; nil when it was accepted.
    public var error: PushError?

    /// The same in the words of a send's report.
    public var status: TargetStatus {
        switch error?.effect {
        case nil, .applied: .accepted
        case .unknown: .unknown
        case .notApplied:
            error?.vendor?.invalidTargets.isEmpty == false
                ? .invalid : .rejected(mayRetry: error?.retry.isAdvised ?? false)
        }
    }
}

extension JPush {
    /// `POST /v3/push/batch/regid/single` or `.../alias/single`: different messages to single devices, or to single
    /// aliases.
    ///
    /// Costs one request for all. The answer has a result for each key: some may be accepted and others refused. Takes
    /// 1 to 1000 items with different keys and targets of one kind. Needs a contract. What belongs to a whole push
    /// alone (a custom audience, `inapp_message`) is not possible here.
    public func sendBatch(_ items: [JPushBatchItem]) throws(PushError) -> Exchange<[IdempotencyKey: JPushItemResult]> {
        let keys = Dictionary(items.map { ($0.key.value, $0.key) }, uniquingKeysWith: { first, _ in first })
        // All keys were minted by the same vendor: the one that dies first decides how long a repetition is harmless.
        guard let oldest = keys.values.min(by: { $0.expiresAt < $1.expiresAt }), keys.count == items.count else {
            throw PushError(.invalidArgument, "a batch has a message, and a key of its own for each; mint them")
        }
        guard keys.values.allSatisfy({ $0.kind == .push }) else {
            throw PushError(.invalidArgument, "a batch needs keys of kind push")
        }
        let audience = Audience(items.map(\.target))
        let kind: PathSegment
        switch audience {
        case .devices: kind = "regid"
        case .aliases: kind = "alias"
        default: throw PushError(.invalidArgument, "a batch goes to devices or to aliases, not to both or others")
        }
        let encoder = JPushEncoder(capabilities.limits)
        let body = try JSONWriter.bytes { (json) throws(PushError) in
            try json.object { (json) throws(PushError) in
                try json.field("pushlist") { (json) throws(PushError) in
                    try json.object { (json) throws(PushError) in
                        for item in items {
                            json.field(item.key.value, encoded: try encoder.single(item.message, to: item.target.text))
                        }
                    }
                }
            }
        }
        var exchange = call(
            .jpushSendBatch, WireRequest(.post, .jpushPush, path: ["batch", kind, "single"], body: .json(body)),
            .keyed(oldest), from: .jpushPush, checking: [.count(items.count, .jpushBatch, "the messages of a batch")]
        ) { (response) throws(PushError) in
            let rows = try ItemReply.read(response)
            return Dictionary(
                uniqueKeysWithValues: keys.map { text, key in (key, rows[text] ?? ItemReply.unreadable) })
        }
        exchange.inputs += (audience.map { [.audience($0)] } ?? []) + items.map { .message($0.message) }
        return exchange
    }
}

/// One result inside an answer that is a success as a whole.
struct ItemReply: Decodable {
    private var messageID: WireText?
    private var error: Detail?

    private struct Detail: Decodable {
        var code: Int
        var message: String?
        var invalidTargets: [String]?

        enum CodingKeys: String, CodingKey {
            case code, message
            case invalidTargets = "illegal_rids"
        }
    }

    private enum CodingKeys: String, CodingKey {
        case error
        case messageID = "msg_id"
    }

    private var result: JPushItemResult {
        let message = messageID.map { MessageID($0.text) }
        guard let error, error.code != 0 else {
            return message == nil ? Self.unreadable : JPushItemResult(message: message)
        }
        let detail = VendorDetail(
            code: error.code, message: error.message, messageID: message, httpStatus: 200,
            invalidTargets: error.invalidTargets ?? [])
        return JPushItemResult(message: message, error: JPushErrors.error(error.code, on: .push, detail))
    }

    /// For a part about which the answer says nothing that can be read.
    static let unreadable = JPushItemResult(
        error: PushError(
            .malformedResponse, "the answer says nothing readable about this part", retry: .never, effect: .unknown))

    /// The rows of an object, whose texts and numbers are passed over; refuses one without any row.
    static func read(_ response: WireResponse) throws(PushError) -> [String: JPushItemResult] {
        let rows = try response.json([String: Row].self).compactMapValues(\.result)
        guard !rows.isEmpty else {
            throw PushError(
                .malformedResponse, "the answer has no result", effect: .unknown,
                vendor: VendorDetail(httpStatus: response.status, body: response.body))
        }
        return rows
    }

    private struct Row: Decodable {
        let result: JPushItemResult?

        init(from decoder: any Decoder) throws {
            guard (try? decoder.container(keyedBy: CodingKeys.self)) != nil else {
                result = nil
                return
            }
            result = (try? ItemReply(from: decoder))?.result ?? ItemReply.unreadable
        }
    }
}
