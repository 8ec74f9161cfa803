package import PushAdapter

/// Users of an app in one hour, day or month: `{"time", "android": {...}, "ios": {...}}`.
package struct UserRow<Counts: Decodable & Sendable>: Decodable, Sendable {
    package let time: String
    package let platforms: [String: Counts]

    private enum CodingKeys: CodingKey { case time }

    package init(from decoder: any Decoder) throws {
        time = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .time)
        let fields = try decoder.singleValueContainer().decode([String: Lenient<Counts>].self)
        platforms = fields.compactMapValues(\.value)
    }

    /// Reads a report.
    package static func rows(_ response: WireResponse) throws(PushError) -> [UserRow] {
        try response.json(UserReply<UserRow>.self).items
    }
}

extension [QueryItem] {
    /// A number of time units from the first one.
    package static func span(_ unit: String, from start: String, count: Int) -> [QueryItem] {
        [QueryItem("time_unit", unit), QueryItem("start", start), QueryItem("duration", String(count))]
    }
}

private struct UserReply<Row: Decodable>: Decodable {
    var items: [Row]
}
