extension MessageClass {
    /// A text that phone makers have approved, with the values for its gaps. Devices of other makers show the
    /// notification's own text.
    ///
    /// ```swift
    /// Template(ids: ["xiaomi": "P10086"], bodyValues: ["order": "4711"])
    /// ```
    public struct Template: Sendable, Hashable {
        /// The id of the template at each phone maker that has one.
        public var ids: [ProviderID: String]
        /// Values for the title, by the names of its gaps.
        public var titleValues: [String: String]
        /// Values for the text, by the names of its gaps.
        public var bodyValues: [String: String]

        /// A template with its id at each maker, and the values for its gaps.
        public init(
            ids: [ProviderID: String], titleValues: [String: String] = [:], bodyValues: [String: String] = [:]
        ) {
            self.ids = ids
            self.titleValues = titleValues
            self.bodyValues = bodyValues
        }
    }
}

extension MessageClass.Template: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable { case ids, titleValues, bodyValues }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.object(of: CodingKeys.self)
        let ids = try container.decode([String: String].self, forKey: .ids)
        self.init(
            ids: Dictionary(uniqueKeysWithValues: ids.map { (ProviderID($0.key), $0.value) }),
            titleValues: try container.decodeIfPresent([String: String].self, forKey: .titleValues) ?? [:],
            bodyValues: try container.decodeIfPresent([String: String].self, forKey: .bodyValues) ?? [:])
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        let named = ids.map { ($0.key.rawValue, $0.value) }
        try container.encode(Dictionary(uniqueKeysWithValues: named), forKey: .ids)
        if !titleValues.isEmpty { try container.encode(titleValues, forKey: .titleValues) }
        if !bodyValues.isEmpty { try container.encode(bodyValues, forKey: .bodyValues) }
    }
}
