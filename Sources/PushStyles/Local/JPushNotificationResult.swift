public import PushDevice

/// A notification that was registered or found. The SDK has an object of another class for each.
public enum JPushNotificationResult: Sendable, Hashable {
    /// A local notification, before iOS 10: a `UILocalNotification` in the SDK.
    case local(PhoneNotification.Request)
    /// A request that waits for its trigger, since iOS 10: a `UNNotificationRequest` in the SDK.
    case pending(PhoneNotification.Request)
    /// A notification in the notification center, since iOS 10: a `UNNotification` in the SDK.
    case delivered(PhoneNotification)

    /// The app's name for it.
    public var identifier: String {
        switch self {
        case .local(let request), .pending(let request): request.identifier
        case .delivered(let notification): notification.id
        }
    }
}
