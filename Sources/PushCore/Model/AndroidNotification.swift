/// A notification's differences on Android; nil uses the notification's own value.
public struct AndroidNotification: Sendable, Hashable {
    /// The title, above the text.
    public var title: Text?
    /// The text.
    public var body: Text?
    /// The channel of Android 8 and later.
    public var channelID: String?
    /// From -2 to 2.
    public var priority: Int?
    /// The system's category of the notification.
    public var category: String?
    /// A sound of the app, where no channel sets one.
    public var sound: String?
    /// The action of a tap; nil opens the app.
    public var tap: TapAction?
    /// The number on the icon, on phones whose maker shows one: set it, or add 1 to 99. A vendor supports one of the
    /// two, or both.
    public var badge: Badge?
    /// A later notification with the same id replaces this one, if it is still shown. Some vendors replace a message by
    /// their own number only; they refuse it.
    public var collapseID: String?
    /// The address of a picture.
    public var image: String?
    /// Data for the app.
    public var extras: [String: JSONValue]?

    /// The differences on Android; omitted values do not differ.
    public init(
        title: Text? = nil, body: Text? = nil, channelID: String? = nil, priority: Int? = nil,
        category: String? = nil, sound: String? = nil, tap: TapAction? = nil, badge: Badge? = nil,
        collapseID: String? = nil, image: String? = nil, extras: [String: JSONValue]? = nil
    ) {
        self.title = title
        self.body = body
        self.channelID = channelID
        self.priority = priority
        self.category = category
        self.sound = sound
        self.tap = tap
        self.badge = badge
        self.collapseID = collapseID
        self.image = image
        self.extras = extras
    }
}

extension AndroidNotification: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case title, body, channelID, priority, category, sound, tap, badge, collapseID, image, extras
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.object(of: CodingKeys.self)
        self.init(
            title: try container.decodeIfPresent(Text.self, forKey: .title),
            body: try container.decodeIfPresent(Text.self, forKey: .body),
            channelID: try container.decodeIfPresent(String.self, forKey: .channelID),
            priority: try container.decodeIfPresent(Int.self, forKey: .priority),
            category: try container.decodeIfPresent(String.self, forKey: .category),
            sound: try container.decodeIfPresent(String.self, forKey: .sound),
            tap: try container.decodeIfPresent(TapAction.self, forKey: .tap),
            badge: try container.decodeIfPresent(Badge.self, forKey: .badge),
            collapseID: try container.decodeIfPresent(String.self, forKey: .collapseID),
            image: try container.decodeIfPresent(String.self, forKey: .image),
            extras: try container.decodeIfPresent([String: JSONValue].self, forKey: .extras))
    }
}
