import APNsSimulator
import FoundationEssentials
import PushAdapter
import PushRouter
import PushSimulation
import Testing

@Suite("Pruning of dead bindings", .timeLimit(.minutes(20)))
struct PruningTests {
    /// The number of installations with a binding at a route.
    private func bound(at route: RouteName, in world: Routed) async -> Int {
        let installations = (0..<world.count).map { Routed.installation($0) }
        return await world.store.bindings(ofInstallations: installations).count { $0.route == route }
    }

    @Test("the vendor's word retires a binding, and a later plan is without it")
    func retired() async throws {
        let world = try Routed(
            .memory { $0.missing = [1, 2] }, .memory(), installations: 4,
            isBound: { number, side in side == 0 || number == 1 })
        let router = try world.router()
        let report = try await world.send(over: router)
        let pruned = try await router.prune(report)
        #expect(pruned.retired == 2 && pruned.spared == 0 && pruned.halted.isEmpty)
        let plan = try await world.plan("Next", over: router)
        #expect(plan.choices.map(\.binding.installation) == [0, 1, 3].map { Routed.installation($0) })
        #expect(plan.choices.map(\.binding.route) == ["a", "b", "a"])
        #expect(plan.unreachable.installations == [Routed.installation(2)])
        // The second time, there is nothing to remove.
        let again = try await router.prune(report)
        #expect(again.retired == 0 && again.spared == 2)
    }

    @Test("pruning costs no request")
    func free() async throws {
        let world = try Routed(.memory { $0.missing = [0] }, .memory(), installations: 3)
        let router = try world.router()
        let report = try await world.send(over: router)
        let before = world.sides.map(\.host.journal.count)
        _ = try await router.prune(report)
        #expect(world.sides.map(\.host.journal.count) == before && report.dead.count == 1)
    }

    @Test("dead at both vendors: both bindings are retired")
    func both() async throws {
        let world = try Routed(
            .memory { $0.missing = [0] }, .memory { $0.takesOne = true }, installations: 4,
            isBound: { number, side in side == (number == 3 ? 1 : 0) || number == 0 })
        let router = try world.router()
        // This proves the second vendor's key.
        _ = try await world.send("First", over: router, to: 3..<4)
        world.sides[1].say(.dead)
        let report = try await world.send(over: router, to: 0..<3)
        #expect(report.outcomes[0].attempts.map(\.status) == [.invalid(), .invalid()])
        let pruned = try await router.prune(report)
        #expect(pruned.retired == 2)
        let plan = try await world.plan("Next", over: router)
        #expect(plan.unreachable.installations == [Routed.installation(0)])
    }

    @Test("what a rule of the adapter refuses is not retired")
    func rule() async throws {
        let world = try Routed(.memory { $0.longestID = 4 }, installations: 2)
        var long = world.sides[0].binding(0, boundAt: Routed.firstBound)
        long.target = .device("longer-than-four")
        await world.store.bind(long)
        let router = try world.router { $0.preflight = .whatCanBeSent }
        let report = try await world.send(over: router)
        let pruned = try await router.prune(report)
        #expect(report.accepted(at: "a") == 1 && pruned.retired == 0)
        #expect(report.dead.isEmpty && report.problems.count == 1)
        let count = await bound(at: "a", in: world)
        #expect(count == 2)
    }

    @Test(
        "what is suspect, refused, lost or not attempted is not retired",
        arguments: [Routed.Outspoken.Word.suspect, .unauthorized, .misconfigured, .blocked, .tooLong, .quotaExhausted])
    func otherwise(word: Routed.Outspoken.Word) async throws {
        let world = try Routed(.memory { $0.takesOne = true }, .memory(), installations: 3)
        world.sides[0].say(word)
        let router = try world.router()
        let report = try await world.send(over: router)
        let pruned = try await router.prune(report)
        #expect(report.outcomes[0].attempts[0].status != .accepted)
        #expect(pruned.retired == 0 && pruned.spared == 0 && pruned.halted.isEmpty)
        let count = await bound(at: "a", in: world)
        #expect(count == 3)
    }

    @Test("what a refusal says of one target, it does not say of a list")
    func list() async throws {
        let world = try Routed(.memory(), installations: 3)
        world.sides[0].say(.dead)
        let report = try await world.send(over: world.router())
        #expect(report.dead.isEmpty && report.outcomes.allSatisfy { $0.status == .rejected(mayRetry: false) })
    }

    // MARK: Bound again

    @Test("a binding that was bound after the send began stays")
    func boundAgain() async throws {
        let world = try Routed(.memory { $0.missing = [0, 1] }, installations: 4)
        let router = try world.router()
        let report = try await world.send(over: router)
        world.clock.advance(by: .seconds(1))
        await world.store.bind(world.sides[0].binding(0, boundAt: world.clock.date))
        let pruned = try await router.prune(report)
        #expect(pruned.retired == 1 && pruned.spared == 1)
        let plan = try await world.plan("Next", over: router)
        #expect(plan.choices.map(\.binding.installation) == [0, 2, 3].map { Routed.installation($0) })
    }

    @Test("a binding with another target took the dead one's place, and stays")
    func replaced() async throws {
        let world = try Routed(.memory { $0.missing = [0] }, installations: 3)
        let router = try world.router()
        let report = try await world.send(over: router)
        var new = world.sides[0].binding(0, boundAt: world.clock.date)
        new.target = .device("new")
        await world.store.bind(new)
        let pruned = try await router.prune(report)
        #expect(pruned.retired == 0 && pruned.spared == 1)
        let found = await world.store.bindings(ofInstallations: [Routed.installation(0)])
        #expect(found.map(\.target) == [.device("new")])
    }

    @Test("where the vendor says since when, a binding that was bound after that date stays")
    func since() async throws {
        let world = try Routed(.memory { $0.takesOne = true }, installations: 3)
        let afterwards = Routed.Outspoken.endOfDevice.addingTimeInterval(60)
        await world.store.bind(world.sides[0].binding(1, boundAt: afterwards))
        world.sides[0].say(.deadSince, times: 2)
        let router = try world.router()
        let report = try await world.send(over: router)
        #expect(report.dead.map(\.since) == [Routed.Outspoken.endOfDevice, Routed.Outspoken.endOfDevice])
        let pruned = try await router.prune(report)
        #expect(pruned.retired == 1 && pruned.spared == 1)
        let plan = try await world.plan("Next", over: router)
        #expect(plan.choices.map(\.binding.installation) == [1, 2].map { Routed.installation($0) })
    }

    @Test("Apple's date of a token that ended counts the same")
    func apple() async throws {
        let world = try Routed(.apns(), installations: 3)
        let apple = try #require(world.sides[0].made.simulator as? APNsSimulator)
        for number in 0..<2 {
            await apple.expire(world.sides[0].made.devices[number].rawValue, at: world.clock.date)
        }
        world.clock.advance(by: .seconds(30))
        await world.store.bind(world.sides[0].binding(1, boundAt: world.clock.date))
        world.clock.advance(by: .seconds(30))
        let router = try world.router()
        let report = try await world.send(over: router)
        #expect(report.accepted(at: "a") == 1 && report.dead.count == 2)
        #expect(report.dead.allSatisfy { $0.since == VirtualClock().date })
        let pruned = try await router.prune(report)
        #expect(pruned.retired == 1 && pruned.spared == 1)
        let plan = try await world.plan("Next", over: router)
        #expect(plan.choices.map(\.binding.installation) == [1, 2].map { Routed.installation($0) })
    }

    // MARK: Too many at once

    @Test("nothing is removed at a route whose vendor has accepted nothing yet: the key may belong to another app")
    func unproven() async throws {
        let world = try Routed(.memory { $0.takesOne = true }, .memory(), installations: 2)
        let router = try world.router()
        world.sides[0].say(.dead)
        let first = try await world.send("First", over: router, to: 0..<1)
        // A broadcast is no proof, because another app has devices too.
        _ = try await router.send(try await router.plan(Routed.message("All"), to: .broadcast(.everyone, at: ["a"])))
        let halted = try await router.prune(first)
        #expect(first.accepted(at: "b") == 1 && halted.halted == ["a": 1] && halted.retired == 0)
        _ = try await world.send("Second", over: router, to: 1..<2)
        let pruned = try await router.prune(first)
        #expect(pruned.halted.isEmpty && pruned.retired == 1)
    }

    @Test("with another app's key, JPush names one invalid id in each request, and nothing is removed")
    func anotherApp() async throws {
        let world = try Routed(.jpush(), .fcm(), installations: 20)
        let jpush = world.sides[0]
        func refuse(_ numbers: Range<Int>) {
            for number in numbers {
                let id = jpush.made.devices[number].rawValue
                let body: JSONValue = [
                    "error": ["code": 1003, "message": "refused", "illegal_rids": .array([.string(id)])]
                ]
                jpush.fault(.answer(SimulatedResponse(status: 400, body: JSONWriter.bytes(of: body))))
            }
        }
        let router = try world.router()
        refuse(0..<11)
        let alone = try await router.prune(try await world.send("m1", over: router))
        #expect(alone.halted == ["a": 11] && alone.retired == 0)
        // The same holds after the key was right: ten responses, and all of them say dead.
        _ = try await world.send("m2", over: router)
        refuse(0..<11)
        let later = try await router.prune(try await world.send("m3", over: router))
        #expect(later.halted == ["a": 11] && later.retired == 0)
        let count = await bound(at: "a", in: world)
        #expect(count == 20)
    }

    @Test("more than a fifth of the answers stops pruning at that route, and not at the other one")
    func halted() async throws {
        let world = try Routed(
            .memory { $0.missing = [0, 1, 2] }, .memory { $0.missing = [12] }, installations: 24,
            isBound: { number, side in side == (number < 12 ? 0 : 1) })
        let router = try world.router()
        let report = try await world.send(over: router)
        #expect(report.dead.count == 4)
        let pruned = try await router.prune(report)
        #expect(pruned.halted == ["a": 3] && pruned.retired == 1 && pruned.spared == 0)
        let (first, second) = (await bound(at: "a", in: world), await bound(at: "b", in: world))
        #expect(first == 12 && second == 11)
    }

    @Test("the answers of all slices count together, so a small last one stops nothing", arguments: [4, 40])
    func allSlices(dead: Int) async throws {
        // A slice of 100, and one of 15 with nearly all targets dead.
        let world = try Routed(.memory { $0.missing = Set(114 - dead..<114) }, installations: 115)
        let router = try world.router()
        let report = try await world.send(over: router)
        let pruned = try await router.prune(report)
        let isHalted = dead == 40
        #expect(pruned.halted == (isHalted ? ["a": dead] : [:]) && pruned.retired == (isHalted ? 0 : dead))
    }

    @Test(
        "a fifth is not too many, and of few answers each may say dead",
        arguments: [(10, 2), (10, 3), (20, 4), (20, 5), (9, 8), (100, 20), (100, 21)])
    func share(count: Int, dead: Int) async throws {
        let world = try Routed(.memory { $0.missing = Set(0..<dead) }, installations: count)
        let router = try world.router()
        let report = try await world.send(over: router)
        let pruned = try await router.prune(report)
        let isHalted = count >= 10 && dead * 5 > count
        #expect(pruned.retired == (isHalted ? 0 : dead) && pruned.halted == (isHalted ? ["a": dead] : [:]))
        let rest = await bound(at: "a", in: world)
        #expect(rest == (isHalted ? count : count - dead))
    }

    @Test("the share and the size are the policy's")
    func policy() async throws {
        let world = try Routed(.memory { $0.missing = [0, 1] }, installations: 4)
        let strict = try world.router { $0.pruning.minimumTargets = 4 }
        let report = try await world.send(over: strict)
        let halted = try await strict.prune(report)
        #expect(halted.halted == ["a": 2] && halted.retired == 0)
        let generous = try world.router {
            $0.pruning.minimumTargets = 4
            $0.pruning.maximumShare = 0.5
        }
        let pruned = try await generous.prune(try await world.send("Again", over: generous))
        #expect(pruned.halted.isEmpty && pruned.retired == 2)
    }

    // MARK: The store

    /// A store that cannot remove bindings.
    private struct Stubborn: BindingStore {
        struct Failure: Error {}

        let base: MemoryBindingStore

        func bindings(of users: [UserID]) async throws -> [Binding] { await base.bindings(of: users) }
        func bindings(ofInstallations installations: [InstallationID]) async throws -> [Binding] {
            await base.bindings(ofInstallations: installations)
        }
        func bindings(at ways: [RoutedTarget.Way]) async throws -> [Binding] { await base.bindings(at: ways) }
        func bind(_ binding: Binding) async throws { await base.bind(binding) }
        func retire(_ retirements: [Retirement]) async throws -> Int { throw Failure() }
        func noteAccepted(_ ways: [RoutedTarget.Way], at date: Date) async throws { throw Failure() }
        func coverage(of from: RouteName, and to: RouteName) async throws -> RouteCoverage { throw Failure() }
    }

    @Test("a store that fails is an error with its reason, and only where something is dead")
    func failingStore() async throws {
        let world = try Routed(.memory { $0.missing = [0] }, installations: 3)
        let router = try world.router(over: Stubborn(base: world.store))
        let report = try await world.send(over: router)
        let error = await #expect(throws: PushError.self) { try await router.prune(report) }
        #expect(error?.kind == .invalidState && error?.underlying is Stubborn.Failure)
        let healthy = try await world.send("Next", over: router, to: 1..<3)
        let pruned = try await router.prune(healthy)
        #expect(pruned.retired == 0 && pruned.halted.isEmpty)
    }
}
