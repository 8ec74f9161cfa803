public import PushAdapter

/// The code of an app, which the phone's system calls.
///
/// The phone calls the methods in the system's order, on any thread; a method must not block. A completion counts once:
/// later calls of it do nothing.
public protocol PhoneApp: AnyObject, Sendable {
    /// The app was started: by its icon, or by a notification.
    func didFinishLaunching(_ options: LaunchOptions)
    /// A pushed notification, for a system before its notification center (iOS 9 and older). It came while the app was
    /// in the foreground, or the user tapped it.
    func didReceiveRemoteNotification(_ userInfo: [String: JSONValue])
    /// A push that wakes the app. The system waits 30 seconds for the result.
    func didReceiveRemoteNotification(
        _ userInfo: [String: JSONValue], completion: @escaping @Sendable (FetchResult) -> Void)
    /// A local notification, for a system before its notification center (iOS 9 and older).
    func didReceiveLocalNotification(_ notification: PhoneNotification)
    /// A notification is about to be shown while the app is in the foreground. The completion takes the presentation;
    /// the phone does not show the notification before.
    func willPresent(
        _ notification: PhoneNotification, completion: @escaping @Sendable (PhoneNotification.Presentation) -> Void)
    /// The user tapped or removed a notification.
    func didReceive(_ response: PhoneNotification.Response, completion: @escaping @Sendable () -> Void)
    /// The user opened the app's notification settings: from a notification, or from the system's settings (nil).
    func openSettings(for notification: PhoneNotification?)
    /// A custom message arrived, over the vendor's connection.
    func didReceiveCustomMessage(_ userInfo: [String: JSONValue])
    /// A call arrived. The app must report it to the system at once; otherwise the phone lists it as missed by the app.
    func didReceiveCall(_ payload: [String: JSONValue], report: @escaping @Sendable () -> Void)
    /// The user pressed the button of an in-app message.
    func didClickInAppMessage(_ parameters: [String: JSONValue])
    /// The user answered the question whether the app may notify.
    func didRequestPermission(isAllowed: Bool)
    /// The app's extension that changes notifications before they are shown; nil for none.
    var serviceExtension: (any NotificationServiceExtension)? { get }
}

/// The extension of an app, which may change a notification before it is shown.
public protocol NotificationServiceExtension: Sendable {
    /// Gets a notification that it may change. It has 30 seconds to pass the content on; otherwise the phone shows the
    /// original. It must not block.
    func didReceive(
        _ request: PhoneNotification.Request,
        contentHandler: @escaping @Sendable (PhoneNotification.Content) -> Void)
}

/// How an app was started.
public struct LaunchOptions: Sendable, Hashable {
    /// The payload of the notification that was tapped; nil if none was.
    public var remoteNotification: [String: JSONValue]?
    /// The local notification that was tapped; nil if none was.
    public var localNotification: PhoneNotification?

    /// A start by the icon, if nothing is given.
    public init(remoteNotification: [String: JSONValue]? = nil, localNotification: PhoneNotification? = nil) {
        self.remoteNotification = remoteNotification
        self.localNotification = localNotification
    }
}

/// The result of a push that woke an app.
public enum FetchResult: Int, Sendable {
    /// It found something new.
    case newData
    /// It found nothing.
    case noData
    /// It failed.
    case failed
}
