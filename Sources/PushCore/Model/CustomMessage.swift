/// Data delivered to the app without a notification ("pass-through", "transparent").
public struct CustomMessage: Sendable, Hashable {
    /// The content that the app receives.
    public var content: String
    /// A title for the app, nil for none.
    public var title: String?
    /// The app's own name for the kind of content.
    public var contentType: String?
    /// Data in addition to the content.
    public var extras: [String: JSONValue]

    /// Content for the app, with an optional title, type and additional data.
    public init(
        content: String, title: String? = nil, contentType: String? = nil, extras: [String: JSONValue] = [:]
    ) {
        self.content = content
        self.title = title
        self.contentType = contentType
        self.extras = extras
    }
}

extension CustomMessage: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable { case content, title, contentType, extras }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.object(of: CodingKeys.self)
        self.init(
            content: try container.decode(String.self, forKey: .content),
            title: try container.decodeIfPresent(String.self, forKey: .title),
            contentType: try container.decodeIfPresent(String.self, forKey: .contentType),
            extras: try container.decodeIfPresent([String: JSONValue].self, forKey: .extras) ?? [:])
    }
}
