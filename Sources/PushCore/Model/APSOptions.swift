/// Keys of Apple's `aps` that the model does not have. They belong to the options of vendors that send Apple's payload,
/// APNs and FCM. Their JSON form has Apple's keys.
///
/// A send refuses with `invalidArgument` a value that no device accepts, and a key that the message sets as well.
///
/// Source: Generating a remote notification, 2026.
public struct APSOptions: Codable, Sendable, Hashable {
    /// Additions to the alert; they need a notification.
    public var alert: Alert?
    /// A critical sound, in place of the notification's.
    public var sound: CriticalSound?
    /// The window that comes forward.
    public var targetContentID: String?
    /// From 0 to 1: the order in which the system shows notifications in a summary. A Live Activity has its own.
    public var relevanceScore: Double?
    /// The value that a Focus filter of the app compares.
    public var filterCriteria: String?
    /// The values for the address of a website, for pushes to Safari.
    public var urlArguments: [String]?

    /// Changes nothing until a field is set.
    public init() {}

    private enum CodingKeys: String, CodingKey {
        case alert, sound
        case targetContentID = "target-content-id"
        case relevanceScore = "relevance-score"
        case filterCriteria = "filter-criteria"
        case urlArguments = "url-args"
    }
}

extension APSOptions {
    /// Keys of Apple's `alert` that the model does not have.
    public struct Alert: Codable, Sendable, Hashable {
        /// The image or storyboard that the app shows when it starts by a tap.
        public var launchImage: String?
        /// The title of the button, from the app's table of texts. No longer on the vendor's page.
        public var actionKey: String?
        /// The name in a summary. Ignored since iOS 15.
        public var summaryArgument: String?
        /// The number of items that it stands for in a summary. Ignored since iOS 15.
        public var summaryArgumentCount: Int?

        /// Changes nothing until a field is set.
        public init() {}

        private enum CodingKeys: String, CodingKey {
            case launchImage = "launch-image"
            case actionKey = "action-loc-key"
            case summaryArgument = "summary-arg"
            case summaryArgumentCount = "summary-arg-count"
        }
    }

    /// A sound that plays on a muted device as well; the app needs Apple's permission. Its JSON may leave `critical` out.
    public struct CriticalSound: Sendable, Hashable {
        /// A sound file of the app, or `default`.
        public var name: String
        /// From 0 to 1; nil leaves it to the system.
        public var volume: Double?
        /// 1, unless the JSON says something else, which the check refuses.
        package var critical = 1

        /// A critical sound.
        public init(_ name: String, volume: Double? = nil) {
            self.name = name
            self.volume = volume
        }
    }
}

extension APSOptions.CriticalSound: Codable {
    private enum CodingKeys: String, CodingKey { case name, volume, critical }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try container.decode(String.self, forKey: .name),
            volume: try container.decodeIfPresent(Double.self, forKey: .volume))
        critical = try container.decodeIfPresent(Int.self, forKey: .critical) ?? 1
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encodeIfPresent(volume, forKey: .volume)
        try container.encode(critical, forKey: .critical)
    }
}
