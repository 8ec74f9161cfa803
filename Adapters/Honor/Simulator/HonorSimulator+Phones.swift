public import FoundationEssentials
public import PushAdapter
public import PushSimulation

extension HonorSimulator: DeviceSimulator {
    /// Does nothing: the vendor takes no action between requests.
    public func settle(at now: Date) {}

    /// Adds or replaces an installation. A new one joins the first app by id.
    public func install(_ device: VirtualDevice) {
        guard let owner = homes[device.id]?.owner ?? apps.keys.min() else { return }
        devices[device.id] = SimulatedDevice(device)
        homes[device.id] = Home(owner: owner)
    }

    /// Delivers the messages that waited for a device and have not expired.
    public func deliverWaiting(to device: String, at now: Date) {
        let waiting = homes[device]?.waiting ?? []
        homes[device]?.waiting = []
        for entry in waiting where entry.until > now { deliver(entry.message, entry.id, to: device) }
    }

    /// Compares the app id if the phone names one.
    public func hasApp(id: String?, key: Secret?, for platform: Platform) -> Bool { id.map { apps[$0] != nil } ?? true }

    /// The rate and the test messages of each app.
    public func quotas(at now: Date) -> [QuotaReading] {
        apps.sorted { $0.key < $1.key }.flatMap { id, app -> [QuotaReading] in
            let unit = settings.countsDevices ? "devices" : "requests"
            return [
                (rates[id] ?? RateWindow(seconds: 1)).reading("\(unit) per second, app \(id)", app.ratePerSecond, now),
                counts.reading("test messages per day, app \(id)", app.testMessagesPerDay, of: Self.tests(id), now),
            ]
        }
    }
}
