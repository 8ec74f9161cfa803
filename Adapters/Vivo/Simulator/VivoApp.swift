import FoundationEssentials
public import PushAdapter
public import PushSimulation

/// An app for vivo's phones: credentials, classes, quotas and devices.
public struct VivoApp: Sendable {
    /// The words of system messages.
    public static let systemCategories: Set<String> = [
        "IM", "ACCOUNT", "TODO", "DEVICE_REMINDER", "ORDER", "SUBSCRIPTION",
    ]
    /// The words of operational messages.
    public static let operationalCategories: Set<String> = ["NEWS", "CONTENT", "MARKETING", "SOCIAL"]

    /// The app id.
    public var appID: Int
    /// The app key.
    public var key: String
    /// The app secret.
    public var secret: Secret
    /// The installations that exist from the start. Their ids are regIds.
    public var devices: [VirtualDevice]
    /// The aliases of installations, by regId. Only the SDK on the phone sets them.
    public var aliases: [String: String] = [:]

    /// Whether the vendor still reviews the app. It may then send tests only.
    public var isInReview = false
    /// Whether push is switched off for the app.
    public var isClosed = false
    /// The system categories that the vendor approved. A message of another one counts as operational.
    public var approved = VivoApp.systemCategories
    /// Whether the app may change the number on its icon.
    public var mayBadge = false
    /// The regIds of the phones that are entered for tests.
    public var testDevices: Set<String> = []
    /// The tags that exist. Devices join only these.
    public var tags: Set<String> = []

    /// Devices that count for the day's quotas. Fewer than 10,000 count as 10,000.
    public var enabledDevices = 0
    /// Operational messages a day, as a multiple of the devices: 2; 3 for news.
    public var operationalFactor = 2
    /// System messages a day, as a multiple of the devices.
    public var systemFactor = 20
    /// Operational messages per device and day: 2; 5 for news.
    public var operationalPerDevice = 2
    /// Sends to everyone a day.
    public var broadcastsPerDay = 1

    /// Creates an app that passed the review.
    public init(appID: Int, key: String, secret: Secret, devices: [VirtualDevice] = []) {
        (self.appID, self.key, self.secret, self.devices) = (appID, key, secret, devices)
    }

    /// The sends per second, by the number of devices.
    var requestsPerSecond: Int {
        switch enabledDevices {
        case ..<5_000_000: 3000
        case ..<8_000_000: 4000
        default: 5000
        }
    }

    /// The messages of a class a day, by arrival.
    func quota(of lane: Lane, least base: Int) -> Int {
        max(base, enabledDevices) * (lane == .system ? systemFactor : operationalFactor)
    }
}

/// The two classes of messages, by content.
enum Lane: Int {
    case operational = 0
    case system = 1

    /// The class that a category belongs to; nil for an unknown category.
    init?(category: String) {
        if VivoApp.systemCategories.contains(category) {
            self = .system
        } else if VivoApp.operationalCategories.contains(category) {
            self = .operational
        } else {
            return nil
        }
    }
}
