import FoundationEssentials
import PushCore
import PushDevice
public import PushSimulation

/// What the vendor sends.
extension VirtualPhone {
    private static let patience: TimeInterval = 30

    /// Takes a message as the system does: shows it, wakes the app, rings, or passes it to the app.
    public func receive(_ message: DeliveredMessage) {
        settle()
        change { memory in
            if let call = message.call { ring(call, message, &memory) }
            if let activity = message.activity { follow(activity, message, &memory) }
            if message.isVisible { arrive(message, &memory) }
            if let badge = message.badge, !message.isVisible, memory.state.isNotificationAllowed == true {
                memory.state.icon = max(0, badge)
            }
            if message.wakesApp { wake(message, &memory) }
            if message.custom != nil {
                // An Apple app has the vendor's connection only while it is in the foreground.
                if isApple, memory.state.appState != .foreground {
                    memory.held.append(message)
                } else {
                    memory.hand(message)
                }
            }
        }
    }

    /// Takes a recalled message off the screen.
    public func withdraw(_ messageID: String) {
        change { memory in
            memory.state.center.removeAll { memory.messageIDs[$0.id] == messageID }
            memory.held.removeAll { $0.messageID == messageID }
        }
    }

    var isApple: Bool { device.platform == .ios }

    // MARK: Notifications

    private func arrive(_ message: DeliveredMessage, _ memory: inout PhoneMemory) {
        let request = PhoneNotification.Request(
            identifier: message.collapseID ?? message.messageID, content: message.content, trigger: .push)
        let notification = PhoneNotification(request, date: clock.date)
        memory.messageIDs[notification.id] = message.messageID
        if !isApple { memory.reports.append(.delivered(message.messageID)) }
        guard isApple, message.isMutable, settings.systemVersion >= 10 else {
            return present(notification, &memory)
        }
        guard let own = memory.app?.serviceExtension else {
            if settings.hasExtension { memory.report(PhoneReport.delivered, notification) }
            return present(notification, &memory)
        }
        let number = memory.newNumber()
        memory.extended[number] = .init(
            notification: notification, deadline: clock.date.addingTimeInterval(Self.patience))
        memory.effects.append { [self] in
            own.didReceive(request) { [weak self] content in self?.pass(content, number) }
        }
    }

    /// Shows what the app's extension made of a notification; once, and not after its time.
    private func pass(_ content: PhoneNotification.Content, _ number: Int) {
        settle()
        change { memory in
            guard var notification = memory.extended.removeValue(forKey: number)?.notification else { return }
            notification.request.content = content
            present(notification, &memory)
        }
    }

    /// Shows a notification if the user allows it; asks the app first if it is in the foreground.
    func present(_ notification: PhoneNotification, _ memory: inout PhoneMemory) {
        guard memory.state.isNotificationAllowed == true else { return }
        guard isApple, memory.state.appState == .foreground else {
            return memory.show(notification, [.alert, .badge, .sound])
        }
        guard settings.systemVersion >= 10 else {
            let userInfo = notification.content.userInfo
            return memory.tell { app in
                if notification.request.isPush {
                    app.didReceiveRemoteNotification(userInfo)
                } else {
                    app.didReceiveLocalNotification(notification)
                }
            }
        }
        let isAnswered = Locked(false)
        memory.tell { app in
            app.willPresent(notification) { [weak self] presentation in
                guard
                    !isAnswered.withLock({ answered in
                        defer { answered = true }
                        return answered
                    })
                else { return }
                self?.change { $0.show(notification, presentation) }
            }
        }
    }

    // MARK: Others

    /// A user who ended the app does not want it woken.
    private func wake(_ message: DeliveredMessage, _ memory: inout PhoneMemory) {
        guard memory.app != nil, memory.state.appState != .notRunning else { return }
        let number = memory.newNumber()
        memory.waking[number] = (memory.state.wakes.count, clock.date.addingTimeInterval(Self.patience))
        memory.state.wakes.append(nil)
        memory.tell { app in
            app.didReceiveRemoteNotification(message.userInfo) { [weak self] result in
                self?.settle()
                self?.change { memory in
                    guard let waking = memory.waking.removeValue(forKey: number) else { return }
                    memory.state.wakes[waking.index] = result
                }
            }
        }
    }

    /// A call starts the app, even one that the user ended.
    private func ring(_ payload: [String: JSONValue], _ message: DeliveredMessage, _ memory: inout PhoneMemory) {
        let index = memory.state.calls.count
        memory.state.calls.append(.init(payload: payload))
        memory.reports.append(.delivered(message.messageID))
        if memory.state.appState == .notRunning {
            memory.state.appState = .background
            memory.tell { $0.didFinishLaunching(LaunchOptions()) }
        }
        memory.tell { app in
            app.didReceiveCall(payload) { [weak self] in self?.change { $0.state.calls[index].isReported = true } }
        }
    }

    private func follow(
        _ change: DeliveredMessage.ActivityChange, _ message: DeliveredMessage, _ memory: inout PhoneMemory
    ) {
        switch change.event {
        case .start, .update: memory.state.activities[change.id] = change.content
        case .end: memory.state.activities[change.id] = nil
        }
        memory.reports.append(.delivered(message.messageID))
    }

    /// Does what is due: local notifications, the ends of the times that an app has.
    public func settle() {
        let now = clock.date
        let isDue = read { memory in
            memory.scheduled.contains { $0.date.map { $0 <= now } ?? false }
                || memory.extended.values.contains { $0.deadline <= now }
                || memory.waking.values.contains { $0.deadline <= now }
        }
        guard isDue else { return }
        change { memory in
            for (number, waking) in memory.waking where waking.deadline <= now { memory.waking[number] = nil }
            let late = memory.extended.filter { $0.value.deadline <= now }.sorted { $0.key < $1.key }
            for (number, extended) in late {
                memory.extended[number] = nil
                present(extended.notification, &memory)
            }
            fireScheduled(now, &memory)
        }
    }
}

extension DeliveredMessage {
    /// The payload in Apple's form, as an app gets it on any phone.
    var userInfo: [String: JSONValue] {
        var text: [String: JSONValue] = [:]
        text["title"] = title.map(JSONValue.string)
        text["subtitle"] = subtitle.map(JSONValue.string)
        text["body"] = alert.map(JSONValue.string)
        var aps: [String: JSONValue] = [:]
        if let alert, text.count == 1 {
            aps["alert"] = .string(alert)
        } else if !text.isEmpty {
            aps["alert"] = .object(text)
        }
        aps["badge"] = badge.map { JSONValue(integerLiteral: $0) }
        aps["sound"] = sound.map(JSONValue.string)
        aps["category"] = category.map(JSONValue.string)
        aps["thread-id"] = thread.map(JSONValue.string)
        aps["interruption-level"] = interruptionLevel.map(JSONValue.string)
        if isMutable { aps["mutable-content"] = 1 }
        if wakesApp { aps["content-available"] = 1 }
        return extras.merging(["aps": .object(aps)]) { $1 }
    }

    var content: PhoneNotification.Content {
        var content = PhoneNotification.Content()
        content.title = title ?? ""
        content.subtitle = subtitle ?? ""
        content.body = alert ?? ""
        content.badge = badge
        content.sound = sound
        content.categoryIdentifier = category ?? ""
        content.threadIdentifier = thread ?? ""
        content.image = image
        content.link = link
        content.interruptionLevel = interruptionLevel
        content.userInfo = userInfo
        return content
    }
}
