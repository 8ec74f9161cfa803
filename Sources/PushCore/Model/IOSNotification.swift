/// A notification's differences on Apple's platforms; nil uses the notification's own value.
public struct IOSNotification: Sendable, Hashable {
    /// How much a notification may interrupt, in Apple's terms.
    public enum InterruptionLevel: String, Sendable, Hashable, Codable {
        /// Joins the list of notifications without light or sound.
        case passive
        /// Lights the screen and may sound; Apple's default.
        case active
        /// Appears at once, even while a Focus holds back other notifications.
        case timeSensitive = "time-sensitive"
        /// Sounds even on a muted device; the app needs Apple's permission.
        case critical
    }

    /// The title, above the text.
    public var title: Text?
    /// The subtitle, between title and text.
    public var subtitle: Text?
    /// The text.
    public var body: Text?
    /// A sound file of the app, or `default`; nil is silent.
    public var sound: String?
    /// The change to the number on the icon.
    public var badge: Badge?
    /// The category of the notification's actions.
    public var category: String?
    /// Groups notifications on the screen.
    public var threadID: String?
    /// Lets the app's service extension change the notification before it is shown.
    public var isMutable: Bool
    /// Wakes the app in the background.
    public var isContentAvailable: Bool
    /// How much the notification may interrupt.
    public var interruptionLevel: InterruptionLevel?
    /// A later notification with the same id replaces this one, if it is still shown. At most 64 bytes.
    public var collapseID: String?
    /// The address of a picture.
    public var image: String?
    /// Data for the app.
    public var extras: [String: JSONValue]?

    /// The differences on Apple's platforms; omitted values do not differ.
    public init(
        title: Text? = nil, subtitle: Text? = nil, body: Text? = nil, sound: String? = nil, badge: Badge? = nil,
        category: String? = nil, threadID: String? = nil, isMutable: Bool = false, isContentAvailable: Bool = false,
        interruptionLevel: InterruptionLevel? = nil, collapseID: String? = nil,
        image: String? = nil, extras: [String: JSONValue]? = nil
    ) {
        self.title = title
        self.subtitle = subtitle
        self.body = body
        self.sound = sound
        self.badge = badge
        self.category = category
        self.threadID = threadID
        self.isMutable = isMutable
        self.isContentAvailable = isContentAvailable
        self.interruptionLevel = interruptionLevel
        self.collapseID = collapseID
        self.image = image
        self.extras = extras
    }
}

extension IOSNotification: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case title, subtitle, body, sound, badge, category, threadID, isMutable, isContentAvailable
        case interruptionLevel, collapseID, image, extras
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.object(of: CodingKeys.self)
        self.init(
            title: try container.decodeIfPresent(Text.self, forKey: .title),
            subtitle: try container.decodeIfPresent(Text.self, forKey: .subtitle),
            body: try container.decodeIfPresent(Text.self, forKey: .body),
            sound: try container.decodeIfPresent(String.self, forKey: .sound),
            badge: try container.decodeIfPresent(Badge.self, forKey: .badge),
            category: try container.decodeIfPresent(String.self, forKey: .category),
            threadID: try container.decodeIfPresent(String.self, forKey: .threadID),
            isMutable: try container.decodeIfPresent(Bool.self, forKey: .isMutable) ?? false,
            isContentAvailable: try container.decodeIfPresent(Bool.self, forKey: .isContentAvailable) ?? false,
            interruptionLevel: try container.decodeIfPresent(InterruptionLevel.self, forKey: .interruptionLevel),
            collapseID: try container.decodeIfPresent(String.self, forKey: .collapseID),
            image: try container.decodeIfPresent(String.self, forKey: .image),
            extras: try container.decodeIfPresent([String: JSONValue].self, forKey: .extras))
    }
}
