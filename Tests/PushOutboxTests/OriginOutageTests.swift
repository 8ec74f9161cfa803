import FoundationEssentials
import PushAdapter
import PushClient
import PushSimulation
import PushWebPush
import Testing

@testable import PushOutbox

/// Targets that bring their own host, and one of the hosts gives no answer.
@Suite("A push service gives no answer", .timeLimit(.minutes(20)))
struct OriginOutageTests {
    /// How a host fails.
    enum Outage: Sendable, CaseIterable {
        /// Nothing was sent.
        case outOfReach
        /// The service may have acted.
        case silence

        var error: PushError {
            switch self {
            case .outOfReach: PushError(.transport, "no connection", retry: .backoff)
            case .silence: PushError(.timeout, "no response in time", retry: .backoff, effect: .unknown)
            }
        }
    }

    /// All push services. Those at Microsoft's hosts fail until the outage ends. Mozilla's throttles all the time.
    private final class Internet: HTTPTransport {
        let outage: Locked<Outage?>
        let requests = Locked<[String]>([])
        let accepted = Locked<[String: Int]>([:])

        init(_ outage: Outage) { self.outage = Locked(outage) }

        /// The requests to Microsoft.
        var failing: Int { requests.withLock { $0.count { $0.contains("windows.com") } } }

        func send(_ request: TransportRequest) async throws(PushError) -> WireResponse {
            requests.withLock { $0.append(request.url) }
            if request.host.hasSuffix(".windows.com"), let error = outage.withLock({ $0?.error }) { throw error }
            guard !request.host.hasSuffix(".mozilla.com") else { return WireResponse(status: 429) }
            accepted.withLock { $0[request.url, default: 0] += 1 }
            return WireResponse(status: 201, headers: [.location: "https://push.example/m/1"])
        }

        func shutdown() async {}
    }

    private struct World {
        let clock = VirtualClock()
        let internet: Internet
        let outbox: PushOutbox
        private let key: WebPushKey

        init(_ outage: Outage) throws {
            internet = Internet(outage)
            key = try WebPushKey(Secret("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
            var configuration = ClientConfiguration()
            configuration.clock = clock
            let client = PushClient(
                try WebPush(key, subject: "mailto:push@ferries.example.com"), transport: internet,
                configuration: configuration)
            outbox = PushOutbox(MemoryOutboxStore(), routes: ["web": client], clock: clock)
        }

        func devices(_ host: String, _ numbers: Range<Int>) throws -> [DeviceID] {
            try numbers.map {
                try WebPushSubscription(
                    endpoint: "https://\(host)/w/\($0)",
                    p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
                    auth: "BTBZMqHH6r4Tts7J_aSIgg", vapidKey: key.id
                ).deviceID
            }
        }

        func google(_ numbers: Range<Int>) throws -> [DeviceID] { try devices("fcm.googleapis.com", numbers) }
        func microsoft(_ numbers: Range<Int>) throws -> [DeviceID] {
            try devices("wns2-par02p.notify.windows.com", numbers)
        }

        func enqueue(_ devices: [DeviceID], as name: CampaignName) async throws {
            let message = Message(notification: Notification(title: "Ferry", body: "Gate 3"))
            try await outbox.enqueue(message, to: [.audience(.devices(devices), at: "web")], as: name)
        }

        /// Sends to one device of Microsoft three times, so that the outbox knows.
        func notice() async throws {
            try await enqueue(try google(0..<1), as: "first")
            for number in 0..<3 {
                try await enqueue(try microsoft(number..<number + 1), as: CampaignName("lost-\(number)"))
                try await outbox.runUntilIdle()
            }
        }
    }

    @Test("the others go on, and its targets get theirs when it is back", arguments: Outage.allCases)
    func othersGoOn(outage: Outage) async throws {
        let world = try World(outage)
        try await world.notice()
        #expect(world.internet.failing == 3 && world.clock.elapsed == .zero)
        // A list of both services, and campaigns of one target.
        let mixed = try zip(world.google(100..<160), world.microsoft(100..<160)).flatMap { [$0, $1] }
        try await world.enqueue(mixed, as: "mixed")
        for number in 200..<220 {
            try await world.enqueue(try world.microsoft(number..<number + 1), as: CampaignName("single-\(number)"))
        }
        try await world.enqueue(try world.google(300..<400), as: "google")
        try await world.outbox.runUntilIdle()
        // No send waited, and the service that gives no answer got no further request.
        #expect(world.clock.elapsed == .zero && world.internet.failing == 3)
        #expect(try await world.outbox.progress(now: "google").accepted == 100)
        #expect(try await world.outbox.progress(now: "mixed").accepted == 60)
        #expect(await world.outbox.health().restingRoutes.isEmpty)

        // Each pause ends with one request: after 10, 20 and 40 seconds more.
        for pause in [10, 20, 40] {
            let before = world.internet.failing
            world.clock.advance(by: .seconds(pause - 1))
            try await world.outbox.runUntilIdle()
            #expect(world.internet.failing == before)
            world.clock.advance(by: .seconds(1))
            try await world.outbox.runUntilIdle()
            #expect(world.internet.failing == before + 1)
        }

        world.internet.outage.withLock { $0 = nil }
        let start = world.clock.elapsed
        while try await !world.outbox.campaigns(in: [.active]).isEmpty, world.clock.elapsed - start < .seconds(600) {
            world.clock.advance(by: .seconds(10))
            try await world.outbox.runUntilIdle()
        }
        // The outcome of a request that was lost cannot be known: three before the first pause, one after each.
        let lost = outage == .silence ? 6 : 0
        #expect(world.internet.accepted.withLock { $0.count } == 1 + 3 + 120 + 20 + 100 - lost)
        #expect(world.internet.accepted.withLock { $0.values.allSatisfy { $0 == 1 } })
        var unknown = 0
        for campaign in try await world.outbox.campaigns() {
            let progress = try await world.outbox.progress(now: campaign.name)
            #expect(progress.state == .finished, "\(campaign.name)")
            unknown += progress.unknown
        }
        #expect(unknown == lost)
    }

    @Test("a target that is refused again and again ends, and those that wait for another service stay open")
    func refusedBeside() async throws {
        let world = try World(.outOfReach)
        try await world.notice()
        let throttled = try world.devices("updates.push.services.mozilla.com", 0..<1)
        try await world.enqueue(throttled + (try world.microsoft(100..<102)), as: "mixed")
        var progress = try await world.outbox.progress(now: "mixed")
        for _ in 0..<100 where progress.targets[.rejectedForNow] == nil {
            try await world.outbox.runUntilIdle()
            world.clock.advance(by: .seconds(600))
            progress = try await world.outbox.progress(now: "mixed")
        }
        #expect(progress.targets[.rejectedForNow] == 1 && progress.open == 2 && progress.state == .active)
        world.internet.outage.withLock { $0 = nil }
        for _ in 0..<3 {
            try await world.outbox.runUntilIdle()
            world.clock.advance(by: .seconds(600))
        }
        #expect(try await world.outbox.progress(now: "mixed").accepted == 2)
    }

    @Test("a circuit breaker keeps a limited number of origins, and drops the one that failed longest ago")
    func mostOrigins() {
        let clock = VirtualClock()
        let circuit = CircuitBreaker("web", failures: 1, pause: .seconds(3600), clock: clock)
        let watch = circuit.watch(endsList: true)
        let origin = { (number: Int) in "https://o\(number).example" }
        for number in 0...CircuitBreaker.mostOrigins {
            clock.advance(by: .milliseconds(1))
            #expect(watch.begin(at: origin(number)) == nil)
            watch.note(Outage.silence.error, at: origin(number), begunAt: clock.elapsed)
        }
        #expect(watch.begin(at: origin(0)) == nil && watch.begin(at: origin(1))?.kind == .circuitOpen)
        #expect(watch.stopReason == nil && circuit.rest == nil)
        // A list that only records sends to all.
        #expect(circuit.watch(endsList: false).begin(at: origin(1)) == nil)
    }

    @Test("after its pause, one request at a time tries an origin, and an answer lets all others in")
    func trial() {
        let clock = VirtualClock()
        let watch = CircuitBreaker("web", failures: 1, pause: .seconds(10), clock: clock).watch(endsList: true)
        let origin = "https://o.example"
        watch.note(Outage.silence.error, at: origin, begunAt: .zero)
        #expect(watch.begin(at: origin)?.retry == .after(.seconds(10)))
        clock.advance(by: .seconds(10))
        #expect(watch.begin(at: origin) == nil && watch.begin(at: origin)?.retry == .after(.seconds(10)))
        // A request from before the pause is not the one that tries it.
        watch.note(PushError(.cancelled, "cancelled"), at: origin, begunAt: .seconds(1))
        #expect(watch.begin(at: origin) != nil)
        watch.note(PushError(.cancelled, "cancelled"), at: origin, begunAt: .seconds(10))
        #expect(watch.begin(at: origin) == nil)
        watch.note(nil, at: origin, begunAt: .seconds(10))
        #expect(watch.begin(at: origin) == nil && watch.begin(at: origin) == nil)
    }
}
