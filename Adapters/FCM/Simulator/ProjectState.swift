import FoundationEssentials
import PushAdapter
import PushCrypto
import PushSimulation

/// The state of one project.
struct ProjectState {
    var project: FCMProject
    /// By device id.
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

    /// Whether the project has the credentials that the platform's push service requires.
    func hasCredentials(for platform: Platform) -> Bool {
        switch platform {
        case .ios: project.hasAPNsKey
        case .web: project.hasWebPushKey
        default: true
        }
    }

    /// The devices that a message to topics reaches, sorted.
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

/// An app instance and its received messages.
struct RegistrationState {
    var registration: FCMRegistration
    /// Each topic with the time of subscription.
    var topics: [String: Date] = [:]
    var inbox = Inbox()
    /// Nil until the app reports the language.
    var language: String?
    /// The tokens of the app's Live Activities, by the app's ids for them.
    var activities: [String: [UInt8]] = [:]
    /// The timestamp of each activity's newest change.
    private var activityTimes: [String: Int] = [:]
    var store = OfflineStore()
    /// Whether APNs refuses the device.
    var isAppleTokenDead = false
    /// The sends that are still accepted after the registration ended; nil while the registration lives.
    private var acceptedAfterEnd: Int?
    private var offlineSince: Date?
    private var minute = RateWindow(seconds: 60)
    private var hour = RateWindow(seconds: 3600)

    init(_ registration: FCMRegistration) { self.registration = registration }

    // MARK: Life

    /// Whether the app instance still gets messages. On Android, a token that is unused for long ends.
    func isRegistered(_ now: Date) -> Bool {
        guard acceptedAfterEnd == nil else { return false }
        guard registration.device.platform == .android, let offlineSince else { return true }
        return now.timeIntervalSince(offlineSince) < Rules.androidIdleLife
    }

    mutating func unregister(accepting sends: Int) {
        acceptedAfterEnd = sends
        topics = [:]
    }

    /// Whether a send is accepted although the registration has ended. Counts the send.
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

    /// Whether the device's rates allow one more message. Only Android has such rates. Counts the message unless it is
    /// a dry run.
    mutating func takeSend(_ settings: FCMSimulatorSettings, isDryRun: Bool, _ now: Date) -> Bool {
        guard registration.device.platform == .android else { return true }
        guard minute.fits(settings.deviceSendsPerMinute, now), hour.fits(settings.deviceSendsPerHour, now) else {
            return false
        }
        if isDryRun { return true }
        return minute.take(settings.deviceSendsPerMinute, now) && hour.take(settings.deviceSendsPerHour, now)
    }

    /// Delivers a message. For an offline device, keeps it.
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

    /// The change to the Live Activity of this token; nil if the device ignores it. If the app registered no activity
    /// with the token, the token is also the activity's id.
    private mutating func activityChange(
        of message: OutgoingMessage, _ token: String, _ now: Date
    ) -> DeliveredMessage.ActivityChange? {
        guard let change = ActivityPayload(aps: message["apns.payload.aps"]) else { return nil }
        let token = token.lowercased()
        let known = activities.first { Digests.hex($0.value) == token }?.key
        let id = (change.event == .start ? change.type : known) ?? token
        guard change.isCurrent(after: activityTimes[id], now) else { return nil }
        activityTimes[id] = change.timestamp
        return change.change(of: id)
    }

    /// Whether a message restricted to a package may go here. The restriction applies only to Android.
    func accepts(package: String?) -> Bool {
        registration.device.platform != .android || package == nil || package == registration.package
    }
}
