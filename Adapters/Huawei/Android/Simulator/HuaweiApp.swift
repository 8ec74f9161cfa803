import HuaweiSimulation
public import PushAdapter
public import PushCrypto
public import PushSimulation

/// An app for Android: credentials, rights, quotas and devices.
public struct HuaweiApp: Sendable {
    /// The OAuth 2.0 client id, in digits, which the path of version 1 has. Samples call it the app id.
    public var clientID: String
    /// The client secret.
    public var clientSecret: Secret
    /// The id of the app's project, which the path of version 2 has. Several apps may have one.
    public var projectID: String
    /// The package name, which receipts in their second version have.
    public var packageName = "com.example.app"
    /// `sub_account` of the project's key file, the issuer of tokens.
    public var subAccount: String
    /// The public keys of the project's service account, by `key_id`.
    public var keys: [String: VerifyingKey]
    /// The installations that exist from the start. Their ids are push tokens.
    public var devices: [VirtualDevice]

    /// Whether Push Kit is switched on.
    public var isPushOn = true
    /// Whether the vendor punishes the app: 80300037, documented for HarmonyOS only.
    public var isPunished = false
    /// The categories for which the app has the right; at first all. Others count as marketing.
    public var categories: Set<String> = AndroidMessage.serviceCategories
    /// Whether the app has the right for data messages with the urgency `HIGH`.
    public var maySendUrgently = true
    /// Marketing notifications a device and day: 2, or 5 for news.
    public var marketingPerDay = 2
    /// Messages of all kinds a device and day, until midnight. A third party says 24 hours instead.
    public var messagesPerDevice = 3000
    /// Devices per second: at least this many; more with more users.
    public var devicesPerSecond = 6000
    /// Test messages a day.
    public var testMessagesPerDay = 500

    /// Creates an app with Push Kit on and every right.
    public init(
        clientID: String, clientSecret: Secret, projectID: String, subAccount: String = "",
        keys: [String: VerifyingKey] = [:], devices: [VirtualDevice] = []
    ) {
        (self.clientID, self.clientSecret, self.projectID) = (clientID, clientSecret, projectID)
        (self.subAccount, self.keys, self.devices) = (subAccount, keys, devices)
    }

    /// Generates an app whose project has a new key, and the JSON file of the key as the console offers it. Throws
    /// `invalidState` if no key can be generated.
    public static func generate(
        clientID: String, clientSecret: Secret, projectID: String, devices: [VirtualDevice] = []
    ) throws(PushError) -> (app: HuaweiApp, keyFile: [String: JSONValue]) {
        let (account, file) = try Keyring.Account.generate(project: projectID, with: .generate(.ps256))
        let app = HuaweiApp(
            clientID: clientID, clientSecret: clientSecret, projectID: projectID, subAccount: account.issuer,
            keys: account.keys, devices: devices)
        return (app, file)
    }
}
