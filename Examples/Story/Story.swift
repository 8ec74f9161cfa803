import FoundationEssentials
import PushAdapter
package import PushBridge
import PushLoopback
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
    let stage: StoryStage
    let client: PushClient
    let host: SimulatorHost
    let transport: any HTTPTransport

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
            (configuration.attemptTimeout, configuration.deadline) = (.seconds(300), .seconds(600))
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

    // MARK: Capabilities

    /// The result of a call that some vendors lack.
    struct Attempt {
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

    func attempt(_ feature: Feature, _ call: () async throws(PushError) -> String) async -> Attempt {
        let (support, before) = (client.capabilities[feature], host.journal.count)
        do throws(PushError) {
            let text = try await call()
            return Attempt(text: text, support: support, requests: host.journal.count - before)
        } catch {
            return Attempt(error: error, support: support, requests: host.journal.count - before)
        }
    }

    /// Whether devices have tags at the vendor.
    var hasTags: Bool { has(.addTags) }

    func has(_ feature: Feature) -> Bool {
        if case .unsupported = client.capabilities[feature] { false } else { true }
    }

    /// Whether every device needs its own request.
    var isOneByOne: Bool { client.capabilities.limits[.devicesPerSend]?.maximum == 1 }

    func name(of audience: Audience) -> JSONValue {
        if case .aliases = audience { return "an alias" }
        if case .accounts = audience { return "an account" }
        return "her device only"
    }

    /// The vendor's counts for each message; empty if it counts none.
    func deliveries(of report: SendReport) async throws -> [DeliveryReport] {
        guard case .native = client.capabilities[.readDeliveries] else { return [] }
        return try await client.readDeliveries(of: report.messageIDs)
    }

    var keys: JSONValue {
        let capabilities = client.capabilities
        if capabilities[.mintKeys] == .native { return "made by the vendor" }
        guard let grade = capabilities.keyGrade(for: .push) else { return "not here" }
        return grade == .vendor ? "made by the client, remembered by the vendor" : .string(grade.summary)
    }

    func support(_ feature: Feature) -> JSONValue {
        switch client.capabilities[feature] {
        case .native: "native"
        case .emulated(let recipe): .string("emulated: \(recipe.caveat)")
        case .unsupported(let reason): .string("not here: \(reason)")
        }
    }

    func message(_ text: String) -> Message { Message(notification: Notification(title: "Shop", body: text)) }

    // MARK: The simulator's view

    /// The path of a push to a device at this vendor.
    func pushPath(to device: DeviceID) throws -> String {
        let steps = client.explain(message("x"), to: .devices([device])).steps
        guard let step = steps.last(where: { $0.operation == .send }) else {
            throw PushError(.invalidState, "a send has no request")
        }
        // The address of a browser is a secret, which a step does not show.
        if let address = step.request.address { return address.pathAndQuery }
        return "/" + step.url.split(separator: "/").dropFirst(2).joined(separator: "/")
    }

    func pushRequests(_ path: String) -> Int { host.journal.entries(path: path).count }

    /// The device's state after the vendor has applied every accepted change.
    func snapshot(of device: DeviceID) async throws -> DeviceSnapshot {
        await stage.simulator.settle(at: host.clock.date.addingTimeInterval(60))
        guard let snapshot = await stage.simulator.snapshot(of: device.rawValue) else {
            throw PushError(.invalidState, "the simulator does not know its own device")
        }
        return snapshot
    }

    func tags(of device: DeviceID) async throws -> Set<Tag> {
        Set(try await snapshot(of: device).tags.map { Tag($0) })
    }

    func inbox(of device: DeviceID) async throws -> Int { try await snapshot(of: device).inbox.count }

    private var people: [(name: String, device: DeviceID)] {
        [("Alice", stage.alice), ("Bob", stage.bob), ("Carol", stage.carol)]
    }

    /// The number of messages of each of the three people.
    func inboxes() async throws -> [Int] {
        var counts: [Int] = []
        for person in people { counts.append(try await inbox(of: person.device)) }
        return counts
    }

    /// The names of the people with more messages than before. A report's ids may not be those on a phone.
    func readers(since before: [Int]) async throws -> [String] {
        zip(people, zip(before, try await inboxes())).filter { $1.0 < $1.1 }.map(\.0.name)
    }

    func list(_ tags: Set<Tag>) -> String { tags.sorted().map(\.rawValue).joined(separator: ", ") }

    func number(_ value: Int?) -> JSONValue {
        value.map { JSONValue(integerLiteral: $0) } ?? "not reported"
    }
}
