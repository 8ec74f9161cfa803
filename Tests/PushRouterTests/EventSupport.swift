import FoundationEssentials
import PushAdapter
import PushRouter
import PushSimulation
import PushWebhooks

/// Reads callbacks like those of a vendor whose sends accept messages to apps that were uninstalled.
struct EventReceiver: WebhookReceiver {
    private static let verdicts: [String: TargetVerdict] = [
        "gone": .dead(), "goneBefore": .dead(since: VirtualClock().date), "suspect": .suspect, "isolated": .isolated,
    ]

    func receive(_ call: WebhookCall, at now: Date) throws(WebhookRefusal) -> WebhookAnswer {
        guard let rows = (try? JSONValue(parsing: call.body))?.arrayValue else { throw .malformed("no array") }
        return WebhookAnswer(rows.map { Self.event($0) })
    }

    private static func event(_ row: JSONValue) -> WebhookEvent {
        let result = row["result"]?.stringValue ?? ""
        let kinds: [String: WebhookEvent.Kind] = ["delivered": .delivered, "clicked": .clicked, "accepted": .accepted]
        return WebhookEvent(
            kinds[result] ?? .notDelivered, device: row["device"]?.stringValue.map { DeviceID($0) },
            date: row["time"]?.intValue.map { Date(timeIntervalSince1970: Double($0)) }, verdict: verdicts[result])
    }
}

/// A router over a vendor with a callback, which has the route `a`.
struct CalledRouter {
    let world: Routed
    let router: PushRouter

    init(installations: Int) throws {
        world = try Routed(.memory(), installations: installations)
        router = try world.router()
    }

    /// The part of a callback about these devices.
    func say(_ result: String, _ numbers: Range<Int>, at date: Date? = nil) -> [JSONValue] {
        numbers.map { number in
            var row: [String: JSONValue] = [
                "result": .string(result), "device": .string(world.sides[0].made.devices[number].rawValue),
            ]
            row["time"] = date.map { JSONValue(integerLiteral: Int($0.timeIntervalSince1970)) }
            return .object(row)
        }
    }

    /// Receives a callback and prunes by it.
    func prune(_ rows: [JSONValue], of route: RouteName = "a", receivedAt: Date? = nil) async throws -> PruningReport {
        let call = WebhookCall(headers: [:], body: JSONWriter.bytes(of: .array(rows)))
        let date = receivedAt ?? world.clock.date
        return try await router.prune(try EventReceiver().receive(call, at: date).events, of: route, receivedAt: date)
    }

    /// The numbers of the installations with a binding.
    func bound() async -> [Int] {
        let all = await world.store.bindings(ofInstallations: (0..<world.count).map { Routed.installation($0) })
        return (0..<world.count).filter { number in all.contains { $0.installation == Routed.installation(number) } }
    }
}
