import PushAdapter

/// The audience of a message in the vendor's fields.
struct VivoTarget {
    let audience: Audience
    /// The last part of the path.
    let call: PathSegment
    /// The fields of the body.
    let fields: [String: JSONValue]

    /// - Parameters:
    ///   - audience: the audience of the call.
    ///   - excluded: tags of the option `except`.
    init(_ audience: Audience, except excluded: [String]) throws(PushError) {
        self.audience = audience
        switch audience {
        case .everyone: (call, fields) = ("all", [:])
        case .devices(let devices): (call, fields) = ("send", try Self.only("regId", devices))
        case .aliases(let aliases): (call, fields) = ("send", try Self.only("alias", aliases))
        case .tagged(let anyOf, let allOf, let noneOf):
            (call, fields) = ("tagPush", try Self.expression(anyOf, allOf, noneOf, except: excluded))
            return
        case .accounts, .segment, .liveActivity, .file:
            throw PushError(
                .unsupported, "vivo sends to devices, aliases, tags and everyone only", operation: .send)
        }
        guard excluded.isEmpty else {
            throw PushError(
                .invalidArgument, "the vivo option except needs an audience of tags", operation: .send)
        }
    }

    /// Whether the request has one target, and so gets receipts.
    var isSingle: Bool { audience.targets != nil }

    private static func only(_ name: String, _ targets: [some TextIdentifier]) throws(PushError) -> [String: JSONValue]
    {
        guard let target = targets.first, targets.count == 1 else {
            throw PushError(.limitExceeded, "vivo takes one target in a request; give one", operation: .send)
        }
        return [name: .string(target.rawValue)]
    }

    private static func expression(
        _ anyOf: Set<Tag>, _ allOf: Set<Tag>, _ noneOf: Set<Tag>, except excluded: [String]
    ) throws(PushError) -> [String: JSONValue] {
        guard noneOf.isEmpty, !anyOf.isEmpty || !allOf.isEmpty else {
            throw PushError(
                .unsupported, "vivo leaves out tags of other tags only; send to those, with the option except",
                operation: .send)
        }
        let sets = [
            "orTags": anyOf.sorted().map(\.rawValue), "andTags": allOf.sorted().map(\.rawValue), "notTags": excluded,
        ]
        return [
            "tagExpression": .object(sets.filter { !$0.value.isEmpty }.mapValues { .array($0.map(JSONValue.string)) })
        ]
    }
}
