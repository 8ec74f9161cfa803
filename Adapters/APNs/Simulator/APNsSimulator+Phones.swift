public import FoundationEssentials
import PushAdapter
import PushCrypto
public import PushSimulation

/// Phones. Apple's API has no delivery reports, so the reports of phones do not count.
extension APNsSimulator: ConnectableSimulator {
    /// The ids of all devices, sorted.
    public func deviceIDs() -> [String] { table.devices.keys.sorted() }

    /// Connects a phone. An unknown device joins the first app by bundle id and uses its own id as the token. A known
    /// device keeps its tokens; tokens of a removed app come back to life, for the phone's environment.
    public func connect(_ phone: any ConnectedPhone, as device: VirtualDevice, at now: Date) {
        if table.devices[device.id] == nil {
            guard let app = apps.keys.min() else { return }
            table.add(APNsRegistration(device), to: app)
        }
        table.devices[device.id]?.device.environment = device.environment
        table.changeAll(of: device.id) { token in
            token.environment = device.environment
            if token.purpose != .liveActivity { token.end = nil }
        }
        table.devices[device.id]?.inbox.connect(phone)
        setOnline(true, device.id, at: now)
    }

    /// Disconnects a device from its phone. The last push to each of its tokens waits for the next connection.
    public func disconnect(_ phone: any ConnectedPhone, from device: String, at now: Date) {
        guard table.devices[device]?.inbox.disconnect(phone) == true else { return }
        setOnline(false, device, at: now)
    }

    /// Keeps the phone's language and the tokens of its app. The token of an ended Live Activity dies.
    public func note(_ report: PhoneReport, from device: String, at now: Date) {
        switch report {
        case .language(let language): table.devices[device]?.language = language
        case .token(.voip(let token)): add(token, for: .voip, of: device)
        case .token(.liveActivityStart(_, let token)): add(token, for: .pushToStart, of: device)
        case .token(.liveActivityUpdate(let id, let token?)): add(token, for: .liveActivity, of: device, activity: id)
        case .token(.liveActivityUpdate(let id, nil)):
            table.changeAll(of: device) { if $0.activity == id, $0.end == nil { $0.end = .removal(now) } }
            if let app = table.devices[device]?.app { apps[app]?.unsubscribe(device, from: id) }
        case .delivered, .customDelivered, .displayed, .opened, .dismissed, .badge: break
        }
    }

    /// The channels of each app that has broadcasts. Apple publishes no rate limits.
    public func quotas(at now: Date) -> [QuotaReading] {
        apps.filter(\.value.hasBroadcasts).sorted { $0.key < $1.key }.map { id, app in
            let limit = settings.channelLimit
            return QuotaReading(
                name: "channels of \(id)", limit: limit, remaining: max(0, limit - app.channels.count))
        }
    }

    private func add(
        _ token: [UInt8], for purpose: APNsRegistration.Purpose, of device: String, activity: String? = nil
    ) {
        guard let state = table.devices[device] else { return }
        let registration = APNsRegistration(state.device, token: Digests.hex(token), purpose: purpose)
        table.add(registration, to: state.app, activity: activity)
    }
}
