import FoundationEssentials
import PushAdapter
import PushClient
import PushOutbox
import PushRouter
import PushSimulation
import Testing

@Suite("Pruning by the report of a campaign", .timeLimit(.minutes(20)))
struct CampaignPruningTests {
    /// The installations that still have a binding at a route.
    private func bound(at route: RouteName, in world: Routed) async -> [Int] {
        var numbers: [Int] = []
        for number in 0..<world.count {
            let found = await world.store.bindings(ofInstallations: [Routed.installation(number)])
            if found.contains(where: { $0.route == route }) { numbers.append(number) }
        }
        return numbers
    }

    @Test("the vendor's word retires a binding, also for a router that has sent nothing yet")
    func retired() async throws {
        let world = try Routed(.memory { $0.missing = [1, 2] }, installations: 4)
        let report = try await world.carryOut()
        let router = try world.router()
        let pruned = try await router.prune(report)
        #expect(pruned.retired == 2 && pruned.spared == 0 && pruned.halted.isEmpty)
        #expect(await bound(at: "a", in: world) == [0, 3])
        // The second time, there is nothing to remove.
        let again = try await router.prune(report)
        #expect(again.retired == 0 && again.spared == 2)
    }

    @Test("a target whose message moved to another route is retired at the first one")
    func moved() async throws {
        let world = try Routed(.memory { $0.missing = [1] }, .memory(), installations: 3)
        let report = try await world.carryOut()
        #expect(report.progress.accepted == 3 && report.progress.targets[.moved] == 1)
        let pruned = try await world.router().prune(report)
        #expect(pruned.retired == 1)
        let rest = (await bound(at: "a", in: world), await bound(at: "b", in: world))
        #expect(rest.0 == [0, 2] && rest.1 == [0, 1, 2])
    }

    @Test("a binding that was bound after the campaign was enqueued stays")
    func boundAgain() async throws {
        let world = try Routed(.memory { $0.missing = [0, 1] }, installations: 4)
        let outbox = try await world.enqueued()
        world.clock.advance(by: .seconds(1))
        await world.store.bind(world.sides[0].binding(0, boundAt: world.clock.date))
        let pruned = try await world.router().prune(try await world.finish(outbox))
        #expect(pruned.retired == 1 && pruned.spared == 1)
        #expect(await bound(at: "a", in: world) == [0, 2, 3])
    }

    @Test(
        "what is suspect, refused or malformed is not retired",
        arguments: [Routed.Outspoken.Word.suspect, .blocked, .tooLong])
    func otherwise(word: Routed.Outspoken.Word) async throws {
        let world = try Routed(.memory { $0.takesOne = true }, installations: 3)
        world.sides[0].say(word)
        let pruned = try await world.router().prune(try await world.carryOut())
        #expect(pruned == PruningReport())
        #expect(await bound(at: "a", in: world) == [0, 1, 2])
    }

    @Test("nothing is removed where no device of the campaign was accepted: the key may belong to another app")
    func unproven() async throws {
        let world = try Routed(.memory { $0.takesOne = true }, installations: 2)
        world.sides[0].say(.dead, times: 2)
        let report = try await world.carryOut()
        let router = try world.router()
        let halted = try await router.prune(report)
        #expect(halted.halted == ["a": 2] && halted.retired == 0)
        // A later send of the router proves it.
        _ = try await world.send("Later", over: router)
        #expect(try await router.prune(report).retired == 2)
    }

    @Test("a slice of aliases proves nothing: a vendor may accept any text for an alias", arguments: [false, true])
    func aliases(isOfDevices: Bool) async throws {
        let world = try Routed(.memory(), installations: 2)
        let names = world.sides[0].made.devices.map(\.rawValue)
        let audience: Audience =
            isOfDevices ? .devices(names.map { DeviceID($0) }) : .aliases(names.map { Alias($0) })
        let skipped: JSONValue = ["id": "1", "skipped": .array([.string(names[0])])]
        world.sides[0].fault(.answer(SimulatedResponse(status: 200, body: JSONWriter.bytes(of: skipped))))
        let outbox = PushOutbox(
            MemoryOutboxStore(), routes: [world.sides[0].route: world.sides[0].client], clock: world.clock)
        try await outbox.enqueue(
            Routed.message("Hello"), to: [.audience(audience, at: world.sides[0].route)], as: "sale")
        let answers = try await world.finish(outbox).answers()["a"]
        #expect(answers?.accepted == 1 && answers?.dead == 1 && answers?.isProven == isOfDevices)
    }

    @Test("a fifth is not too many, over all slices", arguments: [(10, 2), (10, 3), (9, 8), (100, 20), (100, 21)])
    func share(count: Int, dead: Int) async throws {
        // The vendor refuses a list of which it knows no target, so the dead ones are spread.
        let missing = Set((0..<dead).map { $0 * count / dead })
        let world = try Routed(
            .memory { ($0.perRequest, $0.missing) = (count < 100 ? 10 : 7, missing) }, installations: count)
        let pruned = try await world.router().prune(try await world.carryOut())
        let isHalted = count >= 10 && dead * 5 > count
        #expect(pruned.retired == (isHalted ? 0 : dead) && pruned.halted == (isHalted ? ["a": dead] : [:]))
        #expect(await bound(at: "a", in: world).count == (isHalted ? count : count - dead))
    }

    @Test("a route that the router does not have is left alone")
    func unknownRoute() async throws {
        let world = try Routed(
            .memory { $0.missing = [0] }, .memory { $0.missing = [3] }, installations: 6,
            isBound: { number, side in side == (number < 3 ? 0 : 1) })
        let report = try await world.carryOut()
        let router = try PushRouter(
            routes: ["b": world.sides[1].client], bindings: world.store, clock: world.clock)
        let pruned = try await router.prune(report)
        #expect(pruned.retired == 1 && pruned.halted == ["a": 1])
    }

    @Test("the dead of many slices are handed on in groups, and each once")
    func groups() async throws {
        let world = try Routed(
            .memory { ($0.perRequest, $0.missing) = (10, Set((0..<1_500).filter { $0 % 10 == 0 })) },
            installations: 1_500)
        let report = try await world.carryOut()
        let found = Locked<[DeadTarget]>([])
        try await report.forEachDead { dead in found.withLock { $0 += dead } }
        let dead = found.withLock { $0 }
        #expect(dead.count == 150 && Set(dead).count == 150)
        let answers = try await report.answers()
        #expect(answers["a"]?.accepted == 1_350 && answers["a"]?.dead == 150 && answers["a"]?.isProven == true)
        let shown = dead.first.map { "\($0)" } ?? ""
        #expect(!shown.isEmpty && !shown.contains(dead.first?.way.target.text ?? ""))
    }

    @Test("a report prints its counts, and nothing of the message or of a target")
    func printed() async throws {
        let world = try Routed(.memory { $0.missing = [0] }, installations: 2)
        let report = try await world.carryOut()
        #expect("\(report)".hasPrefix("sale: finished: ") && "\(report.campaign)" == "sale: finished")
        let message = report.campaign.message.prefix(8).map { "\($0)" }.joined(separator: ", ")
        for shown in [Plans.shown(report), Plans.shown(report.campaign)] {
            #expect(!shown.contains("Hello") && !shown.contains(message) && !shown.contains("a0"))
        }
    }

    // MARK: Drains

    @Test("a drain goes on with the campaigns of an outbox", arguments: [false, true])
    func drain(takesOne: Bool) async throws {
        let world = try Routed(
            .memory(), .memory { $0.takesOne = takesOne }, installations: 10, isBound: { $1 == 0 || $0 < 6 })
        let router = try world.router {
            $0.migrations = [RouteMigration("move", from: "a", to: "b", .drain(since: Routed.firstBound))]
        }
        func status() async throws -> [Int] {
            let coverage = try await router.status(ofMigration: "move").coverage
            return [coverage.onlyFrom, coverage.both, coverage.onlyTo]
        }
        func carryOut() async throws {
            let outbox = try await world.enqueued(over: router) {
                $0.onAccepted = { ways, date in
                    do { try await router.noteAccepted(ways, at: date) } catch { Issue.record(error) }
                }
            }
            let report = try await world.finish(outbox)
            #expect(report.progress.accepted == 10)
        }
        try await carryOut()
        #expect(try await status() == [4, 6, 0])
        world.clock.advance(by: .seconds(14 * 86_400 - 60))
        try await carryOut()
        #expect(try await status() == [4, 6, 0])
        world.clock.advance(by: .seconds(60))
        try await carryOut()
        #expect(try await status() == [4, 0, 6])
    }

    @Test("without a draining migration, accepted messages are not looked up")
    func nothingDrains() async throws {
        let world = try Routed(.memory(), installations: 1)
        let router = try world.router(over: Plans.BrokenStore())
        #expect(
            try await router.noteAccepted([world.sides[0].binding(0, boundAt: Routed.firstBound).way], at: .distantPast)
                == 0)
    }
}
