public import PushCore

/// What an app can do only where it runs: register with its vendor, be connected, have a badge and tokens.
///
/// A host ends each call by itself, and soon after its task was cancelled: a call that never ends holds up those behind
/// it.
///
/// The vendors' server APIs have no calls for these, so code that was written against a device SDK reaches them through
/// a host. A virtual device is one; a backend that has no device needs none.
public protocol DeviceHost: Sendable {
    /// Registers the app with the vendor; again after each ``stop()``, and then perhaps with other ids.
    ///
    /// Fails with `notRegistered` where a device never gets an id, such as the simulator of a phone.
    func register(_ start: DeviceStart) async throws(PushError) -> DeviceRegistration
    /// Returns when the lasting connection to the vendor is up.
    func connect() async throws(PushError)
    /// Ends the vendor's service on the device: nothing is delivered until it is registered again.
    func stop() async throws(PushError)
    /// Stores the number that the vendor counts the badge from; the icon stays as it is.
    func setBadge(_ number: Int) async throws(PushError)
    /// Changes the icon of the app on this device, and nothing at the vendor.
    func showIcon(_ icon: IconBadge) async throws(PushError)
    /// Hands a token of the system over to the vendor.
    func upload(_ token: DeviceToken) async throws(PushError)
    /// Tells the vendor the language of the user.
    func setLanguage(_ language: String) async throws(PushError)
}

/// What a device's service is started with.
public struct DeviceStart: Sendable {
    /// The app at the vendor, as the app on the device names it; nil where the host knows it already.
    public var appID: String?
    /// The key that goes with it.
    public var appKey: Secret?
    /// How often messages shown inside the app are asked for; nil at vendors that push them.
    public var pollingInterval: Duration?

    /// Leave out what the host knows already.
    public init(appID: String? = nil, appKey: Secret? = nil, pollingInterval: Duration? = nil) {
        self.appID = appID
        self.appKey = appKey
        self.pollingInterval = pollingInterval
    }
}

/// What a registration gives a device.
public struct DeviceRegistration: Sendable, Hashable {
    /// The vendor's id of the installation.
    public var device: DeviceID
    /// The system's own token, in the form that the vendor's SDK tells it in; nil where there is none.
    public var systemToken: String?

    /// The vendor's id, and the system's token where it is told.
    public init(device: DeviceID, systemToken: String? = nil) {
        self.device = device
        self.systemToken = systemToken
    }
}

extension DeviceRegistration: CustomStringConvertible, CustomReflectable {
    /// The shortened id, and nothing of the system's token.
    public var description: String { "registered as \(device)" }
    /// Nothing beside the description, also for `dump`.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A token that the system gave the app for one kind of push.
public enum DeviceToken: Sendable, Hashable {
    /// For pushes about calls.
    case voip([UInt8])
    /// For starting Live Activities of a type of attributes.
    case liveActivityStart(attributes: String, [UInt8])
    /// For changing one Live Activity, by the app's own id of it; nil tells that it has ended.
    case liveActivityUpdate(id: String, [UInt8]?)
}

extension DeviceToken: CustomStringConvertible, CustomReflectable {
    /// The kind, and nothing of the token.
    public var description: String {
        switch self {
        case .voip: "a VoIP token"
        case .liveActivityStart: "a token that starts Live Activities"
        case .liveActivityUpdate: "a token of a Live Activity"
        }
    }
    /// Nothing beside the description, also for `dump`.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// What an app's icon shows: a device's own affair.
public enum IconBadge: Sendable, Hashable {
    /// This number.
    case number(Int)
    /// No number; notifications that are shown stay.
    case resetKeepingCenter
    /// No number, and no notifications either.
    case resetClearingCenter
}
