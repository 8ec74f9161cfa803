/// A text that the app translates: a key of its own table of texts, and values for the placeholders there.
public struct LocalizedText: Sendable, Hashable {
    /// The key in the app's table.
    public var key: String
    /// The values for the placeholders, in order.
    public var arguments: [String]

    /// A text under this key.
    public init(_ key: String, arguments: [String] = []) {
        self.key = key
        self.arguments = arguments
    }
}

extension LocalizedText: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable { case key, arguments }

    public init(from decoder: any Decoder) throws {
        try StrictKeys.check(decoder, CodingKeys.allCases.map(\.rawValue))
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try container.decode(String.self, forKey: .key),
            arguments: try container.decodeIfPresent([String].self, forKey: .arguments) ?? [])
    }
}
