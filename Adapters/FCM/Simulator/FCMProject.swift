public import PushSimulation

/// A Firebase project with its apps' registrations.
public struct FCMProject: Sendable {
    /// The project id, for example `example-project`.
    public var id: String
    /// The project number, in digits; also the sender id of its registrations.
    public var number: String
    /// Registrations that exist from the start.
    public var registrations: [FCMRegistration]
    /// Numbers of other projects whose registrations this project may address.
    public var otherSenders: Set<String> = []
    /// Whether the Firebase Cloud Messaging API is enabled.
    public var isAPIEnabled = true
    /// Whether the project has the API for topic subscriptions.
    public var hasTopicAPI = true
    /// Whether the project may use Instance ID, which the vendor closes to new projects.
    public var hasInstanceID = true
    /// Whether the project has a valid key for APNs.
    public var hasAPNsKey = true
    /// Whether the project has a valid key pair for web push.
    public var hasWebPushKey = true
    /// Messages a minute, including those that were refused.
    public var sendsPerMinute = 600_000
    /// What the vendor reports about earlier messages, newest day first.
    public var deliveries: [FCMDeliveryRow] = []

    /// A project where everything is enabled.
    /// - Parameters:
    ///   - id: the project id.
    ///   - number: the project number.
    ///   - devices: installations that exist from the start.
    ///   - idKind: what the ids of these devices are.
    public init(
        id: String, number: String, devices: [VirtualDevice] = [], idKind: FCMRegistration.IDKind = .token
    ) {
        self.id = id
        self.number = number
        registrations = devices.map { FCMRegistration($0, idKind: idKind) }
    }
}

/// An app instance that is registered for messages.
public struct FCMRegistration: Sendable {
    /// What a device id is at the vendor.
    public enum IDKind: Sendable, Hashable {
        /// A registration token.
        case token
        /// A Firebase installation id.
        case fid
    }

    /// The device, whose id tests use. Its platform is Android, iOS or `web`.
    public var device: VirtualDevice
    /// The registration token; nil for an instance without one.
    public var token: String?
    /// The Firebase installation id; nil for an instance that is not registered by it.
    public var fid: String?
    /// The package of the app, or its bundle id.
    public var package: String

    /// A registration whose token or installation id is the id of the device.
    public init(_ device: VirtualDevice, idKind: IDKind = .token, package: String = "com.example.app") {
        self.init(
            device, token: idKind == .token ? device.id : nil, fid: idKind == .fid ? device.id : nil, package: package)
    }

    /// A registration with a token, an installation id, or both.
    public init(_ device: VirtualDevice, token: String?, fid: String?, package: String = "com.example.app") {
        self.device = device
        self.token = token
        self.fid = fid
        self.package = package
    }
}

/// A row of the vendor's report on deliveries: one app, one day, one label.
public struct FCMDeliveryRow: Sendable {
    /// The Firebase app id.
    public var app: String
    /// The day in Los Angeles.
    public var day: (year: Int, month: Int, day: Int)
    /// The analytics label; nil for messages without one.
    public var label: String?
    /// Messages that the vendor accepted for Android devices.
    public var accepted: Int
    /// What became of them, in percent, by the vendor's names such as `delivered`.
    public var outcomes: [String: Double]

    /// A row with these numbers.
    public init(
        app: String, day: (year: Int, month: Int, day: Int), label: String? = nil, accepted: Int,
        outcomes: [String: Double] = [:]
    ) {
        self.app = app
        self.day = day
        self.label = label
        self.accepted = accepted
        self.outcomes = outcomes
    }
}
