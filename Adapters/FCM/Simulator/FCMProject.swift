public import PushSimulation

/// A Firebase project with its registrations.
public struct FCMProject: Sendable {
    /// The project id, for example `example-project`.
    public var id: String
    /// The project number, in digits. It is also the sender id of the project's registrations.
    public var number: String
    /// The registrations that exist from the start.
    public var registrations: [FCMRegistration]
    /// Numbers of other projects whose registrations this project may address.
    public var otherSenders: Set<String> = []
    /// Whether the Firebase Cloud Messaging API is enabled.
    public var isAPIEnabled = true
    /// Whether the project has the API for topic subscriptions.
    public var hasTopicAPI = true
    /// Whether the project may use Instance ID. The vendor closes it to new projects.
    public var hasInstanceID = true
    /// Whether the project has a valid key for APNs.
    public var hasAPNsKey = true
    /// Whether the project has a valid key pair for web push.
    public var hasWebPushKey = true
    /// The number of messages per minute, including refused ones.
    public var sendsPerMinute = 600_000
    /// The vendor's report on earlier messages, newest day first.
    public var deliveries: [FCMDeliveryRow] = []

    /// Creates a project with everything enabled.
    /// - Parameters:
    ///   - id: the project id.
    ///   - number: the project number.
    ///   - devices: installations that exist from the start.
    ///   - idKind: the kind of these devices' ids.
    public init(
        id: String, number: String, devices: [VirtualDevice] = [], idKind: FCMRegistration.IDKind = .token
    ) {
        self.id = id
        self.number = number
        registrations = devices.map { FCMRegistration($0, idKind: idKind) }
    }
}

/// An app instance registered for messages.
public struct FCMRegistration: Sendable {
    /// The kind of id that the vendor has for a device.
    public enum IDKind: Sendable, Hashable {
        /// A registration token.
        case token
        /// A Firebase installation id.
        case fid
    }

    /// The device. Tests use its id. Its platform is Android, iOS or `web`.
    public var device: VirtualDevice
    /// The registration token; nil for an instance without one.
    public var token: String?
    /// The Firebase installation id; nil for an instance that is not registered with one.
    public var fid: String?
    /// The app's package or bundle id.
    public var package: String

    /// Creates a registration whose token or installation id is the device's id.
    public init(_ device: VirtualDevice, idKind: IDKind = .token, package: String = "com.example.app") {
        self.init(
            device, token: idKind == .token ? device.id : nil, fid: idKind == .fid ? device.id : nil, package: package)
    }

    /// Creates a registration with a token, an installation id, or both.
    public init(_ device: VirtualDevice, token: String?, fid: String?, package: String = "com.example.app") {
        self.device = device
        self.token = token
        self.fid = fid
        self.package = package
    }
}

/// A row of the delivery report: one app, one day, one label.
public struct FCMDeliveryRow: Sendable {
    /// The Firebase app id.
    public var app: String
    /// The day in Los Angeles.
    public var day: (year: Int, month: Int, day: Int)
    /// The analytics label; nil for messages without one.
    public var label: String?
    /// Messages that the vendor accepted for Android devices.
    public var accepted: Int
    /// The outcomes in percent, under the vendor's names such as `delivered`.
    public var outcomes: [String: Double]

    /// Creates a row.
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
