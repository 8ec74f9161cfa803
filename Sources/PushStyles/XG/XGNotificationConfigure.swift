public import PushDevice

/// How an app's notifications look: assign it to ``XGTokenManager/notificationConfigure``.
public struct XGNotificationConfigure: Sendable, Hashable {
    /// The categories of the app's notifications.
    public let categories: Set<NotificationCategory>
    /// How the app wants to notify. The phone has one permission for all ways.
    public let types: XGUserNotificationTypes

    /// Categories and types; nil before iOS 8. The system is the phone's; without a phone, a current one.
    public init?(
        notificationWithCategories categories: Set<NotificationCategory>?, types: XGUserNotificationTypes,
        on phone: (any Phone)? = nil
    ) {
        guard phone?.hasActions ?? true else { return nil }
        self.categories = categories ?? []
        self.types = types
    }
}
