import FoundationEssentials
import PushAdapter
import PushClient
import PushOutbox
import PushSimulation
import TestSupport
import Testing

/// Campaigns that other programs enqueue as JSON.
@Suite("A campaign that another program submits")
struct SubmittedTests {
    /// Stores a campaign as the database function `outbox_enqueue` does.
    @discardableResult
    static func submit(_ json: String, _ name: CampaignName = "sale", in world: OutboxWorld) async throws
        -> Campaign
    {
        var campaign = Campaign(
            name: name, digest: "d", message: Array(json.utf8), options: CampaignOptions(), seed: "5eed",
            createdAt: world.clock.date, parts: [])
        campaign.state = .submitted
        return try await world.store.create(campaign).campaign
    }

    private static func devices(_ world: OutboxWorld) -> String {
        world.devices.map { "\"\($0.rawValue)\"" }.joined(separator: ",")
    }

    @Test("a worker plans and sends it, with its options")
    func sent() async throws {
        let world = OutboxWorld(.vendor)
        let events = Locked<[OutboxEvent]>([])
        let outbox = world.outbox { $0.onEvent = { event in events.withLock { $0.append(event) } } }
        let later = world.clock.date.addingTimeInterval(100).timeIntervalSince1970
        let start = world.clock.date
        try await Self.submit(
            """
            {"name": "sale", "message": {"notification": {"body": "Hello"}}, "priority": "bulk", "expiry": 600.5,
             "afterUnknown": "resend", "keeps": 5, "keepsName": 50, "to": [
             {"at": "a", "audience": {"devices": [\(Self.devices(world))]}, "notBefore": \(later)}]}
            """, in: world)
        world.clock.advance(by: .seconds(60))
        try await outbox.runUntilIdle()
        let campaign = try #require(try await outbox.campaigns().first)
        #expect(campaign.state == .active && campaign.parts.map(\.route) == ["a"] && campaign.reason == nil)
        var options = CampaignOptions()
        (options.priority, options.expiry, options.afterUnknown) = (.bulk, .milliseconds(600_500), .resend)
        (options.keeps, options.keepsName) = (.seconds(5), .seconds(50))
        #expect(campaign.options == options)
        #expect(campaign.expiresAt == start.addingTimeInterval(600.5))
        #expect(await world.deliveries == Array(repeating: 0, count: 10))
        #expect(events.withLock { $0.contains(.enqueued("sale", slices: 4)) })
        world.clock.advance(by: .seconds(41))
        #expect(try await world.finish(outbox))
        #expect(await world.deliveries == Array(repeating: 1, count: 10))
    }

    private static let part = #"{"at": "a", "audience": {"devices": ["phone-1000"]}}"#
    private static let message = #""message": {"notification": {"body": "Hello"}}"#

    @Test(
        "what cannot be sent is refused, with what is wrong and where",
        arguments: [
            ("{", "JSON"), (#"{"to": [\#(part)]}"#, #""message" is missing"#), (#"{\#(message)}"#, #""to" is missing"#),
            (#"{\#(message), "to": []}"#, "no parts"), (#"{\#(message), "to": [\#(part)], "prio": 1}"#, "prio"),
            (#"{\#(message), "to": [{"at": "a", "audience": "everyone", "to": 1}]}"#, #"unknown key "to" at to"#),
            (#"{\#(message), "to": [\#(part)], "priority": "low"}"#, "not urgent, normal or bulk"),
            (#"{\#(message), "to": [\#(part)], "expiry": -1}"#, "more than zero"),
            (#"{\#(message), "to": [\#(part)], "expiry": 1e300}"#, "too long at expiry"),
            (#"{\#(message), "to": [{"at": "a", "audience": "everyone", "notBefore": 1e13}]}"#, "too far at to"),
            (#"{\#(message), "to": [\#(part)], "keeps": -1}"#, "zero or more"),
            (#"{\#(message), "to": [\#(part)], "afterUnknown": "again"}"#, "afterUnknown"),
            (#"{\#(message), "to": [{"at": "a", "audience": {"devices": []}}]}"#, "no targets"),
            (#"{\#(message), "to": [{"at": "a", "audience": {"people": []}}]}"#, "audience"),
            (#"{"message": {}, "to": [\#(part)]}"#, "message"),
        ])
    func refused(_ json: String, _ reason: String) async throws {
        let world = OutboxWorld(.none, devices: 1)
        let outbox = world.outbox()
        try await Self.submit(json, in: world)
        try await outbox.runUntilIdle()
        let progress = try await outbox.progress(now: "sale")
        #expect(progress.state == .refused)
        let text = try #require(progress.reason)
        #expect(text.contains(reason) && progress.description.contains(text), "\(text)")
        #expect(!text.contains("phone-1000") && !text.contains("Hello"))
        #expect(await world.deliveries == [0])
        // Its name stays in use.
        await #expect(throws: PushError.self) { try await world.enqueue(outbox) }
    }

    @Test("a report made before a worker planned it names its targets")
    func reportedBefore() async throws {
        let world = OutboxWorld(.none, devices: 4, missing: [2])
        let outbox = world.outbox()
        try await Self.submit(
            #"{\#(Self.message), "to": [{"at": "a", "audience": {"devices": [\#(Self.devices(world))]}}]}"#, in: world)
        let report = try await outbox.report(of: "sale")
        #expect(report.campaign.state == .submitted)
        try await outbox.runUntilIdle()
        var named: [Target?] = []
        for try await exception in report.exceptions where exception.route == "a" { named.append(exception.target) }
        #expect(named == [.device(world.devices[2])])
        let answers = try await report.answers()
        #expect(answers.keys.sorted() == ["a"] && answers["a"]?.dead == 1 && answers["a"]?.accepted == 3)
    }

    @Test("a worker without its route leaves it to others, and says so once")
    func otherRoute() async throws {
        let world = OutboxWorld(.none, devices: 1)
        let events = Locked<[OutboxEvent]>([])
        let outbox = PushOutbox(
            world.store, routes: ["b": world.client()], settings: .reporting(to: events), clock: world.clock)
        _ = try await Self.submit(#"{\#(Self.message), "to": [\#(Self.part)]}"#, in: world)
        let running = Task { try await outbox.run() }
        let end = world.clock.elapsed + .seconds(5)
        await until { world.clock.elapsed >= end }
        running.cancel()
        try await running.value
        let told = events.withLock { $0.filter { if case .unreadable("sale", _) = $0 { true } else { false } } }
        #expect(told.count == 1)
        #expect(try await outbox.progress(now: "sale").state == .submitted)
        #expect(try await world.finish(world.outbox()))
        #expect(await world.deliveries == [1])
    }

    @Test("one that the store does not take holds up no other")
    func refusedByStore() async throws {
        let world = OutboxWorld(.none, devices: 1)
        for name in ["a", "b", "c"] as [CampaignName] {
            try await Self.submit(#"{\#(Self.message), "to": [\#(Self.part)]}"#, name, in: world)
        }
        let store = ForgetfulStore(world.store)
        store.unplannable.withLock { $0 = "b" }
        let outbox = PushOutbox(store, routes: ["a": world.client()], clock: world.clock)
        try await outbox.runUntilIdle()
        #expect(try await outbox.campaigns().map(\.state) == [.finished, .submitted, .finished])
        #expect(await world.deliveries == [2])
    }

    @Test("it is cancelled before it is planned, and nothing else can be done with it")
    func cancelled() async throws {
        let world = OutboxWorld(.none, devices: 1)
        let outbox = world.outbox()
        try await Self.submit(#"{\#(Self.message), "to": [\#(Self.part)]}"#, in: world)
        for operation in [outbox.pause, outbox.resume] {
            let error = await #expect(throws: PushError.self) { try await operation("sale") }
            #expect(error?.kind == .invalidState)
        }
        try await outbox.cancel("sale")
        try await outbox.runUntilIdle()
        #expect(try await outbox.progress(now: "sale").state == .cancelled)
        #expect(await world.deliveries == [0])
    }

    @Test("a worker that ends at any moment plans it once", arguments: 1...12)
    func crash(_ step: Int) async throws {
        for after in [false, true] {
            let world = OutboxWorld(.caller, devices: 4)
            try await Self.submit(
                #"{\#(Self.message), "to": [{"at": "a", "audience": {"devices": [\#(Self.devices(world))]}}]}"#,
                in: world)
            await world.live(Life(endingAt: step, after: after)) { try await $0.runUntilIdle() }
            #expect(try await world.finish(world.outbox()))
            #expect(await world.deliveries == [1, 1, 1, 1])
            #expect(try await world.outbox().progress(now: "sale").accepted == 4)
        }
    }
}

extension OutboxSettings {
    /// Settings that record all events.
    static func reporting(to events: Locked<[OutboxEvent]>) -> OutboxSettings {
        var settings = OutboxSettings()
        settings.onEvent = { event in events.withLock { $0.append(event) } }
        return settings
    }
}
