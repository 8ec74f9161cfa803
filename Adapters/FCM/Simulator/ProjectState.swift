import FoundationEssentials
import PushAdapter
import PushCrypto
import PushSimulation

/// Everything the simulator knows about one project.
struct ProjectState {
    var project: FCMProject
    /// By the id of the device.
    var registrations: [String: RegistrationState] = [:]
    var sends = RateWindow(seconds: 60)
    var changes = RateWindow(seconds: 1)
    var topicSends: [String: RateWindow] = [:]

    init(_ project: FCMProject) {
        self.project = project
        for registration in project.registrations {
            registrations[registration.device.id] = RegistrationState(registration)
        }
    }

    /// Whether the project has what the platform's push service demands.
    func hasCredentials(for platform: Platform) -> Bool {
        switch platform {
        case .ios: project.hasAPNsKey
        case .web: project.hasWebPushKey
        default: true
        }
    }

    /// The devices that a message to topics reaches, in order.
    func members(_ settings: FCMSimulatorSettings, _ now: Date, where matches: ((String) -> Bool) -> Bool) -> [String] {
        registrations.filter { _, state in
            state.isRegistered(now) && !state.isAppleTokenDead
                && hasCredentials(for: state.registration.device.platform)
                && matches { topic in
                    state.topics[topic].map { now.timeIntervalSince($0) >= settings.topicDelay } ?? false
                }
        }.keys.sorted()
    }

    mutating func takeTopicSend(_ topic: String, _ limit: Int, _ now: Date) -> Bool {
        topicSends[topic, default: RateWindow(seconds: 60)].take(limit, now)
    }
}

/// An app instance and what it received.
struct RegistrationState {
    var registration: FCMRegistration
    /// With the times of subscription.
    var topics: [String: Date] = [:]
    var inbox = Inbox()
    /// Nil until the app reports it.
    var language: String?
    /// The tokens of the app's Live Activities, by the app's ids for them.
    var activities: [String: [UInt8]] = [:]
    /// The timestamps of their newest changes.
    private var activityTimes: [String: Int] = [:]
    var store = OfflineStore()
    /// Whether APNs refuses the device.
    var isAppleTokenDead = false
    /// Sends that are accepted before the end of the registration shows; nil while it lives.
    private var acceptedAfterEnd: Int?
    private var offlineSince: Date?
    private var minute = RateWindow(seconds: 60)
    private var hour = RateWindow(seconds: 3600)

    init(_ registration: FCMRegistration) { self.registration = registration }

    // MARK: Life

    /// Whether the app instance still gets messages. Android's tokens end when they are not used for long.
    func isRegistered(_ now: Date) -> Bool {
        guard acceptedAfterEnd == nil else { return false }
        guard registration.device.platform == .android, let offlineSince else { return true }
        return now.timeIntervalSince(offlineSince) < Rules.androidIdleLife
    }

    mutating func unregister(accepting sends: Int) {
        acceptedAfterEnd = sends
        topics = [:]
    }

    /// Whether a send is accepted although the registration has ended; counts it.
    mutating func acceptsAfterEnd() -> Bool {
        guard let left = acceptedAfterEnd, left > 0 else { return false }
        acceptedAfterEnd = left - 1
        return true
    }

    mutating func setOnline(_ isOnline: Bool, _ now: Date) {
        guard isOnline != registration.device.isOnline else { return }
        registration.device.isOnline = isOnline
        offlineSince = isOnline ? nil : now
        guard isOnline else { return }
        for message in store.takeAll(now) { inbox.receive(message) }
    }

    // MARK: Messages

    /// Whether one more message is within the device's rates, which exist for Android; counts it unless it is a dry run.
    mutating func takeSend(_ settings: FCMSimulatorSettings, isDryRun: Bool, _ now: Date) -> Bool {
        guard registration.device.platform == .android else { return true }
        guard minute.fits(settings.deviceSendsPerMinute, now), hour.fits(settings.deviceSendsPerHour, now) else {
            return false
        }
        if isDryRun { return true }
        return minute.take(settings.deviceSendsPerMinute, now) && hour.take(settings.deviceSendsPerHour, now)
    }

    /// Delivers a message, or keeps it while the device is offline.
    mutating func receive(
        _ message: OutgoingMessage, as id: String, _ settings: FCMSimulatorSettings, _ now: Date
    ) {
        guard accepts(package: message.package) else { return }
        let device = registration.device
        var delivered = message.delivered(as: id, on: device.platform, settings)
        if device.platform == .ios, let token = message.activity {
            guard let change = activityChange(of: message, token, now) else { return }
            delivered.activity = change
        }
        if device.isOnline {
            inbox.receive(delivered)
        } else if let end = message.end(for: device.platform, now) {
            let key = message.collapseKey(for: registration, settings)
            store.add(OfflineStore.Item(message: delivered, end: end, key: key), now)
        }
    }

    /// What a message does to the Live Activity of this token; nil if the device ignores it. The token is also the activity's id
    /// here if the app registered no activity with it.
    private mutating func activityChange(
        of message: OutgoingMessage, _ token: String, _ now: Date
    ) -> DeliveredMessage.ActivityChange? {
        guard let change = ActivityChange(token: token, message["apns.payload.aps"]) else { return nil }
        let known = activities.first { Digests.hex($0.value) == change.token }?.key
        let id = (change.event == .start ? change.type : known) ?? change.token
        guard change.isCurrent(after: activityTimes[id], now) else { return nil }
        activityTimes[id] = change.timestamp
        return change.shown(as: id)
    }

    /// Whether a message that is restricted to a package may go here; the restriction concerns Android only.
    func accepts(package: String?) -> Bool {
        registration.device.platform != .android || package == nil || package == registration.package
    }
}
