public import PushDevice

/// Extra events for the app.
public typealias XGNotificationCategoryOptions = NotificationCategory.Options

/// Makes categories, which group the actions of notifications.
public enum XGNotificationCategory {
    /// A category with its actions; nil before iOS 8. The system is the phone's; without a phone, a current one. The
    /// intents, which Siri needs, are ignored.
    public static func category(
        withIdentifier identifier: String, actions: [NotificationAction]?, intentIdentifiers: [String]?,
        options: XGNotificationCategoryOptions = [], on phone: (any Phone)? = nil
    ) -> NotificationCategory? {
        guard phone?.hasActions ?? true else { return nil }
        return NotificationCategory(identifier: identifier, actions: actions ?? [], options: options)
    }
}
