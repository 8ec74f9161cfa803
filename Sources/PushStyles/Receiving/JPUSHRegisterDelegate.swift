public import PushDevice

/// Receives the events of notifications, since iOS 10: JPush's `JPUSHRegisterDelegate`. The guide requires both
/// methods, so neither has a default: a method with a wrong signature does not compile.
///
/// A handler is written `@escaping (Int) -> Void`. The `((Int) -> Void)!` of Xcode's stubs does not compile.
///
/// The methods are called on the service's queue, one at a time. The center is the phone.
public protocol JPUSHRegisterDelegate: AnyObject, Sendable {
    /// A notification is about to be shown while the app is in the foreground. Call the handler with the sum of the
    /// raw values of `PhoneNotification.Presentation`: badge 1, sound 2, alert 4.
    func jpushNotificationCenter(
        _ center: any Phone, willPresent notification: PhoneNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (Int) -> Void)
    /// The user tapped or removed a notification. Call the handler.
    func jpushNotificationCenter(
        _ center: any Phone, didReceive response: PhoneNotification.Response,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void)
}
