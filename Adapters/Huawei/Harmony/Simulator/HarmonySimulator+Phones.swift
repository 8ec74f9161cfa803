public import FoundationEssentials
import HuaweiSimulation
import PushAdapter
public import PushSimulation

/// Phones. Receipts tell arrivals only, so the vendor does not count the reports of phones.
extension HarmonySimulator: DeviceSimulator {
    /// The devices of all projects, by their push tokens.
    public var devices: [String: SimulatedDevice] {
        get { state.devices }
        set { state.devices = newValue }
    }

    /// Does nothing: the vendor takes no action between requests.
    public func settle(at now: Date) {}

    /// Adds or replaces an installation. A new one joins the first project by id.
    public func install(_ device: VirtualDevice) {
        guard let owner = state.homes[device.id]?.owner ?? projects.keys.min() else { return }
        state.install(device, owner: owner)
        views[device.id] = nil
    }

    public func deliverWaiting(to device: String, at now: Date) { state.deliverWaiting(to: device, at: now) }

    /// Keeps the badge, the language, the tapped messages, and the live views that the app created.
    public func note(_ report: PhoneReport, from device: String, at now: Date) {
        state.devices[device]?.keep(report)
        switch report {
        case .opened(let id): state.homes[device]?.opened.insert(id)
        case .token(.liveActivityUpdate(let id, let token)):
            guard let id = Int(id) else { return }
            views[device, default: LiveViews()].set(id, isShown: token != nil, now)
        default: break
        }
    }

    /// The devices per second and the test messages of each project.
    public func quotas(at now: Date) -> [QuotaReading] {
        projects.sorted { $0.key < $1.key }.flatMap { id, project -> [QuotaReading] in
            return [
                (rates[id] ?? RateWindow(seconds: 1)).reading(
                    "devices per second, project \(id)", project.devicesPerSecond, now),
                state.counts.reading(
                    "test messages per day, project \(id)", project.testMessagesPerDay, of: Self.tests(id), now),
            ]
        }
    }
}

extension HarmonySimulator: ReceiptSimulator {
    /// Calls the address of receipts without any, as the console does when you enter the address.
    public func checkReceiptURL(at now: Date) { state.receipts.addCheck(now) }

    public func takeCallbacks(_ most: Int, at now: Date) async -> [OutgoingCallback] {
        state.receipts.take(most, at: now)
    }

    /// Only 200 is a success.
    public func noteAnswer(_ answer: SimulatedResponse?, to callback: OutgoingCallback, at now: Date) async {
        state.receipts.note(answer, to: callback, at: now)
    }

    public func nextCallback() async -> Date? { state.receipts.next }
}
