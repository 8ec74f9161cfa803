public import PushAdapter

/// EngageLab's name for it.
public typealias MTPushNotificationContent = JPushNotificationContent

/// The texts and the data of a local notification. A value here and an object in the SDK: declare it with `var`.
public struct JPushNotificationContent: Sendable, Hashable {
    /// The first line; empty for none.
    public var title = ""
    /// The second line; empty for none.
    public var subtitle = ""
    /// The text; empty for none.
    public var body = ""
    /// The number that it puts on the icon; nil leaves the icon unchanged, 0 removes the number.
    public var badge: Int?
    /// The category whose actions it offers; empty for none.
    public var categoryIdentifier = ""
    /// The sound that it plays; nil for none.
    public var sound: String?
    /// The data that the app attaches to it.
    public var userInfo: [String: JSONValue] = [:]

    /// A content without texts.
    public init() {}
}
