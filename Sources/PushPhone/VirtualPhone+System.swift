public import PushCore
public import PushDevice
import PushSimulation

/// What the app asks of the system.
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
        change { $0.report(PhoneReport.delivered, PhoneNotification(request, date: clock.date)) }
    }

    public func record(_ record: PhoneRecord) { change { $0.state.records.append(record) } }
}

/// What only a device can do with its vendor.
extension VirtualPhone {
    /// Registers the app with the vendor and starts it in the foreground.
    public func register(_ start: DeviceStart = DeviceStart()) async throws(PushError) -> DeviceRegistration {
        change { $0.state.starts.append(start) }
        if let appKey = settings.appKey, start.appKey?.withBytes({ $0.elementsEqual(appKey.utf8) }) != true {
            throw PushError(.unauthorized, "the app key is wrong; compare it with the console")
        }
        switch settings.registering {
        case .hasNoID: throw PushError(.notRegistered, "a phone simulator gets no id; use a device")
        case .fails(let error): throw error
        case .succeeds: break
        }
        let isReachable = change { memory in
            memory.state.isRegistered = true
            memory.open()
            return memory.state.isReachable
        }
        if isReachable { await join() }
        return DeviceRegistration(device: DeviceID(id), systemToken: settings.systemToken)
    }

    public func connect() async throws(PushError) {
        guard state.isReachable else {
            throw PushError(.transport, "the phone is unreachable", retry: .backoff)
        }
    }

    public func stop() async throws(PushError) {
        change { memory in
            memory.state.stops += 1
            memory.state.isRegistered = false
        }
        await leave()
    }

    public func setBadge(_ number: Int) async throws(PushError) {
        try whileRegistered { $0.badge = number }
        await note(.badge(number))
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
        try whileRegistered { $0.tokens.append(token) }
        await note(.token(token))
    }

    public func setLanguage(_ language: String) async throws(PushError) {
        try whileRegistered { $0.language = language }
        await note(.language(language))
    }

    private func whileRegistered(_ body: (inout PhoneState) -> Void) throws(PushError) {
        let isRegistered = change { memory in
            if memory.state.isRegistered { body(&memory.state) }
            return memory.state.isRegistered
        }
        guard isRegistered else { throw PushError(.notRegistered, "the app on the phone is not registered") }
    }
}
