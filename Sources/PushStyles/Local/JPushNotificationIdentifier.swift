public import PushDevice

/// EngageLab's name for it.
public typealias MTPushNotificationIdentifier = JPushNotificationIdentifier

/// Selects notifications. A value here and an object in the SDK: declare it with `var`.
public struct JPushNotificationIdentifier: Sendable {
    /// The notifications with these names; nil and empty select all.
    public var identifiers: [String]?
    /// Whether to look in the notification center, or among those that wait for their trigger. Ignored before iOS 10.
    public var delivered = false
    /// One local notification, in place of names; before iOS 10.
    public var notificationObj: PhoneNotification.Request?
    /// Gets the notifications that were found.
    public var findCompletionHandler: (@Sendable (_ results: [JPushNotificationResult]) -> Void)?

    /// Selects all notifications that wait for their trigger.
    public init() {}

    /// The selected names on a system; nil selects all.
    func names(on systemVersion: Int) -> Set<String>? {
        if systemVersion < 10, let notificationObj { return [notificationObj.identifier] }
        guard let identifiers, !identifiers.isEmpty else { return nil }
        return Set(identifiers)
    }
}
