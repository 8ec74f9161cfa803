import JPushSimulator
import PushBridge
import PushJPush
import PushSimulation
import PushSimulationServer

/// One thing the demo shows: what was done, what came of it, and whether that is right.
struct DemoStep: Sendable {
    var title: String
    var isRight: Bool
    /// Facts by name, in order.
    var facts: [(name: String, value: JSONValue)]

    var lines: [String] {
        facts.map { name, value in
            let text = value.stringValue ?? String(decoding: JSONWriter.bytes(of: value), as: UTF8.self)
            return "\(name): \(text)"
        }
    }

    var json: JSONValue {
        let fields = facts.map { ($0.name, $0.value) }
        return [
            "title": .string(title), "isRight": .bool(isRight),
            "facts": .object(Dictionary(fields, uniquingKeysWith: { first, _ in first })),
        ]
    }
}

/// The story: a backend tags devices, pushes to them, meets trouble, and reads back what happened.
struct DemoStory: Sendable {
    private static let appKey = "0123456789abcdef01234567"
    private static let secret = "simulator0simulator0only"
    private static let alice: DeviceID = "190e35f7e0a1b2c3d4e"
    private static let bob: DeviceID = "191e35f7e0a1b2c3d4f"
    private static let carol: DeviceID = "1a0e35f7e0a1b2c3d50"
    private static let crowd = (0..<2300).map { DeviceID("100\(String(0x1_0000_0000_0000 + $0, radix: 16))abc") }

    private let client: PushClient
    private let simulator: JPushSimulator
    private let host: SimulatorHost

    /// Runs the whole story on a server of its own, which ends with it.
    static func tell(_ show: @escaping @Sendable (DemoStep) -> Void) async throws -> [DemoStep] {
        let devices =
            [
                VirtualDevice(alice.rawValue, .android), VirtualDevice(bob.rawValue, .ios),
                VirtualDevice(carol.rawValue, .android),
            ] + crowd.map { VirtualDevice($0.rawValue, .android) }
        let simulator = JPushSimulator(appKey: appKey, masterSecret: secret, devices: devices)
        let host = SimulatorHost(simulator)
        return try await SimulationServer.withServer(host) { server in
            var curl = CurlConfiguration()
            curl.caFile = server.caFile
            let provider = try JPush(
                appKey: appKey, masterSecret: Secret(secret), dataCenter: JPush.dataCenter(at: server.origin))
            let client = PushClient(provider, transport: try CurlTransport(curl))
            let start = DemoStep(
                title: "A JPush simulator listens", isRight: true, facts: [("address", .string(server.origin))])
            show(start)
            let result: Result<[DemoStep], any Error>
            do {
                let story = DemoStory(client: client, simulator: simulator, host: host)
                result = .success([start] + (try await story.steps(show)))
            } catch {
                result = .failure(error)
            }
            await client.shutdown()
            return try result.get()
        }
    }

    private func steps(_ show: (DemoStep) -> Void) async throws -> [DemoStep] {
        var done: [DemoStep] = []
        for step in [tags, replacement, alias, expression, crowd, throttle, lostReply] {
            done.append(try await step())
            done.last.map(show)
        }
        return done
    }

    // MARK: Steps

    private func tags() async throws -> DemoStep {
        _ = try await client.updateTags(.add(["vip", "beta"]), of: Self.alice)
        _ = try await client.updateTags(.add(["vip"]), of: Self.bob)
        _ = try await client.updateTags(.add(["vip", "trial"]), of: Self.carol)
        let tags = try await client.readTags(of: Self.alice)
        return DemoStep(
            title: "Tags are set", isRight: tags == ["vip", "beta"],
            facts: [
                ("tags of Alice's phone", .string(list(tags))),
                ("Bob has vip", .bool(try await client.hasTag("vip", device: Self.bob))),
            ])
    }

    private func replacement() async throws -> DemoStep {
        let outcome = try await client.replaceTags(with: ["vip", "gold"], of: Self.alice)
        let tags = try await client.readTags(of: Self.alice)
        return DemoStep(
            title: "Tags are replaced, which JPush has no call for", isRight: tags == ["vip", "gold"],
            facts: [
                ("added", .string(list(outcome.added))), ("removed", .string(list(outcome.removed))),
                ("requests", JSONValue(integerLiteral: outcome.requests)), ("atomic", .bool(outcome.isAtomic)),
                ("tags of Alice's phone", .string(list(tags))),
            ])
    }

    private func alias() async throws -> DemoStep {
        try await client.setAlias("user_alice", of: Self.alice)
        let report = try await client.send(
            Message(notification: Notification(body: "For Alice alone")), to: .aliases(["user_alice"]))
        let reached = try await readers(of: report)
        return DemoStep(
            title: "An alias is set and reached", isRight: reached == ["Alice"],
            facts: [("alias", "user_alice"), ("reached", .string(reached.joined(separator: ", ")))])
    }

    private func expression() async throws -> DemoStep {
        let report = try await client.send(
            Message(
                notification: Notification(
                    title: "Shop", body: "New for you", ios: IOSNotification(badge: .change(by: 1)))),
            to: .tagged(anyOf: ["vip"], noneOf: ["trial"]))
        let reached = try await readers(of: report)
        let rows = try await client.readDeliveries(of: report.messageIDs)
        return DemoStep(
            title: "A send to the tags vip and not trial reaches exactly the right devices",
            isRight: reached == ["Alice", "Bob"],
            facts: [
                ("reached", .string(reached.joined(separator: ", "))),
                ("message", .string(report.messageIDs.map(\.rawValue).joined(separator: ", "))),
                ("report, received over JPush's own connection", number(rows.first?.channels[.vendor]?.received)),
                ("report, handed to Apple", number(rows.first?.channels[.apns]?.sent)),
            ])
    }

    private func crowd() async throws -> DemoStep {
        let list = Self.crowd + [Self.crowd[0], "not a device"]
        let report = try await client.send(Message(custom: CustomMessage(content: "sync")), to: .devices(list))
        let rows = try await client.readDeliveries(of: report.messageIDs)
        let received = rows.reduce(0) { $0 + $1.received }
        let sizes = report.slices.map { JSONValue(integerLiteral: $0.acceptedCount) }
        return DemoStep(
            title: "2,300 devices are reached in slices",
            isRight: report.acceptedCount == 2300 && received == 2300 && report.slices.count == 3
                && report.invalidTargets.count == 1,
            facts: [
                ("accepted in each slice", .array(sizes)),
                ("received, by the report", JSONValue(integerLiteral: received)),
                (
                    "repeated, sent once",
                    JSONValue(integerLiteral: report.exceptions.count(where: \.status.isDuplicate))
                ),
                ("malformed, not sent", JSONValue(integerLiteral: report.invalidTargets.count)),
            ])
    }

    private func throttle() async throws -> DemoStep {
        host.faults.add(.throttle(reset: 2), path: "/v3/push")
        let before = pushRequests
        let start = ContinuousClock.now
        let report = try await client.send(
            Message(notification: Notification(body: "Patience")), to: .devices([Self.alice]))
        let waited = ContinuousClock.now - start
        return DemoStep(
            title: "A 429 is waited out",
            isRight: report.isComplete && waited >= .seconds(2) && pushRequests - before == 2,
            facts: [
                ("the vendor's reset", "2 seconds"),
                ("waited at least", .string("\(Int(waited / .seconds(1))) seconds")),
                ("push requests", JSONValue(integerLiteral: pushRequests - before)),
                ("accepted", JSONValue(integerLiteral: report.acceptedCount)),
            ])
    }

    private func lostReply() async throws -> DemoStep {
        host.faults.add(.actedThenLost, path: "/v3/push")
        let before = (requests: pushRequests, pushes: await simulator.pushCount)
        let report = try await client.send(Message(notification: Notification(body: "Once")), to: .devices([Self.bob]))
        let keys = Set(host.journal.entries(path: "/v3/push").suffix(2).map { key(of: $0.request.body) })
        let pushes = await simulator.pushCount - before.pushes
        return DemoStep(
            title: "A reply lost after the vendor acted is resolved by its key, without a duplicate",
            isRight: report.isComplete && pushes == 1 && pushRequests - before.requests == 2 && keys.count == 1
                && !keys.contains(nil),
            facts: [
                ("push requests", JSONValue(integerLiteral: pushRequests - before.requests)),
                ("different keys", JSONValue(integerLiteral: keys.count)),
                ("pushes carried out", JSONValue(integerLiteral: pushes)),
                ("message", .string(report.messageIDs.map(\.rawValue).joined(separator: ", "))),
            ])
    }

    // MARK: What really happened, seen from the simulator

    private var pushRequests: Int { host.journal.entries(path: "/v3/push").count }

    private func key(of body: [UInt8]) -> String? { (try? JSONValue(parsing: body))?["cid"]?.stringValue }

    /// Everyone who received the messages of a report: the three people by name, others by their id.
    private func readers(of report: SendReport) async throws -> [String] {
        let names = [Self.alice: "Alice", Self.bob: "Bob", Self.carol: "Carol"]
        var readers: [String] = []
        for message in report.messageIDs {
            for device in await simulator.receivers(of: message.rawValue) {
                readers.append(names[DeviceID(device)] ?? device)
            }
        }
        return readers
    }

    private func list(_ tags: Set<Tag>) -> String { tags.sorted().map(\.rawValue).joined(separator: ", ") }

    private func number(_ value: Int?) -> JSONValue { value.map { JSONValue(integerLiteral: $0) } ?? nil }
}
