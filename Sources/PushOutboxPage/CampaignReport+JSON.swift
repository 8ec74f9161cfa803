import FoundationEssentials
import PushAdapter
import PushOutbox
import PushPages

extension CampaignReport {
    /// The campaign as a list shows it, without its message and its targets.
    var fields: [String: JSONValue] {
        [
            "name": .string(campaign.name.rawValue), "state": .string("\(progress.state)"),
            "priority": .string("\(campaign.options.priority)"), "reason": .init(text: progress.reason),
            "needsPerson": .bool(progress.needsPerson), "isEnded": .bool(progress.state.isEnded),
            "enqueued": campaign.createdAt.json, "expires": campaign.expiresAt?.json ?? .null,
            "ended": campaign.endedAt?.json ?? .null, "targets": JSONValue(progress.total),
            "open": JSONValue(progress.open), "resent": JSONValue(progress.resent),
            "outcomes": Self.counts(progress.targets), "slices": Self.counts(progress.slices),
            "parts": .array(campaign.parts.prefix(Self.mostParts).map { json($0) }),
            "partCount": JSONValue(campaign.parts.count),
        ]
    }

    /// The same, and why targets wait.
    func json(_ waits: [Wait]) -> JSONValue {
        var fields = fields
        fields["waits"] = .array(waits.prefix(Self.mostWaits).map(\.json))
        fields["waitCount"] = JSONValue(waits.count)
        return .object(fields)
    }

    private static let mostParts = 20
    private static let mostWaits = 50

    private func json(_ part: Campaign.Part) -> JSONValue {
        [
            "number": JSONValue(part.number), "route": .string(part.route.rawValue),
            "notBefore": progress.state.isEnded ? .null : part.notBefore.json,
            "pausedFor": .init(text: progress.pausedParts[part.number]),
        ]
    }

    private static func counts<Key: Hashable>(_ counts: [Key: Int]) -> JSONValue {
        .object(
            Dictionary(counts.map { ("\($0.key)", JSONValue($0.value)) }, uniquingKeysWith: { first, _ in first }))
    }
}

extension CampaignReport.Wait {
    fileprivate var json: JSONValue {
        [
            "part": JSONValue(part), "route": .string(route.rawValue), "reason": .string(reason),
            "targets": JSONValue(targets), "mayHaveBeenSent": JSONValue(mayHaveBeenSent),
            "attempts": JSONValue(attempts), "isQuarantined": .bool(isQuarantined),
            "nextTry": nextTry?.json ?? .null, "repeatedUntil": repeatedUntil?.json ?? .null,
        ]
    }
}
