import FoundationEssentials
import PushAdapter
import PushRouter
import PushSimulation
import PushWebhooks
import Testing

@Suite("Pruning by a vendor's events", .timeLimit(.minutes(20)))
struct EventPruningTests {
    @Test("a send accepts a dead device, an event says so, and it loses its binding at that route only")
    func retired() async throws {
        let called = try CalledRouter(installations: 4)
        let world = called.world
        let elsewhere = Binding(
            user: "u3", installation: nil, route: "b", target: .device("a3"), boundAt: Routed.firstBound)
        await world.store.bind(elsewhere)
        let report = try await world.send(over: called.router)
        #expect(report.accepted(at: "a") == 4 && report.dead.isEmpty)
        let before = world.sides.map(\.host.journal.count)
        let pruned = try await called.prune(called.say("delivered", 0..<3) + called.say("gone", 3..<4))
        #expect(pruned.retired == 1 && pruned.spared == 0 && pruned.halted.isEmpty)
        #expect(world.sides.map(\.host.journal.count) == before)
        #expect(await world.store.bindings(at: [elsewhere.way]) == [elsewhere])
        let plan = try await world.plan("Next", over: called.router)
        #expect(plan.choices.map(\.binding.installation) == [0, 1, 2].map { Routed.installation($0) })
        #expect(plan.unreachable.installations == [Routed.installation(3)])
    }

    @Test(
        "what is suspect, not delivered or only accepted is not removed, and does not count",
        arguments: ["suspect", "isolated", "off", "accepted"])
    func otherwise(result: String) async throws {
        let called = try CalledRouter(installations: 20)
        let pruned = try await called.prune(called.say("delivered", 0..<8) + called.say(result, 8..<18))
        #expect(pruned == PruningReport())
        // Of ten devices that count, two are dead; then of eleven, three.
        #expect(try await called.prune(called.say("gone", 18..<20)).retired == 2)
        #expect(try await called.prune(called.say("gone", 17..<18)).halted == ["a": 3])
        #expect(await called.bound() == Array(0..<18))
    }

    @Test("the same event twice counts once, in one callback and in several")
    func twice() async throws {
        let called = try CalledRouter(installations: 10)
        let gone = called.say("gone", 9..<10)
        let pruned = try await called.prune(called.say("delivered", 0..<9) + gone + gone + gone)
        #expect(pruned.retired == 1 && pruned.spared == 2 && pruned.halted.isEmpty)
        for _ in 0..<3 {
            let again = try await called.prune(gone)
            #expect(again.retired == 0 && again.spared == 1 && again.halted.isEmpty)
        }
        #expect(await called.bound() == Array(0..<9))
    }

    @Test("an unknown device, no device and an unknown route remove nothing")
    func unknown() async throws {
        let called = try CalledRouter(installations: 2)
        let stranger: JSONValue = ["result": "gone", "device": "stranger"]
        let pruned = try await called.prune(called.say("delivered", 0..<1) + [stranger, ["result": "gone"]])
        #expect(pruned.retired == 0 && pruned.spared == 1 && pruned.halted.isEmpty)
        let other = try await called.prune(called.say("delivered", 0..<1) + called.say("gone", 1..<2), of: "z")
        #expect(other.retired == 0 && other.halted == ["z": 1])
        #expect(await called.bound() == [0, 1])
    }

    // MARK: Bound again

    @Test("a binding that was made after the event's date stays; the verdict's own date comes first")
    func boundAgain() async throws {
        let called = try CalledRouter(installations: 4)
        let (world, start) = (called.world, called.world.clock.date)
        world.clock.advance(by: .seconds(60))
        await world.store.bind(world.sides[0].binding(1, boundAt: world.clock.date))
        await world.store.bind(world.sides[0].binding(2, boundAt: world.clock.date))
        world.clock.advance(by: .seconds(60))
        let pruned = try await called.prune(
            called.say("delivered", 3..<4) + called.say("gone", 0..<2, at: start)
                + called.say("goneBefore", 2..<3, at: world.clock.date))
        #expect(pruned.retired == 1 && pruned.spared == 2)
        #expect(await called.bound() == [1, 2, 3])
        // A date in the future does not reach beyond the call.
        let later = world.clock.date.addingTimeInterval(3_600)
        world.clock.advance(by: .seconds(60))
        await world.store.bind(world.sides[0].binding(1, boundAt: world.clock.date))
        let received = world.clock.date.addingTimeInterval(-1)
        let future = try await called.prune(called.say("gone", 1..<3, at: later), receivedAt: received)
        #expect(future.retired == 1 && future.spared == 1)
        #expect(await called.bound() == [1, 3])
    }

    @Test("without a date, only a binding that is older than the callback is removed")
    func undated() async throws {
        let called = try CalledRouter(installations: 3)
        let (world, received) = (called.world, called.world.clock.date)
        world.clock.advance(by: .seconds(1))
        await world.store.bind(world.sides[0].binding(1, boundAt: world.clock.date))
        let pruned = try await called.prune(
            called.say("delivered", 2..<3) + called.say("gone", 0..<2), receivedAt: received)
        #expect(pruned.retired == 1 && pruned.spared == 1)
        #expect(await called.bound() == [1, 2])
    }

    // MARK: Too many at once

    @Test("nothing is removed where no device was reached, neither by an event nor by a send")
    func unproven() async throws {
        let called = try CalledRouter(installations: 3)
        let gone = called.say("gone", 0..<1)
        let halted = try await called.prune(gone)
        #expect(halted.retired == 0 && halted.halted == ["a": 1])
        let pruned = try await called.prune(called.say("clicked", 1..<2) + gone)
        #expect(pruned.retired == 1 && pruned.halted.isEmpty)
        let other = try CalledRouter(installations: 3)
        _ = try await other.world.send(over: other.router)
        #expect(try await other.prune(other.say("gone", 0..<1)).retired == 1)
    }

    @Test(
        "a fifth is not too many, and of few devices each may be dead",
        arguments: [(10, 2), (10, 3), (9, 8), (100, 20), (100, 21)])
    func share(count: Int, dead: Int) async throws {
        let called = try CalledRouter(installations: count)
        let first = try await called.prune(called.say("delivered", dead..<count))
        #expect(first == PruningReport())
        let pruned = try await called.prune(called.say("gone", 0..<dead))
        let isHalted = count >= 10 && dead * 5 > count
        #expect(pruned.retired == (isHalted ? 0 : dead) && pruned.halted == (isHalted ? ["a": dead] : [:]))
        #expect(await called.bound() == Array((isHalted ? 0 : dead)..<count))
    }

    @Test("the callbacks of a day count together, and those of the day before do not")
    func day() async throws {
        let called = try CalledRouter(installations: 130)
        let hour = Duration.seconds(3_600)
        _ = try await called.prune(called.say("delivered", 0..<100))
        called.world.clock.advance(by: hour * 3)
        #expect(try await called.prune(called.say("gone", 100..<120)).retired == 20)
        called.world.clock.advance(by: hour * 21)
        let alone = try await called.prune(called.say("gone", 120..<130))
        #expect(alone.retired == 0 && alone.halted == ["a": 30])
        let tooMany = try await called.prune(called.say("delivered", 0..<100) + called.say("gone", 120..<130))
        #expect(tooMany.retired == 0 && tooMany.halted == ["a": 30])
        called.world.clock.advance(by: hour * 3)
        #expect(try await called.prune(called.say("gone", 120..<130)).retired == 10)
        #expect(await called.bound() == Array(0..<100))
    }

    @Test("a device that gets many messages counts once, and by its last event")
    func devices() async throws {
        let called = try CalledRouter(installations: 12)
        let many = (0..<20).flatMap { _ in called.say("delivered", 0..<9) }
        let halted = try await called.prune(many + called.say("gone", 9..<12))
        #expect(halted.retired == 0 && halted.halted == ["a": 3])
        let pruned = try await called.prune(called.say("delivered", 9..<10) + called.say("gone", 10..<12))
        #expect(pruned.retired == 2 && pruned.halted.isEmpty)
        #expect(await called.bound() == Array(0..<10))
    }

    @Test("the share of many devices is estimated", arguments: [(4_000, false), (20_000, true)])
    func many(dead: Int, isHalted: Bool) async throws {
        let called = try CalledRouter(installations: 1)
        var events = (0..<40_000).map { WebhookEvent(.delivered, device: DeviceID("alive-\($0)")) }
        events += (1..<dead).map { WebhookEvent(.notDelivered, device: DeviceID("dead-\($0)"), verdict: .dead()) }
        events.append(WebhookEvent(.notDelivered, device: "a0", verdict: .dead()))
        let pruned = try await called.router.prune(events, of: "a", receivedAt: called.world.clock.date)
        #expect(pruned.retired == (isHalted ? 0 : 1) && pruned.spared == (isHalted ? 0 : dead - 1))
        let halted = pruned.halted["a"] ?? 0
        #expect(isHalted ? abs(halted - dead) < dead / 10 : halted == 0)
    }
}
