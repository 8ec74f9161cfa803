public import PushAdapter

/// The actions that an app can take only on a device: register with its vendor, connect, show a badge, pass on tokens.
///
/// A host must end every call on its own, and soon after its task is cancelled: a call that never ends blocks those
/// behind it.
///
/// The vendors' server APIs have no calls for this, so code written for a device SDK reaches it through a host. A
/// virtual device is a host; a backend without a device needs none.
public protocol DeviceHost: Sendable {
    /// Registers the app with the vendor. Called again after each ``stop()``, and may then return other ids.
    ///
    /// Fails with `notRegistered` if the device never gets an id, such as a phone simulator.
    func register(_ start: DeviceStart) async throws(PushError) -> DeviceRegistration
    /// Returns when the persistent connection to the vendor is up.
    func connect() async throws(PushError)
    /// Calls a function whenever the persistent connection comes back, because the app is back on the screen or the
    /// network is back. The first connection after a registration is ``connect()``'s. The function does not retain the
    /// host.
    func onReconnection(_ notify: @escaping @Sendable () -> Void)
    /// Ends the vendor's service on the device: nothing is delivered until it is registered again.
    func stop() async throws(PushError)
    /// Stores the number from which the vendor counts the badge; the icon does not change.
    func setBadge(_ number: Int) async throws(PushError)
    /// Changes the app's icon on this device, and nothing at the vendor.
    func showIcon(_ icon: IconBadge) async throws(PushError)
    /// Passes a system token to the vendor.
    func upload(_ token: DeviceToken) async throws(PushError)
    /// Sends the user's language to the vendor.
    func setLanguage(_ language: String) async throws(PushError)
}

/// The values that start a device's service.
public struct DeviceStart: Sendable {
    /// The app at the vendor, as the device app names it; nil if the host already knows it.
    public var appID: String?
    /// The key of that app.
    public var appKey: Secret?
    /// How often the device polls for in-app messages; nil at vendors that push them.
    public var pollingInterval: Duration?

    /// Leave out the values that the host already knows.
    public init(appID: String? = nil, appKey: Secret? = nil, pollingInterval: Duration? = nil) {
        self.appID = appID
        self.appKey = appKey
        self.pollingInterval = pollingInterval
    }
}

/// The result of a registration.
public struct DeviceRegistration: Sendable, Hashable {
    /// The vendor's id for the installation.
    public var device: DeviceID
    /// The system's own token, in the form that the vendor's SDK reports; nil if there is none.
    public var systemToken: String?

    /// The vendor's id, and the system's token if known.
    public init(device: DeviceID, systemToken: String? = nil) {
        self.device = device
        self.systemToken = systemToken
    }
}

extension DeviceRegistration: CustomStringConvertible, CustomReflectable {
    /// The shortened id, without the system's token.
    public var description: String { "registered as \(device)" }
    /// Empty, so that `dump` too shows only the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The badge on an app's icon. It concerns only the device.
public enum IconBadge: Sendable, Hashable {
    /// This number.
    case number(Int)
    /// No number; shown notifications stay.
    case resetKeepingCenter
    /// No number and no notifications.
    case resetClearingCenter
}
