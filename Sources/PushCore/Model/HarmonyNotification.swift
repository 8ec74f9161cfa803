/// A notification's differences on HarmonyOS; nil uses the notification's own value.
public struct HarmonyNotification: Sendable, Hashable {
    /// The title, above the text.
    public var title: Text?
    /// The text.
    public var body: Text?
    /// Huawei's category of the message, which Huawei demands.
    public var category: String?
    /// The action of a tap; nil opens the app.
    public var tap: TapAction?
    /// A sound of the app.
    public var sound: String?
    /// The number on the icon: set it, or add 1 to 99.
    public var badge: Badge?
    /// A later notification with the same number replaces this one, if it is still shown. From 0; the system's ids are
    /// numbers of 32 bits.
    public var collapseID: Int?
    /// Data for the app.
    public var extras: [String: JSONValue]?

    /// The differences on HarmonyOS; omitted values do not differ.
    public init(
        title: Text? = nil, body: Text? = nil, category: String? = nil, tap: TapAction? = nil,
        sound: String? = nil, badge: Badge? = nil, collapseID: Int? = nil, extras: [String: JSONValue]? = nil
    ) {
        self.title = title
        self.body = body
        self.category = category
        self.tap = tap
        self.sound = sound
        self.badge = badge
        self.collapseID = collapseID
        self.extras = extras
    }
}

extension HarmonyNotification: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case title, body, category, tap, sound, badge, collapseID, extras
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.object(of: CodingKeys.self)
        self.init(
            title: try container.decodeIfPresent(Text.self, forKey: .title),
            body: try container.decodeIfPresent(Text.self, forKey: .body),
            category: try container.decodeIfPresent(String.self, forKey: .category),
            tap: try container.decodeIfPresent(TapAction.self, forKey: .tap),
            sound: try container.decodeIfPresent(String.self, forKey: .sound),
            badge: try container.decodeIfPresent(Badge.self, forKey: .badge),
            collapseID: try container.decodeIfPresent(Int.self, forKey: .collapseID),
            extras: try container.decodeIfPresent([String: JSONValue].self, forKey: .extras))
    }
}
