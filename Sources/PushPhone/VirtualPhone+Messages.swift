import FoundationEssentials
import PushAdapter
import PushDevice
public import PushSimulation

/// Messages from the vendor.
extension VirtualPhone {
    private static let patience: TimeInterval = 30

    /// Handles a message as the system does: shows it, wakes the app, rings, or passes it to the app.
    public func receive(_ message: DeliveredMessage) {
        settle()
        change { memory in
            if let call = message.call { ring(call, message, &memory) }
            if let activity = message.activity { follow(activity, message, &memory) }
            // A message without a text may still have a sound, or a number for the icon.
            let notifies = message.isVisible || isApple && (message.sound != nil || message.badge != nil)
            // On iOS 7 to 9, the call that wakes an app in the foreground also stands for the notification.
            let isOneCall =
                isApple && (7..<10).contains(settings.systemVersion) && message.wakesApp
                && memory.state.appState == .foreground
            if notifies, message.activity == nil, !isOneCall { arrive(message, &memory) }
            if message.wakesApp { wake(message, &memory) }
            if message.custom != nil { take(message, &memory) }
        }
    }

    /// Takes a recalled message off the screen.
    public func withdraw(_ messageID: String) {
        change { memory in
            memory.state.center.removeAll { $0.request.messageID == messageID }
            memory.extended = memory.extended.filter { $0.value.notification.request.messageID != messageID }
            memory.presenting = memory.presenting.filter { $0.value.request.messageID != messageID }
            memory.held.removeAll { $0.messageID == messageID }
        }
    }

    var isApple: Bool { device.platform == .ios }

    // MARK: Notifications

    private func arrive(_ message: DeliveredMessage, _ memory: inout PhoneMemory) {
        let request = PhoneNotification.Request(
            identifier: message.collapseID ?? message.messageID, content: message.content, trigger: .push,
            messageID: message.messageID)
        let notification = PhoneNotification(request, date: clock.date)
        if !isApple { memory.reports.append(.delivered(message.messageID)) }
        let isAllowed = memory.state.isNotificationAllowed == true
        guard isApple, message.isMutable, message.isVisible, isAllowed, settings.systemVersion >= 10 else {
            return present(notification, &memory, goesToOpenApp: message.goesToOpenApp)
        }
        guard let own = memory.app?.serviceExtension else {
            if settings.hasExtension { memory.report(PhoneReport.delivered, request) }
            return present(notification, &memory)
        }
        let number = memory.newNumber()
        memory.extended[number] = .init(
            notification: notification, goesToOpenApp: message.goesToOpenApp,
            deadline: clock.date.addingTimeInterval(Self.patience))
        memory.effects.append { [self] in
            own.didReceive(request) { [weak self] content in self?.pass(content, number) }
        }
    }

    /// Shows a notification as the app's extension has changed it; once, and not after the extension's time.
    private func pass(_ content: PhoneNotification.Content, _ number: Int) {
        settle()
        change { memory in
            guard var extended = memory.extended.removeValue(forKey: number) else { return }
            extended.notification.request.content = content
            present(extended.notification, &memory, goesToOpenApp: extended.goesToOpenApp)
        }
    }

    /// Shows a notification if the user allows it; an app in the foreground decides first.
    func present(
        _ notification: PhoneNotification, _ memory: inout PhoneMemory, goesToOpenApp: Bool = false
    ) {
        guard memory.state.isNotificationAllowed == true else { return }
        let userInfo = notification.content.userInfo
        guard memory.state.appState == .foreground, isApple || goesToOpenApp else {
            return memory.show(notification, [.alert, .badge, .sound])
        }
        guard isApple, settings.systemVersion >= 10 else {
            return memory.tell { app in
                if notification.request.isPush {
                    app.didReceiveRemoteNotification(userInfo)
                } else {
                    app.didReceiveLocalNotification(notification)
                }
            }
        }
        let number = memory.newNumber()
        guard memory.app != nil else { return }
        memory.presenting[number] = notification
        memory.tell { app in
            app.willPresent(notification) { [weak self] presentation in
                self?.change { memory in
                    guard let notification = memory.presenting.removeValue(forKey: number) else { return }
                    memory.show(notification, presentation)
                }
            }
        }
    }

    // MARK: Others

    /// Hands a custom message to the app. An Apple app has the vendor's connection only in the foreground; a push that
    /// wakes it carries the message itself.
    private func take(_ message: DeliveredMessage, _ memory: inout PhoneMemory) {
        if isApple, message.wakesApp, message.isCustomInPush { return }
        if isApple, memory.state.appState != .foreground {
            memory.held.append(message)
        } else {
            memory.startInBackground()
            memory.hand(message)
        }
    }

    /// A user who ended the app does not want it woken.
    private func wake(_ message: DeliveredMessage, _ memory: inout PhoneMemory) {
        guard memory.state.appState != .notRunning else { return }
        var userInfo = message.userInfo
        if isApple, message.isCustomInPush, let custom = message.custom {
            userInfo = custom.extras.merging(userInfo) { $1 }.merging(custom.parts) { $1 }
            memory.state.customMessages.append(userInfo)
            memory.reports.append(.customDelivered(message.messageID))
        }
        guard memory.app != nil else { return }
        let number = memory.newNumber()
        memory.waking[number] = (memory.state.wakes.count, clock.date.addingTimeInterval(Self.patience))
        memory.state.wakes.append(nil)
        let payload = userInfo
        memory.tell { app in
            app.didReceiveRemoteNotification(payload) { [weak self] result in
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
        memory.startInBackground()
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

    /// Does everything that is due, in order of time: local notifications, and the ends of an app's time limits.
    public func settle() {
        let now = clock.date
        guard read({ $0.nextMoment.map { $0 <= now } ?? false }) else { return }
        change { memory in
            for (number, waking) in memory.waking where waking.deadline <= now { memory.waking[number] = nil }
            while let moment = memory.nextMoment, moment <= now {
                let late = memory.extended.filter { $0.value.deadline <= moment }.keys.min()
                if let late, let extended = memory.extended.removeValue(forKey: late) {
                    present(extended.notification, &memory, goesToOpenApp: extended.goesToOpenApp)
                } else if let poll = memory.nextPoll, poll <= moment {
                    memory.poll(poll)
                } else {
                    fireNext(now, &memory)
                }
            }
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
        content.tap = tap
        content.interruptionLevel = interruptionLevel
        content.userInfo = userInfo
        return content
    }
}
