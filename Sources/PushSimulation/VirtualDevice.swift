public import PushCore

/// An app installation that a simulator knows.
public struct VirtualDevice: Sendable, Hashable {
    /// What the vendor and its clients call it.
    public var id: String
    /// The operating system that it runs.
    public var platform: Platform
    /// Whether it is connected: a device that is not receives nothing.
    public var isOnline: Bool
    /// Apple's environment its token belongs to.
    public var environment: APNsEnvironment

    /// A connected installation, of Apple's production environment unless told otherwise.
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
    /// The custom message's content, nil for none.
    public var custom: String?
    /// The number on the icon after this message; nil where it did not change.
    public var badge: Int?
    /// The app's data that came with it.
    public var extras: [String: JSONValue]

    /// A message as it arrived; leave out what it did not bring.
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
