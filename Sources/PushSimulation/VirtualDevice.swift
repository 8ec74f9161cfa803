public import PushCore

/// An app installation that a simulator knows.
public struct VirtualDevice: Sendable, Hashable {
    /// Its id at the vendor.
    public var id: String
    /// The operating system that it runs.
    public var platform: Platform
    /// Whether it is connected; an offline device receives nothing.
    public var isOnline: Bool
    /// The Apple environment that its token belongs to.
    public var environment: APNsEnvironment

    /// A connected installation, by default in Apple's production environment.
    public init(
        _ id: String, _ platform: Platform, isOnline: Bool = true, environment: APNsEnvironment = .production
    ) {
        self.id = id
        self.platform = platform
        self.isOnline = isOnline
        self.environment = environment
    }
}

/// What a virtual device received.
public struct DeliveredMessage: Sendable, Hashable {
    /// The vendor's id of the message.
    public var messageID: String
    /// The notification's text, nil for none.
    public var alert: String?
    /// The notification's title, nil for none.
    public var title: String?
    /// The notification's second title, nil for none.
    public var subtitle: String?
    /// The name of the sound that it plays, nil for none.
    public var sound: String?
    /// The category whose actions it offers, or that a phone maker demands; nil for none.
    public var category: String?
    /// The thread it is grouped by, nil for none.
    public var thread: String?
    /// The Android channel it is shown in, nil for none.
    public var channel: String?
    /// The address or id of its picture, nil for none.
    public var image: String?
    /// The custom message's content, nil for none.
    public var custom: String?
    /// The number on the icon after this message; nil if it did not change.
    public var badge: Int?
    /// The app's data that came with it.
    public var extras: [String: JSONValue]

    /// A message as it arrived; leave out what it did not contain.
    public init(
        messageID: String, alert: String? = nil, title: String? = nil, custom: String? = nil, badge: Int? = nil,
        extras: [String: JSONValue] = [:]
    ) {
        self.messageID = messageID
        self.alert = alert
        self.title = title
        self.custom = custom
        self.badge = badge
        self.extras = extras
    }
}
