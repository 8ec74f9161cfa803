public import PushDevice

/// EngageLab's name for it.
public typealias MTPushRegisterEntity = JPUSHRegisterEntity

/// The settings with which an app registers its notifications.
public struct JPUSHRegisterEntity: Sendable, Hashable {
    /// The ways of notifying that the app asks for, as a sum: badge 1, sound 2, alert 4. The phone has one permission
    /// for all of them.
    public var types = 0
    /// The categories of the app's notifications; nil leaves them unchanged.
    public var categories: Set<NotificationCategory>?

    /// No types and no categories.
    public init() {}
}
