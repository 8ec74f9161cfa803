public import PushAdapter
public import PushDevice

/// Receives the system's calls to an app: the methods of `UIApplicationDelegate` that the guides of JPush and EngageLab
/// use, and PushKit's for calls. As there, every method is optional. So a method with a wrong signature compiles but is
/// never called; debug builds say so on standard error.
///
/// The methods are called on the service's queue, one at a time. The application is the phone.
public protocol PhoneApplicationDelegate: AnyObject, Sendable {
    /// The app was started. The options say by which notification, under the names of ``LaunchOptionsKey``; nil if the
    /// user tapped the icon. The result is ignored.
    func application(
        _ application: any Phone, didFinishLaunchingWithOptions launchOptions: [String: JSONValue]?
    ) -> Bool
    /// A pushed notification came while the app was in the foreground, or the user tapped it; before iOS 10. From iOS 7
    /// on, the method with `fetchCompletionHandler` is called in its place, if the app has it.
    func application(_ application: any Phone, didReceiveRemoteNotification userInfo: [String: JSONValue])
    /// A push woke the app; on iOS 7 to 9 also a pushed notification that came while the app was in the foreground, or
    /// that the user tapped. Call the handler within 30 seconds. By default, such a notification goes to the method
    /// without the handler, and the app found nothing new.
    func application(
        _ application: any Phone, didReceiveRemoteNotification userInfo: [String: JSONValue],
        fetchCompletionHandler completionHandler: @escaping @Sendable (FetchResult) -> Void)
    /// A local notification came while the app was in the foreground, or the user tapped it; before iOS 10.
    func application(_ application: any Phone, didReceive notification: PhoneNotification)
    /// A call arrived. Call the completion when you have reported the call to the system; by default, the app misses
    /// the call.
    func pushRegistry(
        _ registry: any Phone, didReceiveIncomingPushWith payload: [String: JSONValue],
        completion: @escaping @Sendable () -> Void)
}

extension PhoneApplicationDelegate {
    public func application(
        _ application: any Phone, didFinishLaunchingWithOptions launchOptions: [String: JSONValue]?
    ) -> Bool {
        DelegateSignatures.noteDefault(of: self)
        return true
    }

    public func application(_ application: any Phone, didReceiveRemoteNotification userInfo: [String: JSONValue]) {
        DelegateSignatures.noteDefault(of: self)
    }

    public func application(
        _ application: any Phone, didReceiveRemoteNotification userInfo: [String: JSONValue],
        fetchCompletionHandler completionHandler: @escaping @Sendable (FetchResult) -> Void
    ) {
        DelegateSignatures.noteDefault(of: self)
        if application.systemVersion < 10, Self.isVisible(userInfo) {
            self.application(application, didReceiveRemoteNotification: userInfo)
        }
        completionHandler(.noData)
    }

    public func application(_ application: any Phone, didReceive notification: PhoneNotification) {
        DelegateSignatures.noteDefault(of: self)
    }

    public func pushRegistry(
        _ registry: any Phone, didReceiveIncomingPushWith payload: [String: JSONValue],
        completion: @escaping @Sendable () -> Void
    ) {
        DelegateSignatures.noteDefault(of: self)
    }

    /// Whether a payload has something for the user: a text, a sound or a number for the icon.
    private static func isVisible(_ userInfo: [String: JSONValue]) -> Bool {
        ["alert", "sound", "badge"].contains { userInfo["aps"]?[$0] != nil }
    }
}
