import FoundationEssentials
import PushAdapter
import PushDevice
import PushSimulation

/// Everything a phone knows: the things it shows, and the work it has yet to do.
struct PhoneMemory: Sendable {
    /// A local notification with its next moment; nil while it waits for a place.
    struct Scheduled {
        var request: PhoneNotification.Request
        var date: Date?
    }

    /// A notification that the app's extension may change, until a deadline.
    struct Extended {
        var notification: PhoneNotification
        var goesToOpenApp: Bool
        var deadline: Date
    }

    var state = PhoneState()
    weak var app: (any PhoneApp)?
    var scheduled: [Scheduled] = []
    /// Notifications that the app's extension has not passed on yet, by number.
    var extended: [Int: Extended] = [:]
    /// Notifications for which the app in the foreground has not chosen a presentation yet, by number.
    var presenting: [Int: PhoneNotification] = [:]
    /// Pushes that woke the app and are not finished, with the index of their result and their deadline.
    var waking: [Int: (index: Int, deadline: Date)] = [:]
    /// Custom messages that the app has not got yet, because it has no connection to the vendor.
    var held: [DeliveredMessage] = []
    var place: (latitude: Double, longitude: Double)?
    /// In-app messages that the app has not polled yet, and when it polls.
    var offered: [InAppMessage] = []
    var polling: (start: Date, interval: Duration)?
    var nextPoll: Date?
    private var lastNumber = 0

    /// Calls to the app that follow from changes, in order. One caller at a time makes them, after unlocking.
    var effects: [@Sendable () -> Void] = []
    var isCalling = false
    /// Reports that the vendor has not got yet; they wait while the phone is not joined.
    var reports: [PhoneReport] = []
    var reporting: Task<Void, Never>?
    /// Whether the vendor has this phone as connected, and the task that changes it.
    var isJoined = false
    var joining: Task<Void, Never>?
    var observers: [@Sendable () -> Void] = []
    /// Whether the app's own connection to the vendor is up.
    var isConnected = false
    /// The number of registrations that are running. Their callers learn of the connection by themselves.
    var registering = 0
    var connectionObservers: [@Sendable () -> Void] = []

    /// Whether the vendor should have the phone as connected.
    var wantsToJoin: Bool { state.isReachable && state.isRegistered }

    /// Follows the app's own connection, which an Apple app has only on the screen, and reports when it is up again.
    mutating func followConnection(isApple: Bool) {
        let isUp = wantsToJoin && isJoined && (!isApple || state.appState == .foreground)
        defer { isConnected = isUp }
        guard isUp, !isConnected, registering == 0 else { return }
        effects += connectionObservers
    }

    /// When something is due next; nil if nothing is.
    var nextMoment: Date? {
        let local = scheduled.compactMap(\.date) + (nextPoll.map { [$0] } ?? [])
        return (local + extended.values.map(\.deadline) + waking.values.map(\.deadline)).min()
    }

    /// Sets the next poll after a moment, if there is something to poll for.
    mutating func planPoll(after now: Date) {
        guard let polling, !offered.isEmpty else {
            nextPoll = nil
            return
        }
        let interval = polling.interval.seconds
        let passed = (now.timeIntervalSince(polling.start) / interval).rounded(.down)
        nextPoll = polling.start.addingTimeInterval((max(0, passed) + 1) * interval)
    }

    /// Shows the in-app messages that the vendor has, if the app is in the foreground and has a network.
    mutating func poll(_ now: Date) {
        if state.appState == .foreground, wantsToJoin {
            state.inAppMessages += offered
            offered = []
        }
        planPoll(after: now)
    }

    mutating func newNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Calls the app after the change.
    mutating func tell(_ call: @escaping @Sendable (any PhoneApp) -> Void) {
        guard let app else { return }
        effects.append { call(app) }
    }

    mutating func report(_ report: (String) -> PhoneReport, _ request: PhoneNotification.Request) {
        if let id = request.messageID { reports.append(report(id)) }
    }

    // MARK: Showing

    /// Applies a presentation; puts a notification with a text into the center, in place of one with the same
    /// identifier.
    mutating func show(_ notification: PhoneNotification, _ presentation: PhoneNotification.Presentation) {
        let content = notification.content
        if presentation.contains(.badge), let badge = content.badge { state.icon = max(0, badge) }
        if presentation.contains(.sound), let sound = content.sound { state.sounds.append(sound) }
        guard presentation.contains(.alert), content.hasText else { return }
        if state.appState == .foreground { state.banners.append(notification) }
        state.center.removeAll { $0.id == notification.id }
        state.center.insert(notification, at: 0)
        report(PhoneReport.displayed, notification.request)
    }

    // MARK: The app

    /// Brings the app to the foreground; starts it if it does not run.
    mutating func open(_ options: LaunchOptions = LaunchOptions()) {
        let wasRunning = state.appState != .notRunning
        state.appState = .foreground
        if !wasRunning { tell { $0.didFinishLaunching(options) } }
        handHeld()
    }

    /// Starts the app without showing it, unless it runs.
    mutating func startInBackground(_ options: LaunchOptions = LaunchOptions()) {
        guard state.appState == .notRunning else { return }
        state.appState = .background
        tell { $0.didFinishLaunching(options) }
    }

    /// Passes the custom messages that waited to an app in the foreground, if there is a connection.
    mutating func handHeld() {
        guard wantsToJoin, state.appState == .foreground else { return }
        let waiting = held
        held = []
        for message in waiting { hand(message) }
    }

    /// Passes a custom message to the app.
    mutating func hand(_ message: DeliveredMessage) {
        guard let custom = message.custom else { return }
        var userInfo = custom.parts
        userInfo["messageID"] = .string(message.messageID)
        userInfo["extras"] = .object(custom.extras)
        state.customMessages.append(userInfo)
        reports.append(.customDelivered(message.messageID))
        let complete = userInfo
        tell { $0.didReceiveCustomMessage(complete) }
    }
}

extension CustomMessage {
    /// Content, title and content type, under the names that apps know; without the extras.
    var parts: [String: JSONValue] {
        var parts: [String: JSONValue] = ["content": .string(content)]
        parts["title"] = title.map(JSONValue.string)
        parts["content_type"] = contentType.map(JSONValue.string)
        return parts
    }
}
