import FoundationEssentials
import PushAdapter
import PushClient
import PushSimulation
import PushSimulationTesting
import PushStoreConformance
import TestSupport
import Testing

@testable import PushOutbox

@Suite("A worker that is lost, ends or waits", .timeLimit(.minutes(20)))
struct WorkerTests {
    @Test("what a lost worker knows is written down when its store is back", arguments: Keys.allCases)
    func lost(_ keys: Keys) async throws {
        let world = OutboxWorld(keys, devices: 3)
        let life = Life(endingAt: .max)
        let client = world.client(whileAnswering: {
            await world.forgetProcesses()
            life.failures.withLock { $0 = 60 }
        })
        let outbox = world.outbox(life, client: client)
        try await world.enqueue(outbox)
        try await outbox.runUntilIdle()
        // There were enough failures to cover the worker's end and its limit for requests in flight.
        #expect(life.failures.withLock { $0 } < 0)
        let progress = try await outbox.progress(now: "sale")
        #expect(progress.accepted == 3 && progress.unknown == 0 && progress.state == .finished)
        #expect(await world.deliveries == [1, 1, 1])
    }

    @Test("settings beyond all measure trap nowhere")
    func hugeSettings() async throws {
        let world = OutboxWorld(.none, devices: 7)
        let outbox = world.outbox {
            $0.slicesInFlight = .max
            ($0.poll, $0.renewal) = (.seconds(Int64.max), .seconds(Int64.max))
            ($0.drain, $0.credentialDoubt) = (.seconds(Int64.max), .seconds(Int64.max))
        }
        try await world.enqueue(outbox)
        try await outbox.runUntilIdle()
        #expect(await world.deliveries.allSatisfy { $0 == 1 })
    }

    @Test("a worker forgets campaigns that it left to others once they are planned")
    func leftCampaigns() async throws {
        let world = OutboxWorld(.none, devices: 1)
        try await SubmittedTests.submit(
            #"{"message": {"notification": {"body": "Hello"}}, "to": [{"at": "a", "audience": {"devices": ["phone-1000"]}}]}"#,
            in: world)
        let outbox = PushOutbox(world.store, routes: ["b": world.client()], clock: world.clock)
        let worker = OutboxWorker(outbox, StoreFailures(outbox))
        for _ in 0..<3 {
            _ = await worker.planSome()
            #expect(worker.left.withLock(\.count) == 1)
            world.clock.advance(by: .seconds(6))
        }
        #expect(try await world.finish(world.outbox()))
        _ = await worker.planSome()
        #expect(worker.left.withLock(\.isEmpty))
    }

    @Test("a worker remembers some of the parts whose credentials were refused, not all")
    func refusedParts() async throws {
        let world = OutboxWorld(.none, devices: 1)
        let outbox = world.outbox(over: ForgetfulStore(world.store, workers: 2)) { $0.credentialDoubt = .zero }
        let check = CredentialCheck(outbox)
        func judge(_ campaign: Int) async throws -> CredentialCheck.Verdict {
            try await check.judge(SliceRow.ID(campaign: Int64(campaign), part: 0, number: 0))
        }
        for verdict in [CredentialCheck.Verdict.leaveRoute, .pausePart, .pausePart] {
            #expect(try await judge(0) == verdict)
        }
        for campaign in 1...CredentialCheck.mostParts + 10 {
            #expect(try await judge(campaign) == .leaveRoute)
        }
        #expect((1...CredentialCheck.mostParts).contains(check.partCount))
    }

    @Test("a store that fails while its worker drains is told again", arguments: Keys.allCases)
    func draining(_ keys: Keys) async throws {
        let world = OutboxWorld(keys, devices: 3)
        let life = Life(endingAt: .max)
        let shift = Shift()
        let client = world.client(whileAnswering: {
            life.failures.withLock { $0 = 5 }
            shift.end()
        })
        let outbox = world.outbox(life, client: client)
        try await world.enqueue(outbox)
        try await shift.begin(outbox).value
        let progress = try await outbox.progress(now: "sale")
        let sent = await world.deliveries.count { $0 == 1 }
        #expect(progress.accepted == sent && progress.unknown == 0 && sent > 0)
    }

    @Test("a worker that ends for good gives up on a store that fails for longer than the drain")
    func gone() async throws {
        let world = OutboxWorld(.none, devices: 3)
        let life = Life(endingAt: .max)
        let shift = Shift()
        let client = world.client(whileAnswering: {
            life.failures.withLock { $0 = .max }
            shift.end()
        })
        let outbox = world.outbox(life, client: client)
        try await world.enqueue(outbox)
        try await shift.begin(outbox).value
        life.failures.withLock { $0 = 0 }
        #expect(try await world.finish(outbox))
        #expect(try await outbox.progress(now: "sale").unknown == 3)
    }

    @Test("a lost worker waits for what is on its way no longer than one that ends")
    func lostInFlight() async throws {
        let world = OutboxWorld(.none, devices: 3)
        let cancelledAt = Locked<Duration?>(nil)
        let client = world.client {
            $0.attemptTimeout = .seconds(6_000)
        } whileAnswering: {
            await world.forgetProcesses()
            // The clock moves in steps, so that each wait begins.
            while world.clock.elapsed < .seconds(3_000), !Task.isCancelled {
                try? await Task.sleep(for: .milliseconds(5))
                world.clock.advance(by: .seconds(1))
            }
            cancelledAt.withLock { $0 = world.clock.elapsed }
        }
        let outbox = world.outbox(client: client)
        try await world.enqueue(outbox)
        try await outbox.runUntilIdle()
        let moment = try #require(cancelledAt.withLock { $0 })
        // Five seconds until the worker learns of it, ten until it ends, plus the steps; many pass on a busy machine.
        #expect(moment >= .seconds(15) && moment < .seconds(3_000), "\(moment)")
        #expect(await world.deliveries == [1, 1, 1])
    }

    @Test("a worker with an old key takes a slice that survived its worker once, and leaves it to others")
    func survivorWithoutKey() async throws {
        let world = OutboxWorld(.vendor, devices: 3)
        try await world.enqueue(world.outbox())
        // The process dies right after its lease.
        let life = Life(endingAt: .max)
        life.afterLease.withLock { $0 = { [weak life] in life?.end() } }
        await world.live(life) { try await $0.runUntilIdle() }
        let leases = Locked(0)
        var settings = OutboxSettings()
        settings.onEvent = { if case .leased = $0 { leases.withLock { $0 += 1 } } }
        let store = ForgetfulStore(world.store, workers: 2)
        let outbox = PushOutbox(
            store, routes: ["a": world.client(key: "wrong")], settings: settings, clock: world.clock)
        try await outbox.runUntilIdle()
        #expect(leases.withLock { $0 } == 1)
        #expect(try await world.finish(world.outbox()))
        #expect(await world.deliveries == [1, 1, 1])
    }

    @Test("a slice is sent that was leased again in a lost answer, while its outcomes were still being written")
    func leasedAgain() async throws {
        let world = OutboxWorld(.none, devices: 3)
        let store = MuteStore(world.store)
        let outbox = world.outbox(over: store)
        let worker = Task { try await outbox.run() }
        // Until the vendor has answered once, only one slice is leased at a time.
        for name: CampaignName in ["first", "sale"] {
            try await world.enqueue(outbox, as: name)
            await until { (try? await world.outbox().progress(now: name).state) == .finished }
            store.mute()
        }
        worker.cancel()
        try await worker.value
        #expect(await world.deliveries == [2, 2, 2])
    }

    @Test("a slice is sent that a store leased after the worker had stopped waiting for it, and had looked for it")
    func leasedLate() async throws {
        let world = OutboxWorld(.none, devices: 3)
        let outbox = world.outbox(over: LateStore(world.store))
        try await world.enqueue(outbox)
        let worker = Task { try await outbox.run() }
        await until { (try? await world.outbox().progress(now: "sale").state) == .finished }
        worker.cancel()
        try await worker.value
        #expect(await world.deliveries == [1, 1, 1])
    }

    @Test("a worker that forgets campaigns loses none that is being read")
    func manyCampaigns() async throws {
        let world = OutboxWorld(.none, devices: 1)
        for number in 0..<150 { try await world.enqueue(world.outbox(), as: CampaignName("c\(number)")) }
        let ids = try await world.store.campaigns(.all).map(\.id)
        let store = ForgetfulStore(world.store)
        let outbox = world.outbox(over: store)
        let worker = OutboxWorker(outbox, StoreFailures(outbox))
        #expect(try await worker.campaigns([ids[0]]).count == 1)
        store.during(.campaigns) { _ = try? await worker.campaigns(Set(ids[2...])) }
        #expect(try await Set(worker.campaigns([ids[0], ids[1]]).keys) == [ids[0], ids[1]])
        #expect(try await worker.campaigns(Set(ids)).count == 150)
    }

    @Test("a worker that ends plans nothing more")
    func planning() async throws {
        let world = OutboxWorld(.none, devices: 1)
        for number in 0..<150 {
            let json = #"{"message": {"notification": {"body": "Hello"}}, "to": [{"at": "a", "audience": "everyone"}]}"#
            try await SubmittedTests.submit(json, CampaignName("c\(number)"), in: world)
        }
        let store = ForgetfulStore(world.store)
        let outbox = world.outbox(over: store)
        let shift = Shift()
        store.during(.plan) { shift.end() }
        try await shift.begin(outbox).value
        let states = try await world.store.campaigns(.all).map(\.state)
        #expect(states.count { $0 == .submitted } == 50)
    }

    @Test(
        "while a store fails, the pauses between calls grow, and a failure is reported once a minute",
        arguments: [[OutboxCall.lease, .endFinished], OutboxCall.allCases])
    func failing(calls: [OutboxCall]) async throws {
        let world = OutboxWorld(.none, devices: 1)
        let store = UnreachableStore(world.store)
        let told = Locked<[Duration]>([])
        var settings = OutboxSettings()
        settings.onEvent = { [clock = world.clock] event in
            if case .storeFailed = event { told.withLock { $0.append(clock.elapsed) } }
        }
        let outbox = PushOutbox(store, routes: ["a": world.client()], settings: settings, clock: world.clock)
        let worker = Task { try await outbox.run() }
        await until { !world.clock.sleeps.isEmpty }
        store.fail(Set(calls))
        // In this time, a worker that can renew nothing loses its claim, and so do others after it.
        let end = world.clock.elapsed + .seconds(100)
        await until { world.clock.elapsed > end }
        // Ten loops a second would make a thousand calls. The clock may go on while the test looks.
        let (count, times) = (store.failures, told.withLock { $0.filter { $0 <= end } })
        #expect(count < 250 && times.count <= 3, "\(count) calls, told at \(times)")
        store.fail([])
        try await world.enqueue(outbox)
        await until { await world.deliveries == [1] }
        worker.cancel()
        try await worker.value
    }

    @Test("a standby waits on if its store fails as it takes over")
    func standby() async throws {
        let world = OutboxWorld(.vendor)
        let store = ForgetfulStore(world.store)
        let events = Locked<[OutboxEvent]>([])
        let outbox = PushOutbox(
            store, routes: ["a": world.client()], settings: .reporting(to: events), clock: world.clock)
        try await world.enqueue(outbox)
        #expect(try await world.store.claim(1))
        let worker = Task { try await outbox.run() }
        await until { !world.clock.sleeps.isEmpty }
        store.lose(.orphans)
        try await world.store.release(1)
        await until { (try? await outbox.progress(now: "sale").state) == .finished }
        worker.cancel()
        try await worker.value
        #expect(events.withLock { $0.contains { if case .storeFailed = $0 { true } else { false } } })
        #expect(await world.deliveries.allSatisfy { $0 == 1 })
    }
}
