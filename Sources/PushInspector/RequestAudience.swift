import PushAdapter
import PushSimulation

/// The recipients of a request, as far as they are easy to see.
struct RequestAudience: Sendable {
    /// For people: `registration_id: 190e… and 2 more`.
    let words: String

    /// Nil for a request that does not say, or says it in an unusual place.
    init?(_ request: SimulatedRequest, _ hiding: InspectorRedaction) {
        guard let words = Self.body(of: request, hiding) ?? Self.path(of: request) else { return nil }
        self.words = String(hiding.text(words).prefix(Self.longest))
    }

    private static let longest = 160
    private static let collections: Set<String> = ["devices", "device", "aliases", "alias", "tags"]

    private static func body(of request: SimulatedRequest, _ hiding: InspectorRedaction) -> String? {
        guard request.body.count <= InspectorRedaction.longestBody, let body = try? JSONValue(parsing: request.body)
        else {
            return nil
        }
        let json = hiding.value(body)
        if let audience = json["audience"] ?? json["to"] { return words(of: audience) }
        for key in ["token", "topic", "condition"] {
            if let target = json["message"]?[key] ?? json["target"]?[key] { return "\(key): \(words(of: target))" }
        }
        guard let type = json["audience_type"]?.stringValue else { return nil }
        for key in ["token_list", "account_list", "tag_list", "tag_rules"] {
            if let list = json[key] { return "\(type): \(words(of: list))" }
        }
        return type
    }

    private static func path(of request: SimulatedRequest) -> String? {
        guard let path = request.segments else { return nil }
        for (index, word) in path.enumerated().dropLast() {
            if collections.contains(word) { return "\(word): \(path[index + 1])" }
        }
        return nil
    }

    private static func words(of value: JSONValue) -> String {
        switch value {
        case .string(let text): return text
        case .array(let items):
            let first = items.prefix(3).map { words(of: $0) }.joined(separator: ", ")
            return items.count > 3 ? "\(first) and \(items.count - 3) more" : first
        case .object(let fields):
            return fields.sorted { $0.key < $1.key }.filter { $0.value != .null }
                .map { "\($0.key): \(words(of: $0.value))" }.joined(separator: "; ")
        default: return value.shown
        }
    }
}
