public import FoundationEssentials
public import PushAdapter
public import PushSimulation

/// Phones. For a device with a phone, the vendor itself counts only what it passes on. Arrivals, displays and clicks
/// come from the phone.
extension JPushSimulator: DeviceSimulator {
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
        case .badge, .token, .language: devices[device]?.keep(report, badges: Rules.badges)
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
        guard let state = devices[device], var message = app.messages[id],
            let received = state.inbox.messages.first(where: { $0.messageID == id })
        else { return }
        edit(&message, received, state.device)
        app.messages[id] = message
    }
}
