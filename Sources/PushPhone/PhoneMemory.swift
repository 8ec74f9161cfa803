import FoundationEssentials
import PushCore
import PushDevice
import PushSimulation

/// Everything a phone knows: what it shows, and what it has yet to do.
struct PhoneMemory: Sendable {
    /// A local notification with its next moment; nil while it waits for a place.
    struct Scheduled {
        var request: PhoneNotification.Request
        var date: Date?
    }

    /// A notification that the app's extension has.
    struct Extended {
        var notification: PhoneNotification
        var deadline: Date
    }

    var state = PhoneState()
    weak var app: (any PhoneApp)?
    var scheduled: [Scheduled] = []
    /// The vendor's ids of shown messages, by the identifiers of their notifications.
    var messageIDs: [String: String] = [:]
    /// Notifications that the app's extension has not passed on yet, by number.
    var extended: [Int: Extended] = [:]
    /// Pushes that woke the app and are not finished, with the index of their result and their deadline.
    var waking: [Int: (index: Int, deadline: Date)] = [:]
    /// Custom messages that came over no connection yet, because the app was not in the foreground.
    var held: [DeliveredMessage] = []
    var place: (latitude: Double, longitude: Double)?
    private var lastNumber = 0

    /// What follows from a change; done after unlocking, because the app may call the phone.
    var effects: [@Sendable () -> Void] = []
    var reports: [PhoneReport] = []
    var reporting: Task<Void, Never>?
    var observers: [@Sendable () -> Void] = []

    mutating func newNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Calls the app after the change.
    mutating func tell(_ call: @escaping @Sendable (any PhoneApp) -> Void) {
        guard let app else { return }
        effects.append { call(app) }
    }

    mutating func report(_ report: (String) -> PhoneReport, _ notification: PhoneNotification) {
        guard let id = messageIDs[notification.id] else { return }
        reports.append(report(id))
    }

    // MARK: Showing

    /// Puts a notification on the screen and in the center, in place of one with the same identifier.
    mutating func show(_ notification: PhoneNotification, _ presentation: PhoneNotification.Presentation) {
        let content = notification.content
        if presentation.contains(.badge), let badge = content.badge { state.icon = max(0, badge) }
        if presentation.contains(.sound), let sound = content.sound { state.sounds.append(sound) }
        guard presentation.contains(.alert) else { return }
        if state.appState == .foreground { state.banners.append(notification) }
        state.center.removeAll { $0.id == notification.id }
        state.center.insert(notification, at: 0)
        report(PhoneReport.displayed, notification)
    }

    /// Brings the app to the foreground; starts it if it does not run.
    mutating func open(_ options: LaunchOptions = LaunchOptions()) {
        let wasRunning = state.appState != .notRunning
        state.appState = .foreground
        if !wasRunning { tell { $0.didFinishLaunching(options) } }
        let waiting = held
        held = []
        for message in waiting { hand(message) }
    }

    /// Passes a custom message to the app.
    mutating func hand(_ message: DeliveredMessage) {
        var userInfo: [String: JSONValue] = [
            "content": .string(message.custom ?? ""), "messageID": .string(message.messageID),
            "extras": .object(message.extras),
        ]
        userInfo["title"] = message.title.map(JSONValue.string)
        state.customMessages.append(userInfo)
        reports.append(.delivered(message.messageID))
        let complete = userInfo
        tell { $0.didReceiveCustomMessage(complete) }
    }
}
