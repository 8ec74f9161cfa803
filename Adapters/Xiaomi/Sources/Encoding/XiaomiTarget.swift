import PushAdapter

/// The audience of a message in the vendor's fields.
struct XiaomiTarget {
    let audience: Audience
    /// The last segment of the address and the version before it.
    let path: [PathSegment]
    let fields: [(name: String, value: String)]
    /// The topics of a condition.
    let topics: Int

    /// Between the topics of a condition.
    private static let separator = ";$;"

    /// - Parameters:
    ///   - audience: the audience of the call.
    ///   - excluded: tags of the option `except`.
    init(_ audience: Audience, except excluded: [String]) throws(PushError) {
        self.audience = audience
        var (version, kind, topics): (PathSegment, String, [String]) = ("v3", "", [])
        switch audience {
        case .everyone: (kind, fields) = ("all", [])
        case .devices(let devices):
            (kind, fields) = ("regid", [("registration_id", Self.list(devices.map(\.rawValue)))])
        case .aliases(let aliases): (kind, fields) = ("alias", [("alias", Self.list(aliases.map(\.rawValue)))])
        case .accounts(let accounts):
            (version, kind, fields) = ("v2", "user_account", [("user_account", Self.list(accounts.map(\.name)))])
        case .tagged(let anyOf, let allOf, let noneOf):
            let condition = try TopicCondition(anyOf, allOf, noneOf, except: excluded)
            topics = condition.topics
            guard !topics.contains(where: { $0.contains(Self.separator) }) else {
                throw PushError(.invalidArgument, "a tag contains \(Self.separator), which separates tags at Xiaomi")
            }
            (kind, fields) =
                topics.count == 1
                ? ("topic", [("topic", topics[0])])
                : (
                    "multi_topic",
                    [("topics", topics.joined(separator: Self.separator)), ("topic_op", condition.operation)]
                )
        case .segment, .liveActivity, .file:
            throw PushError(
                .unsupported, "Xiaomi sends to devices, aliases, accounts, tags and everyone only", operation: .send)
        }
        guard excluded.isEmpty || !topics.isEmpty else {
            throw PushError(.invalidArgument, "the xiaomi option except needs an audience of one tag")
        }
        (path, self.topics) = ([version, "message", .literal(kind)], topics.count)
    }

    /// Whether the vendor knows the targets from the request, and so sends receipts for it.
    var isList: Bool { audience.targets != nil }

    private static func list(_ targets: [String]) -> String { targets.joined(separator: ",") }

    /// A comma would make two targets of one. The vendor has no types of accounts.
    static func refusal(_ target: Target) -> PushError? {
        if case .account(let account) = target, account.type != nil {
            return PushError(.unsupported, "Xiaomi has no types of accounts; leave the type out")
        }
        guard target.text.contains(",") else { return nil }
        return PushError(.invalidArgument, "the target contains a comma, which separates targets at Xiaomi")
    }
}

/// A condition over topics: the vendor takes one operation.
private struct TopicCondition {
    let operation: String
    let topics: [String]

    init(_ anyOf: Set<Tag>, _ allOf: Set<Tag>, _ noneOf: Set<Tag>, except excluded: [String]) throws(PushError) {
        guard noneOf.isEmpty else {
            throw PushError(
                .unsupported, "Xiaomi leaves out tags of one tag only; send to that tag, with the option except",
                operation: .send)
        }
        let named = anyOf.union(allOf).sorted().map(\.rawValue)
        guard excluded.isEmpty || named.count == 1 else {
            throw PushError(.invalidArgument, "the xiaomi option except needs an audience of one tag")
        }
        guard anyOf.isEmpty || allOf.isEmpty || named.count == 1 else {
            throw PushError(
                .unsupported, "Xiaomi takes any of some tags or all of them, not both; give one of the sets",
                operation: .send)
        }
        operation = excluded.isEmpty ? (allOf.isEmpty ? "UNION" : "INTERSECTION") : "EXCEPT"
        topics = named + excluded
    }
}
