public import PushDevice

/// Receives what happens to notifications, since iOS 10: JPush's `JPUSHRegisterDelegate`. Every method has a default,
/// so a method with a wrong signature compiles but is never called; debug builds log it.
///
/// The methods are called on the service's queue, one at a time. The center is the phone.
public protocol JPUSHRegisterDelegate: AnyObject, Sendable {
    /// A notification is about to be shown while the app is in the foreground. Call the handler with the sum of the
    /// raw values of `PhoneNotification.Presentation`: badge 1, sound 2, alert 4. By default, nothing is shown.
    func jpushNotificationCenter(
        _ center: any Phone, willPresent notification: PhoneNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (Int) -> Void)
    /// The user tapped or removed a notification. Call the handler.
    func jpushNotificationCenter(
        _ center: any Phone, didReceive response: PhoneNotification.Response,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void)
}

extension JPUSHRegisterDelegate {
    public func jpushNotificationCenter(
        _ center: any Phone, willPresent notification: PhoneNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (Int) -> Void
    ) {
        DelegateSignatures.noteDefault(of: self)
        completionHandler(0)
    }

    public func jpushNotificationCenter(
        _ center: any Phone, didReceive response: PhoneNotification.Response,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        DelegateSignatures.noteDefault(of: self)
        completionHandler()
    }
}
