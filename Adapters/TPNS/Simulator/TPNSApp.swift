public import PushAdapter
public import PushSimulation

/// One app at an access point: an AccessId, which is for one platform.
public struct TPNSApp: Sendable {
    /// Whether the app may be used.
    public enum Contract: Sendable, Hashable {
        /// Everything works.
        case paid
        /// Pushes are refused, everything else works.
        case suspended
        /// Every call is refused.
        case expired
    }

    /// The AccessId in requests.
    public var accessID: UInt32
    /// The key for servers; not a real one.
    public var secretKey: String
    /// The key with which the device SDK must start the app; nil accepts any.
    public var accessKey: Secret?
    /// iOS or Android.
    public var platform: Platform
    /// Installations that exist from the start.
    public var devices: [VirtualDevice]
    /// The attribute names of the console; others are ignored.
    public var attributeNames: Set<String>
    /// Lists that were uploaded before the start, by id.
    public var packages: [Int: [String]] = [:]
    /// Whether the app may be used.
    public var contract = Contract.paid

    /// An app with these installations and attributes.
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
