public import PushAdapter
public import PushSimulation

/// The phones that a host of the vendor serves. A registration id tells where its phone is.
public enum OPPORegion: Sendable, Hashable {
    /// Mainland China.
    case china
    /// All other countries.
    case abroad

    /// The region of an id, by its parts between underscores.
    init(of id: String) {
        let parts = id.split(separator: "_", omittingEmptySubsequences: false)
        self = parts.count == 1 || parts.count <= 3 && parts.dropLast().last == "CN" ? .china : .abroad
    }
}

/// A private template that the vendor approved. Its wordings have variables in braces, such as `Order {number}`.
public struct OPPOTemplate: Sendable {
    /// The wording of the title.
    public var title: String
    /// The wording of the text.
    public var content: String

    /// A template with these wordings.
    public init(title: String, content: String) { (self.title, self.content) = (title, content) }

    /// A wording with its values; nil if these are not the values of its variables.
    static func fill(_ wording: String, _ values: [String: JSONValue]) -> String? {
        let names = wording.matches(of: /\{([^{}]+)\}/).map { String($0.output.1) }
        guard Set(names) == Set(values.keys), values.values.allSatisfy({ !$0.shown.isEmpty }) else { return nil }
        return values.reduce(wording) { $0.replacing("{\($1.key)}", with: $1.value.shown) }
    }
}

/// An app for OPPO's phones: credentials, rights, quotas and devices.
public struct OPPOApp: Sendable {
    /// The app key.
    public var key: String
    /// The master secret.
    public var masterSecret: Secret
    /// The installations that exist from the start. Their ids are registration ids.
    public var devices: [VirtualDevice]
    /// The id with which ids of messages begin.
    public var id = "30000001"
    /// The aliases of installations, by registration id.
    public var aliases: [String: String] = [:]
    /// The channels that are registered, and that the app creates on phones.
    public var channels: Set<String> = []
    /// Private channels from before the classes. A message without a class in one of them is a service message.
    public var oldPrivateChannels: Set<String> = []
    /// The categories of communication and service that the vendor approved.
    public var approved: Set<String> = []
    /// The values of `notify_level` for which the app has the right.
    public var levels: Set<Int> = []
    /// The private templates, by id.
    public var templates: [String: OPPOTemplate] = [:]
    /// Whether the app may send pictures, buttons and the other parts that need a right.
    public var hasExtras = false
    /// Whether the app is switched on.
    public var isOn = true
    /// The users so far. The day's marketing messages and the rate depend on it.
    public var users = 0
    /// Targets per second; nil for the number that goes with the users.
    public var targetsPerSecond: Int?
    /// Marketing messages per day; nil for the number that goes with the users.
    public var marketingPerDay: Int?
    /// Marketing messages per device and day; 5 for news.
    public var marketingPerDevice = 2

    /// Creates an app with no rights.
    public init(key: String, masterSecret: Secret, devices: [VirtualDevice] = []) {
        (self.key, self.masterSecret, self.devices) = (key, masterSecret, devices)
    }

    var rate: Int {
        let bands = [(100_000_000, 30_000), (50_000_000, 20_000), (10_000_000, 10_000)]
        return targetsPerSecond ?? bands.first { users >= $0.0 }?.1 ?? 5000
    }

    var marketing: Int { marketingPerDay ?? max(100_000, users * 2) }
}
