public import PushAdapter

/// A device host that is a whole phone: a system with a notification center, and the runtime of an app.
///
/// A session's host that is a phone serves the calls of the device SDKs that no server has.
public protocol Phone: DeviceHost {
    /// The version of the system, as its maker counts: 17 for iOS 17.
    var systemVersion: Int { get }

    /// Installs the app's code, which the phone calls from now on and holds weakly. Nil removes it.
    func install(_ app: (any PhoneApp)?)

    /// Whether the app may notify; nil before the user was asked.
    var isNotificationAllowed: Bool? { get }
    /// Asks the user whether the app may notify, unless the user has answered before. The app gets the answer.
    func requestPermission()
    /// Sets the categories of the app's notifications, instead of the previous ones.
    func setCategories(_ categories: [NotificationCategory])

    /// Schedules a notification, or replaces the one with its identifier, pending or shown.
    ///
    /// Refuses a trigger that can never fire: a time that is not positive, a repeated interval below 60 seconds, or a
    /// moment that is not later than now.
    func add(_ request: PhoneNotification.Request) throws(PushError)
    /// Notifications that wait for their trigger, in the order in which they were added.
    var pendingNotifications: [PhoneNotification.Request] { get }
    /// Notifications in the notification center, newest first.
    var deliveredNotifications: [PhoneNotification] { get }
    /// Removes pending notifications by identifier; nil removes all.
    func removePending(_ identifiers: Set<String>?)
    /// Removes notifications from the notification center by identifier; nil removes all.
    func removeDelivered(_ identifiers: Set<String>?)
    /// Shows a notification in the app itself, as an alert.
    func showAlert(_ notification: PhoneNotification)

    /// Reports to the vendor that a pushed notification arrived, as the app's extension does.
    func confirmDelivery(of request: PhoneNotification.Request)

    /// Records data that an app gives its SDK and no simulator accepts.
    func record(_ record: PhoneRecord)
}

/// Data that an app gives its SDK and no server can answer. A phone keeps it, so that tests can look.
public enum PhoneRecord: Sendable, Hashable {
    /// A line of the SDK's log.
    case log(String)
    /// The SDK writes more of its log, or less.
    case logLevel(LogLevel)
    /// The log was uploaded, for the vendor's support.
    case logUpload
    /// The SDK collects crash logs.
    case crashLog
    /// A page was on the screen for a time.
    case page(name: String, seconds: Double)
    /// The place of the phone, in degrees.
    case location(latitude: Double, longitude: Double)
    /// The payload of a push that was handed to the SDK, which counts it.
    case handled([String: JSONValue])
    /// Whether the SDK's own connection is encrypted.
    case encryption(Bool)
    /// The storage that an app shares with its extension.
    case appGroup(String)
    /// The data center that the app named.
    case site(String)

    /// How much an SDK logs.
    public enum LogLevel: String, Sendable {
        /// Everything.
        case debug
        /// The usual lines.
        case normal
        /// Only errors that matter.
        case errors
    }
}

extension PhoneRecord: CustomStringConvertible, CustomReflectable {
    /// The kind of record, without payloads, places and lines of a log.
    public var description: String {
        switch self {
        case .log: "a line of the log"
        case .logLevel(let level): "log level \(level.rawValue)"
        case .logUpload: "an upload of the log"
        case .crashLog: "crash logs"
        case .page(let name, let seconds): "page \(name), \(seconds) s"
        case .location: "a place"
        case .handled: "a push, handed to the SDK"
        case .encryption(let isOn): isOn ? "an encrypted connection" : "a connection without encryption"
        case .appGroup: "an app group"
        case .site(let name): "data center \(name)"
        }
    }
    /// Empty, so that `dump` too shows only the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
