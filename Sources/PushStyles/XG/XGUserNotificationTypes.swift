/// How an app wants to notify.
public struct XGUserNotificationTypes: OptionSet, Sendable, Hashable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// With a number on the icon.
    public static let badge = XGUserNotificationTypes(rawValue: 1)
    /// With a sound.
    public static let sound = XGUserNotificationTypes(rawValue: 2)
    /// With a banner.
    public static let alert = XGUserNotificationTypes(rawValue: 4)
}
