/// What a notification says or does differently on Android; nil uses the notification's own value.
public struct AndroidNotification: Sendable, Hashable {
    /// The title, above the text.
    public var title: String?
    /// The text.
    public var body: String?
    /// The channel of Android 8 and later.
    public var channelID: String?
    /// From -2 to 2.
    public var priority: Int?
    /// The system's category of the notification.
    public var category: String?
    /// A sound of the app, where no channel sets one.
    public var sound: String?
    /// The intent or deep link that a tap opens.
    public var intentURL: String?
    /// Added to the badge, from 1 to 99, on phones whose maker shows one.
    public var badgeIncrement: Int?
    /// The title, from the app's table of texts.
    public var localizedTitle: LocalizedText?
    /// The text, from the app's table of texts.
    public var localizedBody: LocalizedText?
    /// The address of a picture.
    public var image: String?
    /// Data for the app.
    public var extras: [String: JSONValue]?

    /// The differences on Android; omitted values do not differ.
    public init(
        title: String? = nil, body: String? = nil, channelID: String? = nil, priority: Int? = nil,
        category: String? = nil, sound: String? = nil, intentURL: String? = nil, badgeIncrement: Int? = nil,
        localizedTitle: LocalizedText? = nil, localizedBody: LocalizedText? = nil, image: String? = nil,
        extras: [String: JSONValue]? = nil
    ) {
        self.title = title
        self.body = body
        self.channelID = channelID
        self.priority = priority
        self.category = category
        self.sound = sound
        self.intentURL = intentURL
        self.badgeIncrement = badgeIncrement
        self.localizedTitle = localizedTitle
        self.localizedBody = localizedBody
        self.image = image
        self.extras = extras
    }
}

extension AndroidNotification: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case title, body, channelID, priority, category, sound, intentURL, badgeIncrement, localizedTitle, localizedBody
        case image, extras
    }

    public init(from decoder: any Decoder) throws {
        try StrictKeys.check(decoder, CodingKeys.allCases.map(\.rawValue))
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            title: try container.decodeIfPresent(String.self, forKey: .title),
            body: try container.decodeIfPresent(String.self, forKey: .body),
            channelID: try container.decodeIfPresent(String.self, forKey: .channelID),
            priority: try container.decodeIfPresent(Int.self, forKey: .priority),
            category: try container.decodeIfPresent(String.self, forKey: .category),
            sound: try container.decodeIfPresent(String.self, forKey: .sound),
            intentURL: try container.decodeIfPresent(String.self, forKey: .intentURL),
            badgeIncrement: try container.decodeIfPresent(Int.self, forKey: .badgeIncrement),
            localizedTitle: try container.decodeIfPresent(LocalizedText.self, forKey: .localizedTitle),
            localizedBody: try container.decodeIfPresent(LocalizedText.self, forKey: .localizedBody),
            image: try container.decodeIfPresent(String.self, forKey: .image),
            extras: try container.decodeIfPresent([String: JSONValue].self, forKey: .extras))
    }
}
