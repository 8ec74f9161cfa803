public import PushAdapter
public import PushDevice
import PushSimulation

/// The app's calls to the system.
extension VirtualPhone {
    public var systemVersion: Int { settings.systemVersion }

    public func install(_ app: (any PhoneApp)?) { change { $0.app = app } }

    public var isNotificationAllowed: Bool? { read { $0.state.isNotificationAllowed } }

    public func requestPermission() {
        change { memory in
            let isAllowed = memory.state.isNotificationAllowed ?? settings.allowsWhenAsked
            memory.state.isNotificationAllowed = isAllowed
            memory.tell { $0.didRequestPermission(isAllowed: isAllowed) }
        }
    }

    public func setCategories(_ categories: [NotificationCategory]) {
        change { memory in
            memory.state.categories = Dictionary(
                categories.map { ($0.identifier, $0) }, uniquingKeysWith: { _, last in last })
        }
    }

    public func showAlert(_ notification: PhoneNotification) { change { $0.state.alerts.append(notification) } }

    public func confirmDelivery(of request: PhoneNotification.Request) {
        change { $0.report(PhoneReport.delivered, request) }
    }

    public func record(_ record: PhoneRecord) { change { $0.state.records.append(record) } }
}

/// The calls to the vendor that only a device can make.
extension VirtualPhone {
    /// Registers the app with the vendor and starts it in the foreground.
    public func register(_ start: DeviceStart = DeviceStart()) async throws(PushError) -> DeviceRegistration {
        let isReachable = change { memory in
            memory.state.starts.append(start)
            return memory.state.isReachable
        }
        guard isReachable else { throw Self.unreachable }
        let isKnown = await simulator?.hasApp(id: start.appID, key: start.appKey, for: device.platform) ?? true
        guard isKnown, settings.appID.map({ $0 == start.appID }) ?? true,
            settings.appKey.map({ $0 == start.appKey }) ?? true
        else {
            throw PushError(.unauthorized, "the app's id or key is wrong; compare them with the console")
        }
        switch settings.registering {
        case .hasNoID: throw PushError(.notRegistered, "a phone simulator gets no id; use a device")
        case .fails(let error): throw error
        case .succeeds: break
        }
        change { memory in
            memory.registering += 1
            memory.state.isRegistered = true
            memory.polling = start.pollingInterval.map { (clock.date, $0) }
            memory.open()
        }
        await join()
        change { $0.registering -= 1 }
        return DeviceRegistration(device: DeviceID(id), systemToken: settings.systemToken)
    }

    public func connect() async throws(PushError) {
        guard state.isReachable else { throw Self.unreachable }
        await join()
    }

    public func stop() async throws(PushError) {
        change { memory in
            memory.state.stops += 1
            memory.state.isRegistered = false
        }
        await join()
    }

    public func setBadge(_ number: Int) async throws(PushError) {
        try await tellVendor(.badge(number)) { $0.badge = number }
    }

    public func showIcon(_ icon: IconBadge) async throws(PushError) {
        change { memory in
            switch icon {
            case .number(let number): memory.state.icon = number
            case .resetKeepingCenter: memory.state.icon = 0
            case .resetClearingCenter: (memory.state.icon, memory.state.center) = (0, [])
            }
        }
    }

    public func upload(_ token: DeviceToken) async throws(PushError) {
        try await tellVendor(.token(token)) { $0.tokens.append(token) }
    }

    public func setLanguage(_ language: String) async throws(PushError) {
        try await tellVendor(.language(language)) { $0.language = language }
    }
}
