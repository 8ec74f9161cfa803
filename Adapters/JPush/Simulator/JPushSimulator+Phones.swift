public import FoundationEssentials
public import PushAdapter
public import PushSimulation

/// Phones. Where one is connected, the vendor counts on its own only what it hands on; arrivals, displays and clicks
/// come from the phone.
extension JPushSimulator: ConnectableSimulator {
    /// The ids of all devices, in order.
    public func deviceIDs() -> [String] { app.devices.keys.sorted() }

    /// Connects a phone, after everything that is due. An unknown device is installed; a known one keeps all but its
    /// Apple environment, which comes with the phone's token.
    public func connect(_ phone: any ConnectedPhone, as device: VirtualDevice, at now: Date) {
        settle(at: now)
        if app.devices[device.id] == nil { install(device) }
        app.devices[device.id]?.device.environment = device.environment
        app.devices[device.id]?.inbox.connect(phone)
        setOnline(true, device.id, at: now)
    }

    /// Disconnects a device from its phone; messages wait for it while they live.
    public func disconnect(_ phone: any ConnectedPhone, from device: String, at now: Date) {
        guard app.devices[device]?.inbox.disconnect(phone) == true else { return }
        setOnline(false, device, at: now)
    }

    /// Compares the app key.
    public func hasApp(id: String?, key: Secret?, for platform: Platform) -> Bool {
        id != nil || key.map { $0 == Secret(appKey) } ?? true
    }

    /// Counts what a phone did, once for each message, and keeps its badge, its language and its tokens.
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
        // No report has a column for it.
        case .dismissed: break
        // The SDK refuses any other number.
        case .badge(let number) where Rules.badges.contains(number): app.devices[device]?.badge = number
        case .badge: break
        case .token(let token): app.devices[device]?.tokens.keep(token)
        case .language(let language): app.devices[device]?.language = language
        }
    }

    /// The requests per minute of each family of the API, and the pushes to everyone in a day of China.
    public func quotas(at now: Date) -> [QuotaReading] {
        let broadcasts = app.broadcasts[day(of: now), default: 0]
        let limit = settings.broadcastsPerDay
        return rates(at: now) + [
            QuotaReading(name: "broadcasts per day", limit: limit, remaining: max(0, limit - broadcasts))
        ]
    }

    // MARK: Steps

    /// Changes the counts of a message that a device has.
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
