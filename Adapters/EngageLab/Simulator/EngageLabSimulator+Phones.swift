public import FoundationEssentials
public import PushAdapter
public import PushSimulation

/// Phones. For a device with a phone, the vendor itself knows only which messages it sent and which it could not
/// deliver. Arrivals, impressions and clicks come from the phone, and callbacks report them.
extension EngageLabSimulator: DeviceSimulator {
    /// Connects a phone, after doing everything that is due. An unknown device is installed, and so is one with a
    /// pending deletion. A known device keeps its state except its Apple environment, which comes with the phone's
    /// token.
    public func connect(_ phone: any ConnectedPhone, as device: VirtualDevice, at now: Date) {
        settle(at: now)
        if app.deletions.contains(where: { $0.device == device.id }) { install(device) }
        attach(phone, to: device, at: now)
    }

    /// Compares the app key.
    public func hasApp(id: String?, key: Secret?, for platform: Platform) -> Bool {
        id != nil || appKey.isEmpty || key.map { $0 == Secret(appKey) } ?? true
    }

    /// Records a phone's actions, once per message, and keeps the phone's badge, language and tokens. The settings
    /// about extensions and custom messages do not apply: whatever a phone reports has happened.
    public func note(_ report: PhoneReport, from device: String, at now: Date) {
        settle(at: now)
        let words = settings.words
        switch report {
        case .delivered(let id), .customDelivered(let id): record(id, on: device, first: [words.delivered], now)
        case .displayed(let id): record(id, on: device, first: [words.impression], now)
        // A user who opens a message has seen it, and the device has it.
        case .opened(let id): record(id, on: device, first: [words.delivered, words.impression, words.click], now)
        // The vendor has no word for dismissals.
        case .dismissed: break
        case .badge, .token, .language: devices[device]?.keep(report, badges: Rules.badges)
        }
    }

    /// Opens a message on a device that has it, as its user would; for devices without a phone. Ignores a custom
    /// message unless the apps report those.
    public func open(_ messageID: String, on device: String, at now: Date) {
        settle(at: now)
        if app.messages[messageID]?.push.kind == "message", !settings.reportsCustomDisplay { return }
        note(.opened(messageID), from: device, at: now)
    }

    /// The app's calls per second.
    public func quotas(at now: Date) -> [QuotaReading] {
        [QuotaReading(name: "requests per second", limit: settings.callsPerSecond, remaining: bucket.remaining(now))]
    }

    // MARK: Steps

    /// Records the events of a message that are new on a device that has it.
    private func record(_ id: String, on device: String, first events: [String], _ now: Date) {
        guard devices[device]?.inbox.has(id) == true, let fate = app.messages[id]?.fates[device] else { return }
        let words = settings.words
        let steps = [
            (words.delivered, fate.isDelivered), (words.impression, fate.isImpression), (words.click, fate.isClick),
        ]
        let new = events.filter { event in !steps.contains { $0.0 == event && $0.1 } }
        if !new.isEmpty { record(id, on: device, new, now) }
    }
}
