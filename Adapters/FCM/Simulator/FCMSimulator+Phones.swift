public import FoundationEssentials
import PushAdapter
public import PushSimulation

/// Phones. The delivery report consists of the rows given to the project, so the reports of phones do not count.
extension FCMSimulator {
    /// The ids of the devices of all projects, sorted.
    public func deviceIDs() -> [String] { Set(projects.values.flatMap(\.registrations.keys)).sorted() }

    /// Connects a phone. An unknown device joins the first project by id, with its own id as the token.
    public func connect(_ phone: any ConnectedPhone, as device: VirtualDevice, at now: Date) {
        if let state = find(device.id) {
            // A reinstalled app registers anew.
            if !state.isRegistered(now) { change(device.id) { $0 = RegistrationState($0.registration) } }
        } else if let project = projects.keys.min() {
            add(FCMRegistration(device), to: project)
        }
        change(device.id) { state in
            state.inbox.connect(phone)
            state.setOnline(true, now)
        }
    }

    /// Disconnects a device from its phone. Messages wait for it until they expire.
    public func disconnect(_ phone: any ConnectedPhone, from device: String, at now: Date) {
        change(device) { if $0.inbox.disconnect(phone) { $0.setOnline(false, now) } }
    }

    /// Keeps the phone's language and Live Activities. The vendor counts no badges and has no reports on single
    /// messages.
    public func note(_ report: PhoneReport, from device: String, at now: Date) {
        switch report {
        case .language(let language): change(device) { $0.language = language }
        case .token(.liveActivityUpdate(id: let id, let token)): change(device) { $0.activities[id] = token }
        case .delivered, .customDelivered, .displayed, .opened, .dismissed, .badge, .token: break
        }
    }

    /// The rates of each project, and of its topics if they have a limit. Rates of devices are left out.
    public func quotas(at now: Date) -> [QuotaReading] {
        projects.sorted { $0.key < $1.key }.flatMap { id, state -> [QuotaReading] in
            var rates = [
                ("send requests per minute", state.project.sendsPerMinute, state.sends),
                ("topic subscription changes per second", settings.subscriptionChangesPerSecond, state.changes),
            ]
            if let limit = settings.topicSendsPerMinute {
                for (topic, window) in state.topicSends.sorted(by: { $0.key < $1.key }) {
                    rates.append(("messages per minute to topic \(topic)", limit, window))
                }
            }
            return rates.map { name, limit, window in window.reading("\(name), project \(id)", limit, now) }
        }
    }
}
