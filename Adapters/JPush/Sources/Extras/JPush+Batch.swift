import JiguangDialect
public import PushAdapter

/// One of up to 1000 different messages in a batch.
public struct JPushBatchItem: Sendable {
    /// A key of kind push. Identifies the item in the batch and in the result.
    public var key: IdempotencyKey
    /// The device or alias that gets the message. All targets of a batch are of one kind.
    public var target: Target
    /// The target's message. It may not be a live activity or an in-app message.
    public var message: Message

    /// Creates an item: one message for one target, under a key that no other item of the batch uses.
    public init(key: IdempotencyKey, target: Target, message: Message) {
        self.key = key
        self.target = target
        self.message = message
    }
}

/// The result for one message of a batch, or for one app of a group push.
public struct JPushItemResult: Sendable {
    /// The message's id. The vendor allocates one even for some refused messages.
    public var message: MessageID?
    /// Why the vendor refused the message; nil if it accepted it.
    public var error: PushError?

    /// The same result as a status of a send report.
    public var status: TargetStatus {
        switch error?.effect {
        case nil, .applied: .accepted
        case .unknown: .unknown
        case .notApplied:
            error?.vendor?.targets.values.first ?? .rejected(mayRetry: error?.retry.isAdvised ?? false)
        }
    }
}

extension JPush {
    /// `POST /v3/push/batch/regid/single` or `.../alias/single`: sends a different message to each device or alias.
    ///
    /// Costs one request for all items. Returns a result for each key, because the vendor may accept some items and
    /// refuse others. Takes 1 to 1000 items with different keys and targets of one kind. A batch cannot use settings of
    /// a whole push (a custom audience, `inapp_message`). Needs a contract.
    public func sendBatch(_ items: [JPushBatchItem]) throws(PushError) -> Exchange<[IdempotencyKey: JPushItemResult]> {
        let keys = Dictionary(items.map { ($0.key.value, $0.key) }, uniquingKeysWith: { first, _ in first })
        // The same vendor minted all keys, so the first key to expire decides how long a retry is harmless.
        guard let oldest = keys.values.min(by: { $0.expiresAt < $1.expiresAt }), keys.count == items.count else {
            throw PushError(.invalidArgument, "a batch needs a message, and a different key for each; mint the keys")
        }
        guard keys.values.allSatisfy({ $0.kind == .push }) else {
            throw PushError(.invalidArgument, "a batch needs keys of kind push")
        }
        let audience = Audience(items.map(\.target))
        let kind: PathSegment
        switch audience {
        case .devices: kind = "regid"
        case .aliases: kind = "alias"
        default: throw PushError(.invalidArgument, "a batch goes only to devices or only to aliases")
        }
        let encoder = JPushEncoder(capabilities)
        let body = try JSONWriter.object { (json) throws(PushError) in
            try json.object("pushlist") { (json) throws(PushError) in
                for item in items {
                    json.field(item.key.value, encoded: try encoder.single(item.message, to: item.target.text))
                }
            }
        }
        var exchange = api.call(
            .jpushSendBatch, WireRequest(.post, .jpushPush, path: ["batch", kind, "single"], body: .json(body)),
            .keyed(oldest), checking: [.count(items.count, .jpushBatch, "the messages of a batch")]
        ) { (response) throws(PushError) in
            let rows = try ItemReply.read(response)
            return Dictionary(
                uniqueKeysWithValues: keys.map { text, key in (key, rows[text] ?? ItemReply.unreadable) })
        }
        exchange.inputs += (audience.map { [.audience($0)] } ?? []) + items.map { .message($0.message) }
        return exchange
    }
}

/// One result in a response that is a success as a whole.
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
        let code = VendorCode(error.code)
        let detail = VendorDetail(
            code: code, message: error.message, messageID: message, httpStatus: 200,
            targets: .invalid(error.invalidTargets ?? []))
        return JPushItemResult(message: message, error: JPushErrors.error(code, on: .push, detail))
    }

    /// The result of a part that the response does not describe readably.
    static let unreadable = JPushItemResult(
        error: PushError(
            .malformedResponse, "the response has no readable result for this part", retry: .never, effect: .unknown))

    /// Reads the rows of an object and ignores its texts and numbers. Refuses an object without rows.
    static func read(_ response: WireResponse) throws(PushError) -> [String: JPushItemResult] {
        let rows = try response.json([String: Row].self).compactMapValues(\.result)
        guard !rows.isEmpty else {
            throw PushError(
                .malformedResponse, "the response has no result", effect: .unknown,
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
