public import FoundationEssentials
import HuaweiSimulation
public import PushAdapter
public import PushSimulation

/// Phones. Receipts tell arrivals only, so the vendor does not count the reports of phones.
extension HuaweiSimulator: DeviceSimulator {
    /// The devices of all apps, by their push tokens. Topics are their tags.
    public var devices: [String: SimulatedDevice] {
        get { state.devices }
        set { state.devices = newValue }
    }

    /// Does nothing: the vendor takes no action between requests.
    public func settle(at now: Date) {}

    /// Adds or replaces an installation. A new one joins the first app by client id.
    public func install(_ device: VirtualDevice) {
        guard let owner = state.homes[device.id]?.owner ?? apps.keys.min() else { return }
        state.install(device, owner: owner)
        topics[device.id] = nil
    }

    public func deliverWaiting(to device: String, at now: Date) { state.deliverWaiting(to: device, at: now) }

    /// Compares the client id if the phone names one.
    public func hasApp(id: String?, key: Secret?, for platform: Platform) -> Bool { id.map { apps[$0] != nil } ?? true }

    /// The devices per second, the access tokens and the test messages of each app.
    public func quotas(at now: Date) -> [QuotaReading] {
        apps.sorted { $0.key < $1.key }.flatMap { id, app -> [QuotaReading] in
            return [
                (rates[id] ?? RateWindow(seconds: 1)).reading(
                    "devices per second, app \(id)", app.devicesPerSecond, now),
                (exchanges[id] ?? RateWindow(seconds: 300)).reading(
                    "access tokens per five minutes, app \(id)", settings.tokensPerFiveMinutes, now),
                state.counts.reading(
                    "test messages per day, app \(id)", app.testMessagesPerDay, of: Self.tests(id), now),
            ]
        }
    }
}

extension HuaweiSimulator: ReceiptSimulator {
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
