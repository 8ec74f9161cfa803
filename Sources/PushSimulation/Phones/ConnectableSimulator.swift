public import FoundationEssentials
public import PushAdapter

/// A simulator to which phones connect. Messages to a device go to its phone, and reports and callbacks count the
/// phone's events. A device without a phone acts as an ideal one: it has and shows every message, and opens nothing.
public protocol ConnectableSimulator: ObservableSimulator {
    /// The ids of all devices, in order.
    func deviceIDs() async -> [String]
    /// Connects a phone: it receives the messages that waited for it, then every message until it is disconnected.
    /// Installs an unknown device; keeps the vendor's state of a known one.
    func connect(_ phone: any ConnectedPhone, as device: VirtualDevice, at now: Date) async
    /// Disconnects a device from a phone; messages wait for it as the vendor says. Ignores a phone that another one has
    /// replaced.
    func disconnect(_ phone: any ConnectedPhone, from device: String, at now: Date) async
    /// Whether the vendor has the app that a phone registers. Does not compare values that the phone does not name.
    /// - Parameters:
    ///   - id: the app's id at a vendor whose SDK starts with one. A vendor without ids does not compare the key either:
    ///     the code was written for another vendor's SDK.
    ///   - key: the key of the device SDK.
    ///   - platform: the platform of the phone.
    func hasApp(id: String?, key: Secret?, for platform: Platform) async -> Bool
    /// Takes a phone's report. Ignores a report about a message that the device did not receive, and a repeated report.
    func note(_ report: PhoneReport, from device: String, at now: Date) async
    /// The vendor's quotas now; empty if it has none.
    func quotas(at now: Date) async -> [QuotaReading]
}

extension ConnectableSimulator {
    /// True: at a vendor whose SDK starts without an id and a key, every phone has the app.
    public func hasApp(id: String?, key: Secret?, for platform: Platform) async -> Bool { true }
}

/// A phone that is connected to a simulator.
public protocol ConnectedPhone: AnyObject, Sendable {
    /// Takes a message. The simulator waits for the return, so the phone must not block and must not call it back
    /// from here.
    func receive(_ message: DeliveredMessage)
    /// Removes a message that the vendor recalled, if it is still on the screen.
    func withdraw(_ messageID: String)
}

/// A phone's report to its vendor.
public enum PhoneReport: Sendable, Hashable {
    /// A notification, a call or a Live Activity arrived. An Apple phone reports a notification only if the app's
    /// extension does.
    case delivered(String)
    /// A custom message arrived in the app.
    case customDelivered(String)
    /// A message was shown.
    case displayed(String)
    /// The user tapped a message or one of its actions.
    case opened(String)
    /// The user removed a message.
    case dismissed(String)
    /// The app set the number from which the vendor counts.
    case badge(Int)
    /// The app uploaded a token of the system.
    case token(DeviceToken)
    /// The app reported the user's language.
    case language(String)
}

/// A quota of a simulated vendor at one moment.
public struct QuotaReading: Sendable, Hashable {
    /// The quota, in the vendor's words.
    public var name: String
    /// The most requests in its window.
    public var limit: Int
    /// The requests that are left in it.
    public var remaining: Int

    /// A quota with its limit and the requests that are left.
    public init(name: String, limit: Int, remaining: Int) {
        self.name = name
        self.limit = limit
        self.remaining = remaining
    }
}
