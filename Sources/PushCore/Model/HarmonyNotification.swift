/// What a notification says or does differently on HarmonyOS; nil uses the notification's own value.
public struct HarmonyNotification: Sendable, Hashable {
    /// The title, above the text.
    public var title: String?
    /// The text.
    public var body: String?
    /// Huawei's category of the message, which Huawei demands.
    public var category: String?
    /// What a tap opens: a deep link, or the name of an action.
    public var intentURL: String?
    /// A sound of the app.
    public var sound: String?
    /// Added to the badge, from 1 to 99.
    public var badgeIncrement: Int?
    /// Data for the app.
    public var extras: [String: JSONValue]?

    /// The differences on HarmonyOS; omitted values do not differ.
    public init(
        title: String? = nil, body: String? = nil, category: String? = nil, intentURL: String? = nil,
        sound: String? = nil, badgeIncrement: Int? = nil, extras: [String: JSONValue]? = nil
    ) {
        self.title = title
        self.body = body
        self.category = category
        self.intentURL = intentURL
        self.sound = sound
        self.badgeIncrement = badgeIncrement
        self.extras = extras
    }
}

extension HarmonyNotification: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case title, body, category, intentURL, sound, badgeIncrement, extras
    }

    public init(from decoder: any Decoder) throws {
        try StrictKeys.check(decoder, CodingKeys.allCases.map(\.rawValue))
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            title: try container.decodeIfPresent(String.self, forKey: .title),
            body: try container.decodeIfPresent(String.self, forKey: .body),
            category: try container.decodeIfPresent(String.self, forKey: .category),
            intentURL: try container.decodeIfPresent(String.self, forKey: .intentURL),
            sound: try container.decodeIfPresent(String.self, forKey: .sound),
            badgeIncrement: try container.decodeIfPresent(Int.self, forKey: .badgeIncrement),
            extras: try container.decodeIfPresent([String: JSONValue].self, forKey: .extras))
    }
}
