public import FoundationEssentials
import PushAdapter
public import PushSimulation

extension VivoSimulator: DeviceSimulator {
    /// Drops messages that waited too long.
    public func settle(at now: Date) { expireWaiting(until: now) }

    /// Adds or replaces an installation. A new one joins the first app by id.
    public func install(_ device: VirtualDevice) {
        guard let owner = records[device.id]?.owner ?? apps.keys.min() else { return }
        devices[device.id] = SimulatedDevice(device)
        records[device.id] = DeviceRecord(owner: owner)
    }

    /// Counts the first tap on a message, and keeps a phone's badge and language.
    public func note(_ report: PhoneReport, from device: String, at now: Date) {
        settle(at: now)
        devices[device]?.keep(report)
        guard case .opened(let id) = report, devices[device]?.inbox.has(id) == true else { return }
        pushes[id]?.taps.insert(device)
    }

    /// The counts of at most 100 messages. An unknown one is left out.
    func readStatistics(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let app = try access.app(call.request, at: call.now)
        let tasks = (call.request.parameter("taskIds") ?? "").split(separator: ",").map(String.init)
        guard !tasks.isEmpty else { throw .field(10_471, "taskIds") }
        guard tasks.count <= 100 else { throw .field(10_473, "taskIds") }
        let rows = tasks.compactMap { pushes[$0] }.filter { $0.app == app }.map { push -> JSONValue in
            let shown = JSONValue(receivers(of: push.task).count)
            return [
                "taskId": .string(push.task), "send": JSONValue(push.sent), "receive": shown, "display": shown,
                "click": JSONValue(push.taps.count),
            ]
        }
        return .accepted(["statistics": .array(rows)])
    }

    /// The sends per second and the day's quotas of each app.
    public func quotas(at now: Date) -> [QuotaReading] {
        apps.sorted { $0.key < $1.key }.flatMap { id, app in
            let rate = rates[id] ?? RateWindow(seconds: 1)
            return [rate.reading("requests per second, \(id)", app.requestsPerSecond, now)]
                + Quota.allCases.map { quota in
                    QuotaReading(
                        name: "\(quota) per day, \(id)", limit: most(quota, app), remaining: left(quota, app, now))
                }
        }
    }
}

extension VivoSimulator: CallbackSimulator {
    public func takeCallbacks(_ most: Int, at now: Date) async -> [OutgoingCallback] {
        settle(at: now)
        return receipts.take(most, at: now) { JSONWriter.bytes(of: .object($0)) }
    }

    /// Ignored: the documents promise no retry.
    public func noteAnswer(_ answer: SimulatedResponse?, to callback: OutgoingCallback, at now: Date) async {}

    public func nextCallback() async -> Date? { receipts.next }
}
