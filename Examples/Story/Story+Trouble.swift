import FoundationEssentials
import PushAdapter
import PushBridge
import PushMemory
import PushRouter
import PushSimulation

/// A throttle, a lost response, a vendor that is down, and an app that is gone.
extension Story {
    func throttle() async throws -> StoryStep {
        let path = try pushPath(to: stage.alice)
        let request = SimulatedRequest(method: .post, path: path, query: "", headers: [:], body: [])
        let namesMoment =
            stage.simulator.throttled(reset: 2, for: request) != stage.simulator.throttled(reset: nil, for: request)
        host.faults.add(.throttle(reset: 2), path: path)
        let before = pushRequests(path)
        let start = ContinuousClock.now
        let report = try await client.send(message("Patience"), to: .devices([stage.alice]))
        let waited = ContinuousClock.now - start
        let count = pushRequests(path) - before
        return StoryStep(
            title: "The client waits out a throttle",
            isRight: report.isComplete && waited >= .seconds(namesMoment ? 2 : 1) && count == 2,
            facts: [
                ("the vendor names the moment", .bool(namesMoment)),
                ("waited at least", .string("\(Int(waited / .seconds(1))) s")),
                ("push requests", JSONValue(integerLiteral: count)),
                ("accepted", JSONValue(report.acceptedCount)),
            ])
    }

    /// With a key of the vendor's grade, the client retries. Without one, it does not, and the error says that the
    /// effect is unknown.
    func lostReply() async throws -> StoryStep {
        let path = try pushPath(to: stage.bob)
        host.faults.add(.actedThenLost, path: path)
        let before = (requests: pushRequests(path), received: try await inbox(of: stage.bob))
        let isKeyed = client.capabilities.keyGrade(for: .push) == .vendor
        var outcome = "accepted"
        do throws(PushError) {
            _ = try await client.send(message("Once"), to: .devices([stage.bob]))
        } catch {
            outcome = "\(error.kind), effect \(error.effect.rawValue)"
        }
        let bodies = Set(host.journal.entries(path: path).dropFirst(before.requests).map(\.request.body))
        let requests = pushRequests(path) - before.requests
        let received = try await inbox(of: stage.bob) - before.received
        return StoryStep(
            title: "A response lost after the vendor acted never causes a second message",
            isRight: received == 1 && bodies.count == 1 && requests == (isKeyed ? 2 : 1)
                && outcome.hasSuffix(isKeyed ? "accepted" : "unknown"),
            facts: [
                ("idempotency keys", keys), ("push requests", JSONValue(integerLiteral: requests)),
                ("the caller learns", .string(outcome)), ("messages received", JSONValue(integerLiteral: received)),
            ])
    }

    /// Alice's phone has two routes, and the vendor of the first is down. Bob's phone has one route, which works.
    func failover() async throws -> StoryStep {
        // No server listens there.
        let down = PushClient(try stage.makeProvider("https://127.0.0.1:1"), transport: transport)
        let key = Secret("of the second vendor")
        let second = MemoryVendor(key: key, devices: [VirtualDevice("spare", .android)], takesCallerKeys: true)
        let spare = PushClient(
            MemoryProvider(key: key, makesKeys: false), transport: InProcessTransport(SimulatorHost(second)))
        var policy = RoutingPolicy(order: ["down", "spare", "up"])
        policy.failover = .whenNotApplied(patience: .seconds(10))
        let bindings = [("alice", "down", stage.alice), ("alice", "spare", "spare"), ("bob", "up", stage.bob)].map {
            (user: String, route: String, device: DeviceID) in
            Binding(
                user: UserID(user), installation: InstallationID("phone of \(user)"), route: RouteName(route),
                target: .device(device), boundAt: Date())
        }
        let router = try PushRouter(
            routes: ["down": down, "spare": spare, "up": client], bindings: MemoryBindingStore(bindings), policy: policy
        )
        let before = (try await inbox(of: stage.alice), try await inbox(of: stage.bob))
        let plan = try await router.plan(message("Around"), to: .users(["alice", "bob", "carol"]))
        let report = try await router.send(plan)
        let received = (
            try await inbox(of: stage.alice) - before.0, await second.snapshot(of: "spare")?.inbox.count ?? 0,
            try await inbox(of: stage.bob) - before.1
        )
        await spare.shutdown()
        return StoryStep(
            title: "A router goes around a vendor that is down, and sends nothing twice",
            isRight: received == (0, 1, 1) && report.failedOver.count == 1 && report.accepted(at: "spare") == 1
                && report.accepted(at: "up") == 1 && report.unreachable.users == ["carol"],
            facts: [
                ("tried for Alice", .array(report.outcomes[0].attempts.map { .string($0.binding.route.rawValue) })),
                ("why not the first", .string("\(report.outcomes[0].attempts[0].failure?.kind ?? "unknown")")),
                (
                    "messages at the first, the second, and Bob's",
                    .array([received.0, received.1, received.2].map { number($0) })
                ),
                ("without a binding", .array(report.unreachable.users.map { .string($0.rawValue) })),
            ])
    }

    /// Carol removes the app. If the vendor accepts messages to her all the same, a receipt says that she is gone.
    func receipt() async throws -> StoryStep {
        let title = "A receipt says that an app is gone, where the vendor has such receipts"
        guard let receipts = stage.receipts else {
            return StoryStep(title: title, isRight: true, facts: [("receipts about removed apps", "not here")])
        }
        let bindings = MemoryBindingStore(
            [("bob", stage.bob), ("carol", stage.carol)].map { (user: String, device: DeviceID) in
                Binding(
                    user: UserID(user), installation: InstallationID("phone of \(user)"), route: "up",
                    target: .device(device), boundAt: host.clock.date.addingTimeInterval(-60))
            })
        await receipts.simulator.setGone(true, stage.carol.rawValue, at: host.clock.date)
        let report = try await client.send(message("Are you there?"), to: .devices([stage.bob, stage.carol]))
        let events = try await receipts.events(at: host.clock.date)
        let router = try PushRouter(routes: ["up": client], bindings: bindings)
        let pruned = try await router.prune(events, of: "up", receivedAt: host.clock.date)
        let left = await bindings.bindings(of: ["bob", "carol"]).map(\.user.rawValue)
        return StoryStep(
            title: title, isRight: report.isComplete && pruned.retired == 1 && left == ["bob"],
            facts: [
                ("receipts about removed apps", "read"), ("accepted", JSONValue(report.acceptedCount)),
                ("bindings removed", JSONValue(pruned.retired)),
            ])
    }
}
