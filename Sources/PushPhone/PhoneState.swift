public import PushAdapter
public import PushDevice

/// The visible and remembered state of a phone at one moment.
public struct PhoneState: Sendable {
    /// Where the app is.
    public enum AppState: String, Sendable {
        /// The user never started it, or ended it.
        case notRunning
        /// It is not on the screen.
        case background
        /// The user looks at it.
        case foreground
    }

    /// A call that a push announced.
    public struct Call: Sendable, Hashable {
        /// The payload.
        public var payload: [String: JSONValue]
        /// Whether the app reported it to the system, as it must.
        public var isReported = false
    }

    /// Whether the phone has a network.
    public internal(set) var isReachable = true
    /// Whether the app is registered with its vendor.
    public internal(set) var isRegistered = false
    /// Where the app is.
    public internal(set) var appState = AppState.notRunning
    /// Whether the app may notify; nil before the user was asked.
    public internal(set) var isNotificationAllowed: Bool?

    /// The number on the app's icon; 0 shows none.
    public internal(set) var icon = 0
    /// The notifications on the lock screen and in the notification center, newest first.
    public internal(set) var center: [PhoneNotification] = []
    /// The notifications that appeared over the app while it was in the foreground, oldest first.
    public internal(set) var banners: [PhoneNotification] = []
    /// The notifications that the app showed itself, oldest first.
    public internal(set) var alerts: [PhoneNotification] = []
    /// The sounds that were played, oldest first.
    public internal(set) var sounds: [String] = []
    /// Local notifications that wait for their trigger.
    public internal(set) var pending: [PhoneNotification.Request] = []
    /// The categories that the app has set, by identifier.
    public internal(set) var categories: [String: NotificationCategory] = [:]
    /// The actions of taps that opened something besides the app, oldest first.
    public internal(set) var taps: [TapAction] = []

    /// The contents of custom messages that the app got, oldest first.
    public internal(set) var customMessages: [[String: JSONValue]] = []
    /// The results of pushes that woke the app, oldest first; nil for one that the app did not finish in time.
    public internal(set) var wakes: [FetchResult?] = []
    /// The calls that pushes announced, oldest first.
    public internal(set) var calls: [Call] = []
    /// The in-app messages that were shown, oldest first.
    public internal(set) var inAppMessages: [InAppMessage] = []
    /// The content of each Live Activity.
    public internal(set) var activities: [String: [String: JSONValue]] = [:]

    /// The parameters of each start of the SDK.
    public internal(set) var starts: [DeviceStart] = []
    /// How often the SDK was stopped.
    public internal(set) var stops = 0
    /// The badge that was stored at the vendor; nil if none was.
    public internal(set) var badge: Int?
    /// Tokens that were uploaded, in order.
    public internal(set) var tokens: [DeviceToken] = []
    /// The user's language, if the app has reported it.
    public internal(set) var language: String?
    /// The data that the app gave its SDK and no server accepts, in order.
    public internal(set) var records: [PhoneRecord] = []

    /// The notifications of the center by thread, the thread of the newest one first.
    public var groups: [(thread: String, notifications: [PhoneNotification])] {
        var groups: [(thread: String, notifications: [PhoneNotification])] = []
        for notification in center {
            let thread = notification.content.threadIdentifier
            if let index = groups.firstIndex(where: { $0.thread == thread }) {
                groups[index].notifications.append(notification)
            } else {
                groups.append((thread, [notification]))
            }
        }
        return groups
    }
}

extension PhoneState: CustomReflectable {
    /// Empty: a phone holds tokens.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
