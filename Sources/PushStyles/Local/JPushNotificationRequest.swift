import PushAdapter
import PushDevice

/// EngageLab's name for it.
public typealias MTPushNotificationRequest = JPushNotificationRequest

/// A request for a local notification. A value here and an object in the SDK: declare it with `var`.
public struct JPushNotificationRequest: Sendable {
    /// The app's name for it; a new request of the same name replaces the old one. Empty is refused.
    public var requestIdentifier = ""
    /// The texts and the data.
    public var content = JPushNotificationContent()
    /// When it is shown; nil for at once.
    public var trigger: JPushNotificationTrigger?
    /// Gets the notification that was registered, or nil if it was refused.
    public var completionHandler: (@Sendable (_ result: JPushNotificationResult?) -> Void)?

    /// A request without a name and a content.
    public init() {}

    /// The request in the phone's form.
    func request(on systemVersion: Int) throws(PushError) -> PhoneNotification.Request {
        guard !requestIdentifier.isEmpty else {
            throw PushError(.invalidArgument, "the request has no identifier")
        }
        var shown = PhoneNotification.Content()
        shown.title = content.title
        shown.subtitle = content.subtitle
        shown.body = content.body
        shown.badge = content.badge
        shown.categoryIdentifier = content.categoryIdentifier
        shown.sound = content.sound
        shown.userInfo = content.userInfo
        return PhoneNotification.Request(
            identifier: requestIdentifier, content: shown, trigger: try trigger?.condition(on: systemVersion))
    }
}
