import PushAdapter
import PushDevice
import PushSimulation

/// Actions of the user.
extension VirtualPhone {
    // MARK: The app

    /// Starts the app by its icon, or returns to it.
    public func openApp() async { await act { $0.open() } }

    /// Leaves the app, which stays in the background.
    public func leaveApp() async {
        await act { if $0.state.appState == .foreground { $0.state.appState = .background } }
    }

    /// Ends the app.
    public func killApp() async { await act { $0.state.appState = .notRunning } }

    // MARK: Notifications

    /// Taps a notification in the center, or one of its actions. Does nothing if it is not there.
    ///
    /// A tap opens the app, unless the action works in the background, and removes the notification.
    /// - Parameters:
    ///   - identifier: the notification's.
    ///   - action: the identifier of an action of its category; nil for the notification itself.
    ///   - text: the user's text, if the action takes one.
    public func tap(_ identifier: String, action: String? = nil, text: String? = nil) async {
        await act { memory in
            guard let index = memory.state.center.firstIndex(where: { $0.id == identifier }) else { return }
            let notification = memory.state.center[index]
            let category = memory.state.categories[notification.content.categoryIdentifier]
            let button = action.flatMap { action in category?.actions.first { $0.identifier == action } }
            if action != nil, button == nil { return }
            memory.state.center.remove(at: index)
            memory.report(PhoneReport.opened, notification.request)
            if let tap = notification.content.tap, action == nil { memory.state.taps.append(tap) }
            let isPush = notification.request.isPush
            let options = LaunchOptions(
                remoteNotification: isPush ? notification.content.userInfo : nil,
                localNotification: isPush ? nil : notification)
            let wasRunning = memory.state.appState != .notRunning
            if button?.options.contains(.foreground) ?? true {
                memory.open(options)
            } else {
                memory.startInBackground(options)
            }
            answer(.init(notification, action: action.map { .action($0) } ?? .open, text: text), wasRunning, &memory)
        }
    }

    /// Removes a notification from the center. Does nothing if it is not there.
    public func dismiss(_ identifier: String) async {
        await act { memory in
            guard let index = memory.state.center.firstIndex(where: { $0.id == identifier }) else { return }
            let notification = memory.state.center.remove(at: index)
            memory.report(PhoneReport.dismissed, notification.request)
            let category = memory.state.categories[notification.content.categoryIdentifier]
            guard category?.options.contains(.customDismissAction) == true, settings.systemVersion >= 10 else { return }
            memory.startInBackground()
            let response = PhoneNotification.Response(notification, action: .dismiss)
            memory.tell { $0.didReceive(response) {} }
        }
    }

    /// Allows the app to notify, or forbids it, in the system's settings.
    public func setPermission(_ isAllowed: Bool) async {
        await act { $0.state.isNotificationAllowed = isAllowed }
    }

    /// Opens the app's own notification settings: from one of its notifications, or from the system's settings. Apple's
    /// system offers them since iOS 12; before, nothing happens.
    public func openSettings(from identifier: String? = nil) async {
        guard !isApple || settings.systemVersion >= 12 else { return }
        await act { memory in
            let notification = identifier.flatMap { id in memory.state.center.first { $0.id == id } }
            guard identifier == nil || notification != nil else { return }
            memory.open()
            memory.tell { $0.openSettings(for: notification) }
        }
    }

    // MARK: Others

    /// Carries the phone to a place, in degrees. Entering a region fires its local notifications.
    public func move(latitude: Double, longitude: Double) async {
        await act { memory in
            let before = memory.place
            memory.place = (latitude, longitude)
            for scheduled in memory.scheduled {
                guard case .region(let region, let repeats) = scheduled.request.trigger,
                    region.contains(latitude: latitude, longitude: longitude),
                    before.map({ !region.contains(latitude: $0.latitude, longitude: $0.longitude) }) ?? true
                else { continue }
                if !repeats { memory.scheduled.removeAll { $0.request.id == scheduled.request.id } }
                present(PhoneNotification(scheduled.request, date: clock.date), &memory)
            }
            memory.state.pending = memory.scheduled.map(\.request)
        }
    }

    /// Makes an in-app message, as the vendor's console does. The app shows it at its next poll in the foreground. It
    /// polls at the interval with which its SDK was started; without an interval, it shows the message at once.
    public func offer(_ message: InAppMessage) async {
        await act { memory in
            memory.offered.append(message)
            if memory.polling == nil { memory.poll(clock.date) } else { memory.planPoll(after: clock.date) }
        }
    }

    /// Presses the button of an in-app message that was shown.
    public func press(_ message: InAppMessage) async {
        await act { memory in
            guard memory.state.appState == .foreground, memory.state.inAppMessages.contains(message) else { return }
            memory.tell { $0.didClickInAppMessage(message.parameters) }
        }
    }

    // MARK: Steps

    private func act(_ body: (inout PhoneMemory) -> Void) async {
        settle()
        change(body)
        await reported()
    }

    /// Passes the user's response to the app. On an old system, the app has the launch options, or gets the calls of a
    /// push.
    private func answer(
        _ response: PhoneNotification.Response, _ wasRunning: Bool, _ memory: inout PhoneMemory
    ) {
        if !isApple || settings.systemVersion >= 10 { return memory.tell { $0.didReceive(response) {} } }
        guard wasRunning else { return }
        let notification = response.notification
        memory.tell { app in
            if notification.request.isPush {
                app.didReceiveRemoteNotification(notification.content.userInfo)
            } else {
                app.didReceiveLocalNotification(notification)
            }
        }
    }
}
