import FoundationEssentials
import PushAdapter
import PushClient
import PushOutbox
import PushSimulation
import TestSupport
import Testing

@Suite("The routes of an outbox")
struct RouteTests {
    @Test("hours without a connection refuse nobody, and are few requests")
    func noConnection() async throws {
        let world = OutboxWorld(.none, devices: 60)
        let outbox = world.outbox()
        world.host.faults.add(.refusedStream, times: 100_000, path: "/messages")
        try await world.enqueue(outbox)
        for _ in 0..<60 {
            try await outbox.runUntilIdle()
            world.clock.advance(by: .seconds(120))
        }
        let progress = try await outbox.progress(now: "sale")
        #expect(progress.open == 60 && progress.state == .active)
        let requests = world.host.journal.entries.count
        #expect(requests < 120, "\(requests) requests in two hours")
        world.host.faults.removeAll()
        #expect(try await world.finish(outbox))
        #expect(await world.deliveries.allSatisfy { $0 == 1 })
    }

    @Test("a worker that runs on sends again when the connection is back", .timeLimit(.minutes(20)))
    func connectionIsBack() async throws {
        let world = OutboxWorld(.none, devices: 12)
        let outbox = world.outbox { $0.slicesInFlight = 4 }
        world.host.faults.add(.refusedStream, times: .max, path: "/messages")
        try await world.enqueue(outbox)
        let worker = Task { try await outbox.run() }
        // It tries its four slices three times, then one at a time.
        await until { world.host.journal.entries.count >= 14 }
        world.host.faults.removeAll()
        try await until { try await outbox.progress(now: "sale").state.isEnded }
        worker.cancel()
        try await worker.value
        #expect(await world.deliveries.allSatisfy { $0 == 1 })
    }

    @Test("a vendor that fails for an hour leaves few targets unknown", arguments: [Keys.none, .noneSingly])
    func failingVendor(_ keys: Keys) async throws {
        let world = OutboxWorld(keys, devices: 1_500)
        // Without a line for the vendor's quota, whose waiting requests would keep the other tests from the processors.
        let outbox = world.outbox(client: world.client(perMinute: 100_000)) { $0.slicesInFlight = 4 }
        world.host.faults.add(.serverError(status: 503), times: 100_000, path: "/messages")
        try await world.enqueue(outbox)
        for _ in 0..<30 {
            try await outbox.runUntilIdle()
            world.clock.advance(by: .seconds(120))
        }
        let unknown = try await outbox.progress(now: "sale").unknown
        #expect(unknown > 0 && unknown < 300, "\(unknown)")
        world.host.faults.removeAll()
        #expect(try await world.finish(outbox))
        let progress = try await outbox.progress(now: "sale")
        #expect(progress.accepted == 1_500 - unknown && progress.unknown == unknown)
    }

    @Test("a slice of which some targets are accepted at each try is not given up")
    func progressOfTries() async throws {
        // As many targets as one attempt covers at a route without a response yet.
        let world = OutboxWorld(.noneSingly, devices: 8)
        let outbox = world.outbox()
        try await world.enqueue(outbox)
        for open in (1..<8).reversed() {
            world.host.faults.removeAll()
            world.host.faults.add(.throttle(reset: 0), times: open, path: "/messages")
            try await outbox.runUntilIdle()
            #expect(try await outbox.progress(now: "sale").open == open)
            world.clock.advance(by: .seconds(900))
        }
        #expect(try await world.finish(outbox))
        #expect(try await outbox.progress(now: "sale").accepted == 8)
    }

    @Test("what a vendor says of one target stops no other")
    func isolated() async throws {
        let world = OutboxWorld(.noneSingly, devices: 4, missing: [1])
        let outbox = world.outbox(client: world.client(as: .isolating))
        try await world.enqueue(outbox)
        #expect(try await world.finish(outbox))
        #expect(try await outbox.progress(now: "sale").pausedParts.isEmpty)
        #expect(try await world.statuses(outbox) == [nil, .rejected(mayRetry: false), nil, nil])
    }

    @Test("targets that cannot be read are quarantined, and stop nothing else")
    func damaged() async throws {
        let world = OutboxWorld(.vendor)
        let outbox = world.outbox()
        try await world.enqueue(outbox)
        let id = try await outbox.campaigns()[0].id
        let stored = try await world.store.slices(of: id, with: [.open], after: nil, limit: 1)
        var change = SliceChange(try #require(stored.first).slice, from: [.ready])
        change.targets = .replace([1, 200, 7])
        #expect(try await world.store.apply([change]) == [true])
        for _ in 0..<3 {
            try await outbox.runUntilIdle()
            world.clock.advance(by: .seconds(60))
        }
        let progress = try await outbox.progress(now: "sale")
        #expect(progress.accepted == 7 && progress.slices[.quarantined] == 1 && progress.pausedParts.isEmpty)
        #expect(progress.description.hasSuffix("1 quarantined"))
    }

    @Test("a slice that ends its workers before anything leaves is quarantined too")
    func endsBeforeTheNote() async throws {
        let world = OutboxWorld(.vendor, devices: 6)
        let person = world.outbox()
        try await world.enqueue(person)
        var rounds = 0
        while try await person.progress(now: "sale").slices[.quarantined] == nil {
            let life = Life(endingAt: .max)
            life.afterLease.withLock { $0 = { [weak life] in life?.end() } }
            await world.live(life) { try await $0.runUntilIdle() }
            rounds += 1
            try #require(rounds < 9)
        }
        try await person.resume("sale")
        #expect(try await world.finish(person))
        #expect(await world.deliveries.allSatisfy { $0 == 1 })
    }

    @Test("a slice that gets on is not quarantined, however often its worker ends")
    func getsOn() async throws {
        let world = OutboxWorld(.noneSingly, devices: 500)
        let person = world.outbox()
        try await world.enqueue(person)
        var lives = 0
        while try await person.progress(now: "sale").state == .active {
            await world.live(Life(endingAt: 110)) { try await $0.runUntilIdle() }
            let progress = try await person.progress(now: "sale")
            #expect(progress.slices[.quarantined] == nil, "after \(lives) lives: \(progress)")
            lives += 1
            try #require(lives < 60)
        }
        #expect(lives > 2)
    }

    @Test("repeats without end are written down as they come, not kept in memory")
    func repeats() async throws {
        let world = OutboxWorld(.vendor, devices: 1)
        let outbox = world.outbox()
        let phone = world.devices[0]
        let stream = AsyncStream<DeviceID> { feed in
            for _ in 0..<25_000 { feed.yield(phone) }
            feed.finish()
        }
        try await outbox.enqueue(OutboxWorld.message, to: [.devices(stream, at: "a")], as: "sale")
        let before = try await outbox.progress(now: "sale")
        #expect(before.slices.values.reduce(0, +) == 3 && before.total == 25_000)
        #expect(try await world.finish(outbox))
        let progress = try await outbox.progress(now: "sale")
        #expect(progress.accepted == 1 && progress.targets[.duplicate] == 24_999)
        #expect(await world.deliveries == [1])
    }
}
