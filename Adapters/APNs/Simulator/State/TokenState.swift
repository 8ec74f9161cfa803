import FoundationEssentials
import PushAdapter
import PushSimulation

/// The state of a device token.
struct TokenState {
    /// The bundle id of the token's app.
    let app: String
    let device: String
    let purpose: APNsRegistration.Purpose
    /// The app's id for the Live Activity that the token changes; nil if the app gave none.
    let activity: String?
    var environment: AppEnvironment
    /// Nil while the token lives.
    var end: TokenEnd?
    /// The last push for an offline device.
    var waiting: (push: Push, end: Date, number: Int)?
    var pushes = RateWindow(seconds: 60)

    init(_ registration: APNsRegistration, app: String, activity: String? = nil) {
        self.app = app
        self.activity = activity
        device = registration.device.id
        environment = registration.device.environment
        purpose = registration.purpose
    }

    var topic: Topic { Topic(app, purpose.suffix) }
}

/// The end of a device token. Apple learns of it late.
struct TokenEnd {
    private let since: Date
    /// Whether Apple ended the token itself and so knows at once.
    private let isExpiry: Bool
    /// Pushes that reached the device since then.
    private var pushes = 0
    private var detection: Date?

    private init(_ since: Date, isExpiry: Bool) {
        self.since = since
        self.isExpiry = isExpiry
    }

    static func removal(_ date: Date) -> TokenEnd { TokenEnd(date, isExpiry: false) }
    static func expiry(_ date: Date) -> TokenEnd { TokenEnd(date, isExpiry: true) }

    /// The refusal of a push; nil while Apple still accepts pushes, which are lost.
    func refusal(_ settings: APNsSimulatorSettings, _ now: Date) -> Refusal? {
        if isExpiry { return Refusal(410, "ExpiredToken", timestamp: since) }
        guard let detection = settings.pushesUntilUnregistered > 0 ? detection : since,
            now.timeIntervalSince(since) >= settings.unregisteredDelay
        else { return nil }
        return Refusal(410, "Unregistered", timestamp: settings.datesDetection ? detection : since)
    }

    /// Notes that a push reached the device, which no longer has the app.
    mutating func noteArrival(_ settings: APNsSimulatorSettings, _ now: Date) {
        pushes += 1
        if detection == nil, pushes >= settings.pushesUntilUnregistered { detection = now }
    }
}
