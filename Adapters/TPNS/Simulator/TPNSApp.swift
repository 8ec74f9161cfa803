public import PushAdapter
public import PushSimulation

/// One app at an access point: an AccessId for one platform.
public struct TPNSApp: Sendable {
    /// The state of the app's contract.
    public enum Contract: Sendable, Hashable {
        /// Everything works.
        case paid
        /// Pushes are refused; everything else works.
        case suspended
        /// Every call is refused.
        case expired
    }

    /// The AccessId in requests.
    public var accessID: UInt32
    /// The key for servers; not a real one.
    public var secretKey: String
    /// The key that the device SDK must use to start the app; nil accepts any key.
    public var accessKey: Secret?
    /// iOS or Android.
    public var platform: Platform
    /// The installations that exist from the start.
    public var devices: [VirtualDevice]
    /// The attribute names in the console. Other names are ignored.
    public var attributeNames: Set<String>
    /// Lists uploaded before the start, by id.
    public var packages: [Int: [String]] = [:]
    /// The state of the app's contract.
    public var contract = Contract.paid

    /// Creates an app with these installations and attributes.
    public init(
        accessID: UInt32, secretKey: String, platform: Platform, devices: [VirtualDevice] = [],
        attributeNames: Set<String> = []
    ) {
        self.accessID = accessID
        self.secretKey = secretKey
        self.platform = platform
        self.devices = devices
        self.attributeNames = attributeNames
    }
}
