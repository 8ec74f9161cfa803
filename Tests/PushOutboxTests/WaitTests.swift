import FoundationEssentials
import PushAdapter
import PushSimulation
import TestSupport
import Testing

@testable import PushOutbox

/// What a report says of targets that wait for another try.
@Suite("What waits in an outbox, and why", .timeLimit(.minutes(20)))
struct WaitTests {
    private static func waits(_ outbox: PushOutbox) async throws -> [CampaignReport.Wait] {
        try await outbox.report(of: "sale").waits()
    }

    @Test(
        "what may have been sent says why its repeat was refused, how often, when the next one is, and until when",
        arguments: [Keys.vendor, .caller])
    func repeated(_ keys: Keys) async throws {
        let world = OutboxWorld(keys, devices: 3)
        let outbox = world.outbox()
        world.host.faults.add(.actedThenLost, times: 1, path: "/messages")
        world.host.faults.add(.serverError(status: 503), times: 100, path: "/messages")
        try await world.enqueue(outbox)
        #expect(try await Self.waits(outbox).isEmpty)
        for attempts in 1...3 {
            try await outbox.runUntilIdle()
            let wait = try #require(try await Self.waits(outbox).first)
            #expect(wait.part == 0 && wait.route == "a" && !wait.isQuarantined)
            #expect(wait.targets == 3 && wait.mayHaveBeenSent == 3 && wait.attempts == attempts, "\(wait)")
            #expect(wait.reason.hasPrefix(attempts == 1 ? "transport: " : "server: "), "\(wait)")
            let nextTry = try #require(wait.nextTry)
            #expect(nextTry > world.clock.date && nextTry < world.clock.date.addingTimeInterval(600))
            #expect(try #require(wait.repeatedUntil) > nextTry)
            world.clock.advance(by: .seconds(600))
        }
        try await outbox.pause("sale")
        #expect(try await Self.waits(outbox).map(\.nextTry) == [nil])
        try await outbox.resume("sale")
        world.host.faults.removeAll()
        #expect(try await world.finish(outbox))
        #expect(try await Self.waits(outbox).isEmpty)
    }

    @Test("what a worker left that ended waits with its key, and says so")
    func workerEnded() async throws {
        let world = OutboxWorld(.caller, devices: 3)
        try await world.enqueue(world.outbox())
        await world.live(Life()) { try await $0.runUntilIdle() }
        // Its route has nothing to send, so it only recovers the leftover work.
        let next = PushOutbox(world.store, routes: ["b": world.client()], clock: world.clock)
        try await next.runUntilIdle()
        let waits = try await Self.waits(next)
        #expect(
            waits.map(\.mayHaveBeenSent) == [3]
                && waits.map(\.reason) == ["its worker ended while a request was on its way"])
        #expect(waits.first?.repeatedUntil != nil)
    }

    @Test("each reason of a part is told apart, the largest first, and a paused part has no next try")
    func reasons() async throws {
        let world = OutboxWorld(.none, devices: 15)
        let outbox = world.outbox()
        try await world.enqueue(outbox)
        #expect(try await world.store.claim(1))
        let request = OutboxLease(worker: 1, routes: ["a"], limit: 5, now: world.clock.date)
        let leased = try await world.store.lease(request).map(\.slice)
        let errors = [
            PushError(.busy, "wait"), PushError(.rateLimited, "for 3 s"), PushError(.rateLimited, "for 4 s"),
            PushError(.cancelled, "the worker stops"), nil,
        ]
        let changes = zip(leased, errors).map { slice, error in
            SliceChange(slice.givenBack(at: world.clock.date, because: error), from: [.leased])
        }
        #expect(try await world.store.apply(changes).allSatisfy { $0 })
        let waits = try await Self.waits(outbox)
        #expect(waits.map(\.targets) == [6, 3], "\(waits)")
        #expect(waits.map(\.reason) == ["rateLimited: for 4 s", "busy: wait"])
        #expect(waits.allSatisfy { $0.repeatedUntil == nil && $0.mayHaveBeenSent == 0 && $0.attempts == 0 }, "\(waits)")
        #expect(waits.map(\.nextTry) == [world.clock.date, world.clock.date])
        let id = try await outbox.campaigns()[0].id
        try await world.store.delayPart(of: id, 0, until: world.clock.date.addingTimeInterval(60))
        #expect(try await Self.waits(outbox).first?.nextTry == world.clock.date.addingTimeInterval(60))
        try await world.store.pauseParts(of: id, [0], for: "unauthorized")
        #expect(try await Self.waits(outbox).map(\.nextTry) == [nil, nil])
    }

    @Test("what was said of an earlier try is not said of one whose worker ended, nor of a resend")
    func staleReasons() async throws {
        let world = OutboxWorld(.caller, devices: 3)
        let outbox = world.outbox()
        world.host.faults.add(.throttle(reset: nil), times: 1, path: "/messages")
        try await world.enqueue(outbox)
        try await outbox.runUntilIdle()
        #expect(try await Self.waits(outbox).map(\.mayHaveBeenSent) == [0])
        world.clock.advance(by: .seconds(600))
        await world.live(Life()) { try await $0.runUntilIdle() }
        let next = PushOutbox(world.store, routes: ["b": world.client()], clock: world.clock)
        try await next.runUntilIdle()
        let left = try await Self.waits(next)
        #expect(left.map(\.reason) == ["its worker ended while a request was on its way"], "\(left)")

        let other = OutboxWorld(.none, devices: 3)
        let second = other.outbox()
        other.host.faults.add(.actedThenLost, times: 1, path: "/messages")
        try await other.enqueue(second)
        #expect(try await other.finish(second))
        try await second.resendUnknown("sale")
        let resent = try await Self.waits(second)
        #expect(resent.map(\.reason) == ["it is to be sent once more"] && resent.map(\.mayHaveBeenSent) == [3])
    }

    @Test("where each target has a request of its own, some that fail say what kind of failure it was")
    func singly() async throws {
        let world = OutboxWorld(.noneSingly, devices: 3)
        let outbox = world.outbox()
        world.host.faults.add(.throttle(reset: nil), times: 1, path: "/messages")
        try await world.enqueue(outbox)
        try await outbox.runUntilIdle()
        #expect(try await outbox.progress(now: "sale").accepted == 2)
        let waits = try await Self.waits(outbox)
        #expect(waits.map(\.reason) == ["rateLimited"] && waits.map(\.targets) == [1], "\(waits)")
    }

    @Test("a slice that ended its workers says that a person has to resume it")
    func held() async throws {
        let world = OutboxWorld(.vendor, devices: 3)
        let outbox = world.outbox()
        try await world.enqueue(outbox)
        for _ in 0..<4 { await world.live(Life()) { try await $0.runUntilIdle() } }
        try await outbox.runUntilIdle()
        #expect(try await outbox.progress(now: "sale").slices == [.quarantined: 1])
        let waits = try await Self.waits(outbox)
        #expect(waits.map(\.isQuarantined) == [true] && waits.first?.nextTry == nil, "\(waits)")
        #expect(waits.first?.reason.contains("resume") == true, "\(waits)")
    }

    @Test("a try that failed is told with its campaign and its reason, and so is a part that waits")
    func events() async throws {
        let world = OutboxWorld(.none, devices: 3)
        let events = Locked<[OutboxEvent]>([])
        let outbox = world.outbox { settings in settings.onEvent = { event in events.withLock { $0.append(event) } } }
        world.host.faults.add(.throttle(reset: nil), times: 1, path: "/messages")
        try await world.enqueue(outbox)
        #expect(try await world.finish(outbox))
        let attempts = events.withLock { events in
            events.compactMap { event -> String? in
                guard case .attempted(let name, _, _, _, let reason, _) = event else { return nil }
                return "\(name) " + (reason?.prefix { $0 != ":" } ?? "well")
            }
        }
        #expect(attempts == ["sale rateLimited", "sale well"])
    }

    @Test("a worker says that it starts, that it stands by, and once that its route rests")
    func lives() async throws {
        let world = OutboxWorld(.none, devices: 3)
        let events = Locked<[OutboxEvent]>([])
        let outbox = world.outbox { settings in settings.onEvent = { event in events.withLock { $0.append(event) } } }
        #expect(try await world.store.claim(77))
        let worker = Task { try await outbox.run() }
        await until { !events.withLock(\.isEmpty) }
        let end = world.clock.elapsed + .seconds(5)
        await until { world.clock.elapsed >= end }
        #expect(events.withLock { $0 } == [.standsBy])
        try await world.store.release(77)
        try await world.enqueue(outbox)
        try await until { try await outbox.progress(now: "sale").state.isEnded }
        worker.cancel()
        try await worker.value
        #expect(events.withLock { $0.contains(.started) })
    }

    @Test("a route whose vendor fails again and again rests, and its worker says so once")
    func resting() async throws {
        let world = OutboxWorld(.caller, devices: 3)
        let events = Locked<[OutboxEvent]>([])
        let outbox = world.outbox { settings in settings.onEvent = { event in events.withLock { $0.append(event) } } }
        world.host.faults.add(.serverError(status: 503), times: 3, path: "/messages")
        try await world.enqueue(outbox)
        let worker = Task { try await outbox.run() }
        try await until { try await outbox.progress(now: "sale").state.isEnded }
        worker.cancel()
        try await worker.value
        let rests = events.withLock { events in
            events.count { if case .routeRests("a", _) = $0 { true } else { false } }
        }
        #expect(rests == 1)
    }

    @Test("a route's parts are resumed at once, but not those of another route, nor what a person paused")
    func resumeRoute() async throws {
        let world = OutboxWorld(.none, devices: 1)
        let wrong = PushOutbox(
            world.store, routes: ["a": world.client(key: "wrong"), "b": world.client(key: "wrong")],
            clock: world.clock)
        let names: [CampaignName] = ["first", "second", "third", "other"]
        for name in names {
            let part = CampaignPart.audience(.devices(world.devices), at: name == "other" ? "b" : "a")
            try await wrong.enqueue(OutboxWorld.message, to: [part], as: name)
        }
        try await wrong.runUntilIdle()
        try await wrong.pause("third")
        #expect(try await wrong.resume(at: "a") == ["first", "second", "third"])
        #expect(try await wrong.resume(at: "a").isEmpty)
        var paused: [Bool] = []
        for name in names { paused.append(try await wrong.progress(now: name).needsPerson) }
        #expect(paused == [false, false, false, true])
        #expect(try await wrong.progress(now: "third").state == .paused)
    }
}
