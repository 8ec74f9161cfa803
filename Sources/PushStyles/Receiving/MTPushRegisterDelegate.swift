public import PushDevice

/// Receives the events of notifications, since iOS 10: EngageLab's `MTPushRegisterDelegate`. The guide requires the
/// first two methods, so they have no default: a method with a wrong signature does not compile. If the third has a
/// wrong signature, debug builds say so on standard error.
///
/// A handler is written `@escaping (Int) -> Void`. The `((Int) -> Void)!` of Xcode's stubs does not compile.
///
/// The methods are called on the service's queue, one at a time. The center is the phone.
public protocol MTPushRegisterDelegate: AnyObject, Sendable {
    /// A notification is about to be shown while the app is in the foreground. Call the handler with the sum of the
    /// raw values of `PhoneNotification.Presentation`: badge 1, sound 2, alert 4.
    func mtpNotificationCenter(
        _ center: any Phone, willPresent notification: PhoneNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (Int) -> Void)
    /// The user tapped or removed a notification. Call the handler.
    func mtpNotificationCenter(
        _ center: any Phone, didReceive response: PhoneNotification.Response,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void)
    /// The user opened the app's notification settings, since iOS 12: from a notification, or from the system's
    /// settings (nil). By default, nothing happens.
    func mtpNotificationCenter(_ center: any Phone, openSettingsFor notification: PhoneNotification?)
}

extension MTPushRegisterDelegate {
    public func mtpNotificationCenter(_ center: any Phone, openSettingsFor notification: PhoneNotification?) {
        DelegateSignatures.noteDefault(of: self)
    }
}
