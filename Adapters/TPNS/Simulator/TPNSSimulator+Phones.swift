public import FoundationEssentials
public import PushAdapter
public import PushSimulation

/// Phones. For a device with a phone, a push counts as arrived, opened or removed only if the phone reports it.
extension TPNSSimulator {
    /// The ids of the devices of all apps, sorted.
    public func deviceIDs() -> [String] { Set(apps.values.flatMap(\.devices.keys)).sorted() }

    /// Connects a phone, after doing everything that is due. An unknown device is installed in the app for its
    /// platform; of several apps, the one with the smallest AccessId. Without such an app, nothing is connected.
    public func connect(_ phone: any ConnectedPhone, as device: VirtualDevice, at now: Date) {
        advance(to: now)
        if find(device.id) == nil, let id = apps.filter({ $0.value.app.platform == device.platform }).keys.min() {
            apps[id]?.devices[device.id] = DeviceState(device)
        }
        change(device.id) { $0.inbox.connect(phone) }
        setOnline(true, device.id, at: now)
    }

    /// Disconnects a device from its phone. Pushes wait for it until they expire.
    public func disconnect(_ phone: any ConnectedPhone, from device: String, at now: Date) {
        var isConnected = false
        change(device) { if $0.inbox.disconnect(phone) { isConnected = true } }
        if isConnected { setOnline(false, device, at: now) }
    }

    /// Compares the AccessId and, if the app has one, the access key. The AccessId must belong to the phone's platform.
    public func hasApp(id: String?, key: Secret?, for platform: Platform) -> Bool {
        guard let id else { return true }
        guard let app = UInt32(id).flatMap({ apps[$0]?.app }), app.platform == platform else { return false }
        return app.accessKey.map { $0 == key } ?? true
    }

    /// Counts a phone's actions, once per push, and keeps the badge and the language.
    public func note(_ report: PhoneReport, from device: String, at now: Date) {
        advance(to: now)
        switch report {
        case .delivered(let push), .customDelivered(let push): count(push, on: device, in: \.arrived)
        case .opened(let push): count(push, on: device, in: \.clicked)
        case .dismissed(let push): count(push, on: device, in: \.cleaned)
        case .badge(let number): setBadge(number, of: device)
        case .language(let language): change(device) { $0.language = language }
        // No statistics count displays, and no call uses the system's tokens.
        case .displayed, .token: break
        }
    }

    /// The three rates of each app: broad pushes, statistics and plans.
    public func quotas(at now: Date) -> [QuotaReading] {
        apps.sorted { $0.key < $1.key }.flatMap { id, app -> [QuotaReading] in
            let rates = [
                ("broad pushes per second", settings.broadPushesPerSecond, broad[id] ?? RateWindow(seconds: 1)),
                ("statistics calls per hour", settings.statisticsPerHour, app.statistics),
                ("push plans per day", settings.plansPerDay, app.planWindow),
            ]
            return rates.map { name, limit, window in window.reading("\(name), app \(id)", limit, now) }
        }
    }

    private func count(_ push: String, on device: String, in devices: WritableKeyPath<PushState, Set<String>>) {
        for id in apps.keys where apps[id]?.devices[device]?.inbox.has(push) == true {
            apps[id]?.pushes[push]?[keyPath: devices].insert(device)
        }
    }

    private func change(_ device: String, _ edit: (inout DeviceState) -> Void) {
        for id in apps.keys {
            guard var state = apps[id]?.devices[device] else { continue }
            edit(&state)
            apps[id]?.devices[device] = state
        }
    }
}
