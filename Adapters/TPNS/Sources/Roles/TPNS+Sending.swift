import FoundationEssentials
import PushAdapter

extension TPNS {
    /// `POST /v3/push/app`. One request for any number of targets. The vendor has no idempotency keys, so the client
    /// does not retry after a lost response.
    ///
    /// A list takes accounts of one type. A message takes a notification or a custom message, not both.
    func encode(_ message: Message, at now: Date) throws(PushError) -> Roles.SendRequest {
        let encoded = try TPNSEncoder(tpns: self).encode(message)
        return { (audience, context) throws(PushError) in
            guard context.key == nil else {
                throw PushError(.unsupported, "TPNS has no idempotency keys; send without one", operation: .send)
            }
            let target = try PushTarget(audience, encoded.options, self)
            return call(
                .send, ["push", "app"], .json(try encoded.push(to: target)), .unkeyed,
                from: target.isBroad ? .tpnsBroadcast : nil,
                checking: [.message(message), .audience(audience)] + Self.totals(of: audience)
            ) { (response) throws(PushError) in
                let reply = try response.tpns(PushReply.self)
                return SendReceipt(messageIDs: reply.ids, invalidTargets: reply.invalidTargets)
            }
        }
    }

    /// All sets of tags share one limit.
    private static func totals(of audience: Audience) -> [Input] {
        guard case .tagged(let anyOf, let allOf, let noneOf) = audience else { return [] }
        return [.amount(anyOf.count + allOf.count + noneOf.count, .tagsPerSend, "the tags of the audience")]
    }
}

/// The response to a push.
private struct PushReply: Decodable {
    /// One id as text or number; for a loop, a list of ids.
    let ids: [MessageID]
    let invalidTargets: [String]

    private enum CodingKeys: String, CodingKey {
        case id = "push_id"
        // The vendor's own spelling.
        case invalidTargets = "invalid_targe_list"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let list = try? container.decode([WireText].self, forKey: .id) {
            ids = list.map { MessageID($0.text) }
        } else {
            ids = [try container.decode(WireText.self, forKey: .id)].filter { !$0.text.isEmpty }
                .map { MessageID($0.text) }
        }
        invalidTargets = try container.decodeIfPresent([String].self, forKey: .invalidTargets) ?? []
    }
}

/// The audience of a push, in the vendor's categories.
enum PushTarget {
    case everyone
    case rules([TPNSTagRule])
    case devices([DeviceID])
    case accounts([String], type: Int)
    case package(TPNSPackage)

    init(_ audience: Audience, _ options: TPNSOptions?, _ tpns: TPNS) throws(PushError) {
        if let rules = options?.tagRules {
            guard case .everyone = audience else {
                throw PushError(.invalidArgument, "tag rules replace the audience; send the message to everyone")
            }
            self = .rules(rules)
            return
        }
        switch audience {
        case .everyone: self = .everyone
        case .devices(let devices): self = .devices(devices)
        case .accounts(let accounts):
            let types = Set(accounts.compactMap(\.type))
            guard types.count == 1, let type = types.first, type >= 0 else {
                throw PushError(
                    .invalidArgument,
                    "the accounts of a push must be of one type, 0 or more, and name it; send one push for each type")
            }
            self = .accounts(accounts.map(\.name), type: type)
        case .aliases(let aliases):
            guard let type = tpns.aliasAccountType else {
                throw PushError(
                    .unsupported, "TPNS has no aliases, only accounts; set aliasAccountType", operation: .send)
            }
            self = .accounts(aliases.map(\.rawValue), type: type)
        case .tagged(let anyOf, let allOf, let noneOf):
            self = .rules([Self.rule(anyOf, allOf, noneOf)])
        case .file(let id): self = .package(try TPNSPackage(reading: id))
        case .segment, .liveActivity:
            throw PushError(.unsupported, "TPNS cannot send to segments or Live Activities", operation: .send)
        }
    }

    /// Whether the vendor's limit of one push per second applies.
    var isBroad: Bool {
        switch self {
        case .everyone, .rules, .package: true
        case .devices, .accounts: false
        }
    }

    /// One condition for each set. All conditions must hold.
    private static func rule(_ anyOf: Set<Tag>, _ allOf: Set<Tag>, _ noneOf: Set<Tag>) -> TPNSTagRule {
        let sets: [(tags: Set<Tag>, tagsOperator: TPNSOperator, isNegated: Bool)] = [
            (anyOf, .or, false), (allOf, .and, false), (noneOf, .or, true),
        ]
        return TPNSTagRule(
            sets.filter { !$0.tags.isEmpty }.map { set in
                TPNSTagItem(
                    .custom, set.tags.sorted().map(\.rawValue), set.tagsOperator, isNegated: set.isNegated)
            })
    }
}
