public import FoundationEssentials
public import PushAdapter

/// A simulator to which phones connect. What reaches a device goes to its phone, and reports and callbacks count what
/// the phone did. A device without a phone acts as an ideal one: it has and shows what it receives, and opens nothing.
public protocol ConnectableSimulator: ObservableSimulator {
    /// The ids of all devices, in order.
    func deviceIDs() async -> [String]
    /// Connects a phone: it receives what waited for it, then every message until it is disconnected. A device that is
    /// unknown is installed; a known one keeps what the vendor has about it.
    func connect(_ phone: any ConnectedPhone, as device: VirtualDevice, at now: Date) async
    /// Disconnects a device from a phone; messages wait for it as the vendor says. Ignores a phone that another one has
    /// replaced.
    func disconnect(_ phone: any ConnectedPhone, from device: String, at now: Date) async
    /// Whether the vendor has the app that a phone registers. What the phone does not name is not compared.
    /// - Parameters:
    ///   - id: the app's id at a vendor whose SDK starts with one. A vendor without ids does not compare the key either:
    ///     the code was written for another vendor's SDK.
    ///   - key: the key of the device SDK.
    ///   - platform: the platform of the phone.
    func hasApp(id: String?, key: Secret?, for platform: Platform) async -> Bool
    /// Takes what a phone did. Ignores a message that the device did not receive, and a report that came before.
    func note(_ report: PhoneReport, from device: String, at now: Date) async
    /// The vendor's quotas as they are; empty where it has none.
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

/// What a phone reports to its vendor.
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
    /// The most requests in its time.
    public var limit: Int
    /// What is left of it.
    public var remaining: Int

    /// A quota as it is.
    public init(name: String, limit: Int, remaining: Int) {
        self.name = name
        self.limit = limit
        self.remaining = remaining
    }
}
