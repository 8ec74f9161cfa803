public import PushDevice

/// The requirements and effects of an action.
public typealias XGNotificationActionOptions = NotificationAction.Options

/// Makes actions that a notification offers.
public enum XGNotificationAction {
    /// An action with its button; nil before iOS 8. The system is the phone's; without a phone, a current one.
    public static func action(
        withIdentifier identifier: String, title: String, options: XGNotificationActionOptions = [],
        on phone: (any Phone)? = nil
    ) -> NotificationAction? {
        guard phone?.hasActions ?? true else { return nil }
        return NotificationAction(identifier: identifier, title: title, options: options)
    }
}

extension Phone {
    /// Whether notifications offer actions.
    var hasActions: Bool { systemVersion >= 8 }
}
