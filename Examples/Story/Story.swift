import FoundationEssentials
import PushAdapter
package import PushBridge
import PushLoopback
import PushMemory
import PushRouter
package import PushSimulation
import PushSimulationServer

/// One step of the demo: the action, its result, and whether the result is right.
package struct StoryStep: Sendable {
    package var title: String
    package var isRight: Bool
    /// Facts by name, in order.
    package var facts: [(name: String, value: JSONValue)]

    package init(title: String, isRight: Bool, facts: [(name: String, value: JSONValue)]) {
        (self.title, self.isRight, self.facts) = (title, isRight, facts)
    }

    package var json: JSONValue {
        [
            "title": .string(title), "isRight": .bool(isRight),
            "facts": .object(Dictionary(facts.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })),
        ]
    }
}

/// The story: a backend tags devices, pushes to them, meets trouble, and reads back the results. It is one program for
/// every vendor: it uses the model, asks the client for its capabilities, and accepts refusals.
package struct Story: Sendable {
    private let stage: StoryStage
    private let client: PushClient
    private let host: SimulatorHost
    private let transport: any HTTPTransport

    /// Runs the whole story on its own server, which stops afterwards.
    /// - Parameters:
    ///   - stage: the vendor.
    ///   - host: the vendor's simulator; nil for one that no other code uses.
    ///   - show: gets each step when it is done.
    package static func run(
        on stage: StoryStage, _ host: SimulatorHost? = nil, _ show: @escaping @Sendable (StoryStep) -> Void
    ) async throws -> [StoryStep] {
        let host = host ?? SimulatorHost(stage.simulator)
        return try await SimulationServer.withTransport(to: host) { origin, transport in
            // On a busy machine, the story is slow but the same.
            var configuration = ClientConfiguration()
            (configuration.attemptTimeout, configuration.deadline) = (.seconds(60), .seconds(120))
            let client = PushClient(
                try stage.makeProvider(origin), transport: transport, configuration: configuration)
            let start = StoryStep(
                title: "A simulator of \(stage.vendor) listens", isRight: true, facts: [("address", .string(origin))])
            show(start)
            let story = Story(stage: stage, client: client, host: host, transport: transport)
            return [start] + (try await story.steps(show))
        }
    }

    private func steps(_ show: (StoryStep) -> Void) async throws -> [StoryStep] {
        var done: [StoryStep] = []
        for step in [
            tags, replacement, name, attribute, expression, crowd, throttle, lostReply, failover, receipt,
        ] {
            done.append(try await step())
            done.last.map(show)
        }
        return done
    }

    // MARK: Steps

    private func tags() async throws -> StoryStep {
        let added = await attempt(.addTags) { () async throws(PushError) in
            _ = try await client.updateTags(.add(["vip", "beta"]), of: stage.alice)
            _ = try await client.updateTags(.add(["vip"]), of: stage.bob)
            _ = try await client.updateTags(.add(["vip", "trial"]), of: stage.carol)
            return "set"
        }
        let read = await attempt(.readTags) { () async throws(PushError) in
            list(try await client.readTags(of: stage.alice))
        }
        let real = try await tags(of: stage.alice)
        return StoryStep(
            title: "Tags are set",
            isRight: real == (hasTags ? ["vip", "beta"] : []) && added.isRight("set") && read.isRight("beta, vip"),
            facts: [
                ("tags.add", added.fact), ("Alice's tags at the vendor", .string(list(real))), ("tags.read", read.fact),
            ])
    }

    private func replacement() async throws -> StoryStep {
        let (before, old) = (host.journal.count, try await tags(of: stage.alice))
        let replaced = await attempt(.replaceTags) { () async throws(PushError) in
            let outcome = try await client.replaceTags(with: ["vip", "gold"], of: stage.alice)
            guard outcome.isComplete else { return "in part" }
            return outcome.isAtomic ? "atomic" : "not atomic"
        }
        let real = try await tags(of: stage.alice)
        return StoryStep(
            title: "Alice's tags are replaced, where the vendor can",
            isRight: real == (has(.replaceTags) ? ["vip", "gold"] : old) && replaced.isRight(replaced.text ?? ""),
            facts: [
                ("Alice's tags at the vendor", .string(list(real))), ("tags.replace", support(.replaceTags)),
                ("requests", JSONValue(integerLiteral: host.journal.count - before)), ("the change", replaced.fact),
            ])
    }

    /// Names Alice by an alias if the vendor has aliases, else by an account, else by the device id in the backend's
    /// records.
    private func name() async throws -> StoryStep {
        var facts: [(String, JSONValue)] = []
        let account = Account(name: "user_alice", type: 1)
        let alias = await attempt(.setAlias) { () async throws(PushError) in
            try await client.setAlias("user_alice", of: stage.alice)
            return "set"
        }
        let binding = await attempt(.addAccounts) { () async throws(PushError) in
            _ = try await client.updateAccounts(.add([account]), of: stage.alice)
            return "bound"
        }
        facts += [("alias.set", alias.fact), ("accounts.add", binding.fact)]
        if let writeDelay = client.capabilities.writeDelay[.addAccounts] {
            facts.append(("the vendor binds after it answers: waited", .string("\(writeDelay.components.seconds) s")))
            try await Task.sleep(for: writeDelay)
        }
        var audience = Audience.devices([stage.alice])
        if alias.text != nil {
            audience = .aliases(["user_alice"])
        } else if binding.text != nil {
            audience = .accounts([account])
        }
        facts.append(("the vendor knows her by", name(of: audience)))
        let before = try await inboxes()
        _ = try await client.send(message("Only for Alice"), to: audience)
        let reached = try await readers(since: before)
        facts.append(("reached", .string(reached.joined(separator: ", "))))
        return StoryStep(
            title: "Alice is reached by her name",
            isRight: reached == ["Alice"] && alias.isRight("set") && binding.isRight("bound"), facts: facts)
    }

    private func attribute() async throws -> StoryStep {
        let written = await attempt(.addAttributes) { () async throws(PushError) in
            let outcome = try await client.updateAttributes(.add(["nickname": "Ann"]), of: stage.alice)
            return outcome.isComplete ? "set" : "rejected"
        }
        let kept = try await snapshot(of: stage.alice).attributes["nickname"]
        return StoryStep(
            title: "Alice's nickname is kept where there are attributes",
            isRight: written.isRight("set") && kept == (written.text == nil ? nil : "Ann"),
            facts: [("attributes.add", written.fact)])
    }

    private func expression() async throws -> StoryStep {
        var message = message("New for you")
        if case .native = client.capabilities[.contentBadgeArithmetic] {
            message.notification?.ios = IOSNotification(badge: .change(by: 1))
        }
        // If the vendor has no tags or cannot leave one out, the backend itself knows who has which tag.
        let leavesOutTags = hasTags && has(.audienceTagsNoneOf)
        let audience: Audience =
            leavesOutTags ? .tagged(anyOf: ["vip"], noneOf: ["trial"]) : .devices([stage.alice, stage.bob])
        let before = try await inboxes()
        let report = try await client.send(message, to: audience)
        let reached = try await readers(since: before)
        let rows = try await deliveries(of: report)
        return StoryStep(
            title: "A send to the tags vip and not trial reaches exactly the right devices",
            isRight: reached == ["Alice", "Bob"] && (rows.first?.received ?? 1) >= 1,
            facts: [
                ("the audience is", leavesOutTags ? "an expression over tags" : "a list by the backend's own records"),
                ("reached", .string(reached.joined(separator: ", "))),
                ("message", .string(report.messageIDs.map(\.rawValue).joined(separator: ", "))),
                ("received over the vendor's own connection", number(rows.first?.channels[.vendor]?.received)),
                ("handed to Apple", number(rows.first?.channels[.apns]?.sent)),
            ])
    }

    private func crowd() async throws -> StoryStep {
        let crowd = stage.crowd
        let isCustom = has(.contentCustom)
        let sync = isCustom ? Message(custom: CustomMessage(content: "sync")) : message("sync")
        let report = try await client.send(sync, to: .devices(crowd + [crowd[0], "not a device"]))
        let rows = try await deliveries(of: report)
        var received = 0
        for device in crowd {
            let inbox = try await snapshot(of: device).inbox
            received += inbox.count { (isCustom ? $0.custom?.content : $0.alert) == "sync" }
        }
        let counted = rows.reduce(0) { $0 + $1.received }
        let repeated = report.exceptions.count(where: \.status.isDuplicate)
        let malformed = report.exceptions.count(where: \.status.isMalformed)
        return StoryStep(
            title: "2,300 devices are reached in slices",
            isRight: report.acceptedCount == 2300 && received == 2300 && (rows.isEmpty || counted == 2300)
                && report.slices.count == (isOneByOne ? 5 : 3) && repeated == 1 && malformed == 1,
            facts: [
                ("the message is", isCustom ? "a custom message" : "a notification"),
                ("accepted in each slice", .array(report.slices.map { JSONValue($0.acceptedCount) })),
                ("requests", JSONValue(integerLiteral: report.slices.reduce(0) { $0 + $1.requestCount })),
                ("received, by the report", rows.isEmpty ? "no report" : JSONValue(integerLiteral: counted)),
                ("repeated, sent once", JSONValue(integerLiteral: repeated)),
                ("malformed, not sent", JSONValue(integerLiteral: malformed)),
            ])
    }

    private func throttle() async throws -> StoryStep {
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
    private func lostReply() async throws -> StoryStep {
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
    private func failover() async throws -> StoryStep {
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
    private func receipt() async throws -> StoryStep {
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

    // MARK: Capabilities

    /// The result of a call that some vendors lack.
    private struct Attempt {
        var text: String?
        var error: PushError?
        var support: Support
        /// The number of requests sent.
        var requests: Int

        /// Whether the call gave the expected result, or was refused as unsupported if the capabilities say so.
        func isRight(_ expected: String) -> Bool {
            if case .unsupported = support {
                return error?.kind == .unsupported && error?.effect == .notApplied && requests == 0
            }
            return text == expected
        }

        var fact: JSONValue {
            if let text { return .string(text) }
            if case .unsupported(let reason) = support { return .string("not here: \(reason)") }
            return .string("\(error?.kind ?? "unknown")")
        }
    }

    private func attempt(_ feature: Feature, _ call: () async throws(PushError) -> String) async -> Attempt {
        let (support, before) = (client.capabilities[feature], host.journal.count)
        do throws(PushError) {
            let text = try await call()
            return Attempt(text: text, support: support, requests: host.journal.count - before)
        } catch {
            return Attempt(error: error, support: support, requests: host.journal.count - before)
        }
    }

    /// Whether devices have tags at the vendor.
    private var hasTags: Bool { has(.addTags) }

    private func has(_ feature: Feature) -> Bool {
        if case .unsupported = client.capabilities[feature] { false } else { true }
    }

    /// Whether every device needs its own request.
    private var isOneByOne: Bool { client.capabilities.limits[.devicesPerSend]?.maximum == 1 }

    private func name(of audience: Audience) -> JSONValue {
        if case .aliases = audience { return "an alias" }
        if case .accounts = audience { return "an account" }
        return "her device only"
    }

    /// The vendor's counts for each message; empty if it counts none.
    private func deliveries(of report: SendReport) async throws -> [DeliveryReport] {
        guard case .native = client.capabilities[.readDeliveries] else { return [] }
        return try await client.readDeliveries(of: report.messageIDs)
    }

    private var keys: JSONValue {
        let capabilities = client.capabilities
        if capabilities[.mintKeys] == .native { return "made by the vendor" }
        guard let grade = capabilities.keyGrade(for: .push) else { return "not here" }
        return grade == .vendor ? "made by the client, remembered by the vendor" : .string(grade.summary)
    }

    private func support(_ feature: Feature) -> JSONValue {
        switch client.capabilities[feature] {
        case .native: "native"
        case .emulated(let recipe): .string("emulated: \(recipe.caveat)")
        case .unsupported(let reason): .string("not here: \(reason)")
        }
    }

    private func message(_ text: String) -> Message { Message(notification: Notification(title: "Shop", body: text)) }

    // MARK: The simulator's view

    /// The path of a push to a device at this vendor.
    private func pushPath(to device: DeviceID) throws -> String {
        let steps = client.explain(message("x"), to: .devices([device])).steps
        guard let step = steps.last(where: { $0.operation == .send }) else {
            throw PushError(.invalidState, "a send has no request")
        }
        // The address of a browser is a secret, which a step does not show.
        if let address = step.request.address { return address.pathAndQuery }
        return "/" + step.url.split(separator: "/").dropFirst(2).joined(separator: "/")
    }

    private func pushRequests(_ path: String) -> Int { host.journal.entries(path: path).count }

    /// The device's state after the vendor has applied every accepted change.
    private func snapshot(of device: DeviceID) async throws -> DeviceSnapshot {
        await stage.simulator.settle(at: host.clock.date.addingTimeInterval(60))
        guard let snapshot = await stage.simulator.snapshot(of: device.rawValue) else {
            throw PushError(.invalidState, "the simulator does not know its own device")
        }
        return snapshot
    }

    private func tags(of device: DeviceID) async throws -> Set<Tag> {
        Set(try await snapshot(of: device).tags.map { Tag($0) })
    }

    private func inbox(of device: DeviceID) async throws -> Int { try await snapshot(of: device).inbox.count }

    private var people: [(name: String, device: DeviceID)] {
        [("Alice", stage.alice), ("Bob", stage.bob), ("Carol", stage.carol)]
    }

    /// The number of messages of each of the three people.
    private func inboxes() async throws -> [Int] {
        var counts: [Int] = []
        for person in people { counts.append(try await inbox(of: person.device)) }
        return counts
    }

    /// The names of the people with more messages than before. A report's ids may not be those on a phone.
    private func readers(since before: [Int]) async throws -> [String] {
        zip(people, zip(before, try await inboxes())).filter { $1.0 < $1.1 }.map(\.0.name)
    }

    private func list(_ tags: Set<Tag>) -> String { tags.sorted().map(\.rawValue).joined(separator: ", ") }

    private func number(_ value: Int?) -> JSONValue {
        value.map { JSONValue(integerLiteral: $0) } ?? "not reported"
    }
}
