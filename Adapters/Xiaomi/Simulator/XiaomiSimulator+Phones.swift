public import FoundationEssentials
import PushAdapter
public import PushSimulation

extension XiaomiSimulator: DeviceSimulator {
    /// Sends the scheduled messages that are due, and drops those that waited too long.
    public func settle(at now: Date) {
        fireJobs(until: now)
        expireWaiting(until: now)
    }

    /// Adds or replaces an installation. A new one joins the first app by package.
    public func install(_ device: VirtualDevice) {
        guard let owner = records[device.id]?.owner ?? apps.keys.min() else { return }
        devices[device.id] = SimulatedDevice(device)
        records[device.id] = DeviceRecord(owner: owner)
    }

    /// Reports the first tap on a message, and keeps a phone's badge and language.
    public func note(_ report: PhoneReport, from device: String, at now: Date) {
        settle(at: now)
        devices[device]?.keep(report)
        guard case .opened(let id) = report, let push = pushes[id], devices[device]?.inbox.has(id) == true,
            records[device]?.clicked.insert(id).inserted == true
        else { return }
        self.report(push, .clicked, name(of: device, in: push), now)
    }

    /// The sends per second and the day's quotas of each app.
    public func quotas(at now: Date) -> [QuotaReading] {
        let classes: [(String, XiaomiChannel.Kind?)] = [("default", nil), ("public", .public)]
        return apps.sorted { $0.key < $1.key }.flatMap { package, app in
            let rate = rates[package] ?? RateWindow(seconds: 1)
            return [rate.reading("requests per second, \(package)", app.requestsPerSecond, now)]
                + classes.compactMap { name, kind in
                    app.quota(of: kind, least: settings.leastDevices).map {
                        counts.reading(
                            "deliveries per day, \(name), \(package)", $0, of: Self.counter(package, kind), now)
                    }
                }
        }
    }
}

extension XiaomiSimulator: ReceiptSimulator {
    public func takeCallbacks(_ most: Int, at now: Date) async -> [OutgoingCallback] {
        settle(at: now)
        return receipts.take(most, at: now)
    }

    /// Some statuses end the receipts of an address.
    public func noteAnswer(_ answer: SimulatedResponse?, to callback: OutgoingCallback, at now: Date) async {
        receipts.note(answer, to: callback)
    }

    public func nextCallback() async -> Date? { receipts.next }
}
