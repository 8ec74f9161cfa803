import PushAdapter

/// The audience of a message in the vendor's fields.
struct XiaomiTarget {
    let audience: Audience
    let path: [PathSegment]
    let fields: [(name: String, value: String)]

    /// - Parameters:
    ///   - audience: the audience of the call.
    ///   - excluded: tags of the option `except`.
    init(_ audience: Audience, except excluded: [String]) throws(PushError) {
        self.audience = audience
        switch audience {
        case .everyone: (path, fields) = (Self.path("all"), [])
        case .devices(let devices):
            (path, fields) = (Self.path("regid"), Self.list("registration_id", devices.map(\.rawValue)))
        case .aliases(let aliases):
            (path, fields) = (Self.path("alias"), Self.list("alias", aliases.map(\.rawValue)))
        case .accounts(let accounts):
            (path, fields) = (["v2", "message", "user_account"], Self.list("user_account", accounts.map(\.name)))
        case .tagged(let anyOf, let allOf, let noneOf):
            let condition = try TopicCondition(anyOf, allOf, noneOf, except: excluded)
            (path, fields) = (Self.path(condition.topics.count == 1 ? "topic" : "multi_topic"), condition.fields)
            return
        case .segment, .liveActivity, .file:
            throw PushError(
                .unsupported, "Xiaomi sends to devices, aliases, accounts, tags and everyone only", operation: .send)
        }
        guard excluded.isEmpty else { throw TopicCondition.needsOneTag }
    }

    /// Whether the vendor knows the targets from the request, and so sends receipts for it.
    var isList: Bool { audience.targets != nil }

    private static func path(_ kind: String) -> [PathSegment] { ["v3", "message", .literal(kind)] }

    private static func list(_ name: String, _ targets: [String]) -> [(name: String, value: String)] {
        [(name, targets.joined(separator: ","))]
    }

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
    let topics: [String]
    private let operation: String

    static let needsOneTag = PushError(
        .invalidArgument, "the xiaomi option except needs an audience of one tag", operation: .send)
    private static let separator = ";$;"

    init(_ anyOf: Set<Tag>, _ allOf: Set<Tag>, _ noneOf: Set<Tag>, except excluded: [String]) throws(PushError) {
        guard noneOf.isEmpty else {
            throw PushError(
                .unsupported, "Xiaomi leaves out tags of one tag only; send to that tag, with the option except",
                operation: .send)
        }
        let named = anyOf.union(allOf).sorted().map(\.rawValue)
        guard excluded.isEmpty || named.count == 1 else { throw Self.needsOneTag }
        guard anyOf.isEmpty || allOf.isEmpty || named.count == 1 else {
            throw PushError(
                .unsupported, "Xiaomi takes any of some tags or all of them, not both; give one of the sets",
                operation: .send)
        }
        topics = named + excluded
        operation = excluded.isEmpty ? (allOf.isEmpty ? "UNION" : "INTERSECTION") : "EXCEPT"
        guard !topics.contains(where: { $0.contains(Self.separator) }) else {
            throw PushError(.invalidArgument, "a tag contains \(Self.separator), which separates tags at Xiaomi")
        }
    }

    var fields: [(name: String, value: String)] {
        guard topics.count != 1 else { return [("topic", topics[0])] }
        return [("topics", topics.joined(separator: Self.separator)), ("topic_op", operation)]
    }
}
