import HuaweiSimulation
public import PushAdapter
public import PushCrypto
public import PushSimulation

/// A project with its app: keys, rights, quotas and devices.
public struct HarmonyProject: Sendable {
    /// A punishment of an app. The pages name all three.
    public enum Penalty: Sendable, Hashable {
        /// Refuses every request with 80300037.
        case refusesRequests
        /// Refuses every token with `disableSendHuaweiMsgBecauseOfPenalty`.
        case refusesTokens
        /// Accepts every request, and delivers nothing: receipts have 256.
        case dropsMessages
    }

    /// The project id, which the path of a send has.
    public var id: String
    /// The client id of the app, which the path of a recall has.
    public var clientID: String
    /// The bundle name of the app, which receipts have.
    public var bundleName: String
    /// `sub_account` of the key file, the issuer of tokens.
    public var subAccount: String
    /// The public keys of the service account, by `key_id`.
    public var keys: [String: VerifyingKey]
    /// The installations that exist from the start. Their ids are push tokens.
    public var devices: [VirtualDevice]

    /// Whether Push Kit is switched on.
    public var isPushOn = true
    /// The punishment of the app; nil for none.
    public var penalty: Penalty?
    /// The categories for which the app has the right; at first all. Others count as marketing.
    public var categories: Set<String> = PushContent.serviceCategories
    /// The push types for which the app has the right, of those that need one: 2, 7 and 10.
    public var pushTypes: Set<Int> = [2, 7, 10]
    /// The events of live views for which the app has the right; at first all.
    public var liveViewEvents: Set<String> = LiveView.events
    /// Marketing notifications a device and day: 2 or 5 by the type of the app.
    public var marketingPerDay = 2
    /// Devices per second, as the console shows. The figure is the least of Android, and assumed here.
    public var devicesPerSecond = 6000
    /// Test messages a day.
    public var testMessagesPerDay = 1000

    /// Creates a project with Push Kit on and every right.
    public init(
        id: String, clientID: String, bundleName: String = "com.example.app", subAccount: String,
        keys: [String: VerifyingKey], devices: [VirtualDevice] = []
    ) {
        (self.id, self.clientID, self.bundleName) = (id, clientID, bundleName)
        (self.subAccount, self.keys, self.devices) = (subAccount, keys, devices)
    }

    /// Generates a project with a new key, and the JSON file of the key as the console offers it. Throws
    /// `invalidState` if no key can be generated.
    public static func generate(
        id: String, clientID: String, devices: [VirtualDevice] = []
    ) throws(PushError) -> (project: HarmonyProject, keyFile: [String: JSONValue]) {
        try generate(id: id, clientID: clientID, with: .generate(.ps256), devices: devices)
    }

    /// The same with this RSA key. Throws `misconfigured` for a key of another type.
    public static func generate(
        id: String, clientID: String, with key: SigningKey, devices: [VirtualDevice] = []
    ) throws(PushError) -> (project: HarmonyProject, keyFile: [String: JSONValue]) {
        let (account, file) = try Keyring.Account.generate(project: id, with: key)
        let project = HarmonyProject(
            id: id, clientID: clientID, subAccount: account.issuer, keys: account.keys, devices: devices)
        return (project, file)
    }
}
