public import FoundationEssentials
public import PushAdapter
public import PushSimulation

/// Phones. For a device with a phone, the vendor itself counts only what it passes on. Arrivals, displays and clicks
/// come from the phone.
extension JPushSimulator: ConnectableSimulator {
    /// The ids of all devices, sorted.
    public func deviceIDs() -> [String] { app.devices.keys.sorted() }

    /// Connects a phone, after sending everything that is due. An unknown device is installed. A known device keeps its
    /// state except its Apple environment, which comes with the phone's token.
    public func connect(_ phone: any ConnectedPhone, as device: VirtualDevice, at now: Date) {
        settle(at: now)
        if app.devices[device.id] == nil { install(device) }
        app.devices[device.id]?.device.environment = device.environment
        app.devices[device.id]?.inbox.connect(phone)
        setOnline(true, device.id, at: now)
    }

    /// Disconnects a device from its phone. Messages wait for it until they expire.
    public func disconnect(_ phone: any ConnectedPhone, from device: String, at now: Date) {
        guard app.devices[device]?.inbox.disconnect(phone) == true else { return }
        setOnline(false, device, at: now)
    }

    /// Compares the app key.
    public func hasApp(id: String?, key: Secret?, for platform: Platform) -> Bool {
        id != nil || key.map { $0 == Secret(appKey) } ?? true
    }

    /// Counts a phone's actions, once per message, and keeps the phone's badge, language and tokens.
    public func note(_ report: PhoneReport, from device: String, at now: Date) {
        settle(at: now)
        switch report {
        case .delivered(let id):
            change(id, on: device) { $0.noteArrival(of: $1, on: $2) }
        case .customDelivered(let id):
            change(id, on: device) { $0.noteCustomArrival(of: $1, on: $2) }
        case .displayed(let id):
            change(id, on: device) { message, _, device in message.noteDisplay(on: device.id) }
        case .opened(let id):
            change(id, on: device) { message, _, device in message.noteClick(on: device.id) }
        // No report has a column for dismissals.
        case .dismissed: break
        // The SDK refuses any other number.
        case .badge(let number) where Rules.badges.contains(number): app.devices[device]?.badge = number
        case .badge: break
        case .token(let token): app.devices[device]?.tokens.keep(token)
        case .language(let language): app.devices[device]?.language = language
        }
    }

    /// The requests per minute of each API family, and the pushes to everyone per day in China.
    public func quotas(at now: Date) -> [QuotaReading] {
        let broadcasts = app.broadcasts[day(of: now), default: 0]
        let limit = settings.broadcastsPerDay
        return rates(at: now) + [
            QuotaReading(name: "broadcasts per day", limit: limit, remaining: max(0, limit - broadcasts))
        ]
    }

    // MARK: Steps

    /// Changes the counts of a message if the device has it.
    private func change(
        _ id: String, on device: String, _ edit: (inout MessageState, DeliveredMessage, VirtualDevice) -> Void
    ) {
        guard let state = app.devices[device], var message = app.messages[id],
            let received = state.inbox.messages.first(where: { $0.messageID == id })
        else { return }
        edit(&message, received, state.device)
        app.messages[id] = message
    }
}
