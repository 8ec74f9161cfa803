import FoundationEssentials
import PushAdapter
import PushClient
import PushRouter
import PushSimulation
import TestSupport
import Testing

@Suite("The stages of a migration", .timeLimit(.minutes(20)))
struct StageTests {
    private func router(
        _ stage: RouteMigration.Stage, in world: Routed, _ edit: (inout RouteMigration) -> Void = { _ in }
    ) throws(PushError) -> PushRouter {
        var migration = RouteMigration("move", from: "a", to: "b", stage)
        edit(&migration)
        return try world.router(.never) { [migration] in $0.migrations = [migration] }
    }

    // MARK: Shadow

    @Test("in the shadow stage the old vendor delivers, and the new one is asked and delivers nothing")
    func shadow() async throws {
        let world = try Routed(.fcm(), .jpush(), installations: 250, isBound: { $1 == 0 || $0 < 230 })
        let report = try await world.send(over: router(.shadow(sample: 1), in: world))
        #expect(report.accepted(at: "a") == 250 && report.accepted(at: "b") == 0)
        let shadow = try #require(report.shadows.first)
        #expect(report.shadows.count == 1 && shadow.migration == "move")
        #expect(shadow.count == 230 && shadow.isValidatedByVendor && shadow.refused == 0 && shadow.errors.isEmpty)
        let paths = world.sides[1].host.journal.entries.map(\.request.path)
        #expect(paths.count == 3 && paths.allSatisfy { $0.hasSuffix("/push/validate") }, "\(paths)")
        let delivered = await world.installations(with: [1, 0])
        #expect(delivered == 250)
    }

    @Test("a vendor that cannot check a message is not asked: its client says what it would refuse")
    func shadowWithoutRequests() async throws {
        let world = try Routed(.memory(), .apns(), installations: 20)
        let router = try router(.shadow(sample: 1), in: world)
        let fits = try await world.send(over: router)
        #expect(fits.shadows.map(\.count) == [20] && fits.shadows.map(\.isValidatedByVendor) == [false])
        #expect(fits.shadows.map(\.refused) == [0])
        // The old vendor accepts the picture.
        var message = Routed.message("Hello")
        message.notification?.image = "https://example.com/a.png"
        let plan = try await router.plan(message, to: .installations((0..<20).map { Routed.installation($0) }))
        let report = try await router.send(plan)
        #expect(report.accepted(at: "a") == 20 && report.shadows.map(\.refused) == [20])
        #expect(world.sides[1].host.journal.count == 0)
    }

    @Test("only the sample is asked about, and it is the same for each message")
    func sample() async throws {
        let world = try Routed(.memory(), .memory(), installations: 400)
        let router = try router(.shadow(sample: 0.1), in: world)
        let first = try await world.send("m1", over: router)
        let second = try await world.send("m2", over: router)
        let counts = [first, second].map { $0.shadows.first?.count ?? 0 }
        #expect(counts[0] == counts[1] && (15...75).contains(counts[0]), "\(counts)")
        let none = try await world.send("m3", over: self.router(.shadow(sample: 0), in: world))
        #expect(none.shadows.isEmpty)
    }

    @Test("only what the old route sends is asked about")
    func otherRoute() async throws {
        let world = try Routed(.memory(), .memory(), .memory(), installations: 6, isBound: { $1 < 2 || $0 < 4 })
        let router = try world.router(.never) {
            $0.order = ["c", "a", "b"]
            $0.migrations = [RouteMigration("move", from: "a", to: "b", .shadow(sample: 1))]
        }
        let report = try await world.send(over: router)
        #expect(report.accepted(at: "c") == 4 && report.accepted(at: "a") == 2)
        #expect(report.shadows.map(\.count) == [2])
    }

    @Test("a new vendor that cannot be reached refuses nothing, and is not asked again")
    func shadowDown() async throws {
        let world = try Routed(.fcm(), .jpush(), installations: 250)
        world.sides[1].host.faults.add(.refusedStream, times: 99)
        let report = try await world.send(over: router(.shadow(sample: 1), in: world))
        let shadow = try #require(report.shadows.first)
        #expect(report.accepted(at: "a") == 250 && shadow.refused == 0 && shadow.unanswered == 250)
        #expect(shadow.count == 250 && shadow.errors.count == 1)
    }

    @Test("a refusal of the new vendor is counted where the old one accepted, with its reason")
    func difference() async throws {
        let world = try Routed(.memory(), .memory { $0.takesNotifications = false }, installations: 30)
        let report = try await world.send(over: router(.shadow(sample: 1), in: world))
        let shadow = try #require(report.shadows.first)
        #expect(report.accepted(at: "a") == 30 && shadow.count == 30 && shadow.refused == 30)
        #expect(shadow.errors.map(\.kind) == [.unsupported])
        // A message that the old vendor also refused is not a difference.
        world.sides[0].say(.tooLong)
        let both = try await world.send("Next", over: router(.shadow(sample: 1), in: world))
        #expect(both.accepted(at: "a") == 0 && both.shadows.map(\.refused) == [0])
    }

    // MARK: Drain

    @Test("a drain removes the old binding at the first send 14 days after the new vendor accepted one")
    func drain() async throws {
        let world = try Routed(.memory(), .memory(), installations: 10, isBound: { $1 == 0 || $0 < 6 })
        let router = try router(.drain(since: Routed.firstBound), in: world)
        func status() async throws -> [Int] {
            let coverage = try await router.status(ofMigration: "move").coverage
            return [coverage.onlyFrom, coverage.both, coverage.onlyTo]
        }
        func sendAndPrune(_ text: String) async throws -> Int {
            let report = try await world.send(text, over: router)
            #expect(report.accepted(at: "b") == 6 && report.accepted(at: "a") == 4)
            return try await router.prune(report).drained
        }
        #expect(try await status() == [4, 6, 0])
        let first = try await sendAndPrune("m1")
        world.clock.advance(by: .seconds(14 * 86_400 - 1))
        let second = try await sendAndPrune("m2")
        #expect(first == 0 && second == 0)
        #expect(try await status() == [4, 6, 0])
        world.clock.advance(by: .seconds(1))
        let third = try await sendAndPrune("m3")
        #expect(third == 6)
        #expect(try await status() == [4, 0, 6])
        let fourth = try await sendAndPrune("m4")
        #expect(fourth == 0)
    }

    @Test("after a rollback the days count from the new drain, whatever the new vendor accepted before")
    func drainAgain() async throws {
        let world = try Routed(.memory(), .memory(), installations: 3)
        func prune(_ stage: RouteMigration.Stage, _ text: String) async throws -> Int {
            let router = try router(stage, in: world)
            return try await router.prune(try await world.send(text, over: router)).drained
        }
        var counts = [try await prune(.drain(since: world.clock.date), "m1")]
        counts.append(try await prune(.percent(10), "m2"))
        world.clock.advance(by: .seconds(30 * 86_400))
        let day = world.clock.date
        counts.append(try await prune(.drain(since: day), "m3"))
        world.clock.advance(by: .seconds(14 * 86_400 - 1))
        counts.append(try await prune(.drain(since: day), "m4"))
        #expect(counts == [0, 0, 0, 0])
        world.clock.advance(by: .seconds(1))
        let last = try await prune(.drain(since: day), "m5")
        #expect(last == 3)
    }

    @Test("a chain of drains removes the bindings of all routes before its end")
    func drainChain() async throws {
        let world = try Routed(.memory(), .memory(), .memory(), installations: 2)
        var steps = [("a", "b"), ("b", "c")].map { from, to in
            RouteMigration("\(from)-\(to)", from: RouteName(from), to: RouteName(to), .drain(since: Routed.firstBound))
        }
        steps[0].keepsOldFor = .seconds(10)
        steps[1].keepsOldFor = .zero
        let router = try world.router { [steps] in $0.migrations = steps }
        func prune(_ text: String) async throws -> Int {
            let report = try await world.send(text, over: router)
            #expect(report.accepted(at: "c") == 2)
            return try await router.prune(report).drained
        }
        var counts = [try await prune("m1"), try await prune("m2")]
        world.clock.advance(by: .seconds(10))
        counts.append(try await prune("m3"))
        // Installations that come from the first route keep the old binding for the longer time.
        #expect(counts == [0, 2, 2])
        let rest = await world.store.bindings(ofInstallations: (0..<2).map { Routed.installation($0) })
        #expect(rest.map(\.route) == ["c", "c"])
    }

    @Test("a lost answer of the new vendor starts no time")
    func drainUnknown() async throws {
        let world = try Routed(.memory { _ in }, .memory { $0.keys = .none }, installations: 3)
        let router = try router(.drain(since: Routed.firstBound), in: world) { $0.keepsOldFor = .zero }
        world.sides[1].fault(.actedThenLost)
        let lost = try await world.send("m1", over: router)
        #expect(lost.outcomes.allSatisfy { $0.status == .unknown })
        try await router.prune(lost)
        let second = try await world.send("m2", over: router)
        let noted = try await router.prune(second)
        #expect(noted.drained == 0)
        let third = try await world.send("m3", over: router)
        let drained = try await router.prune(third)
        #expect(drained.drained == 3)
    }

    @Test("who the new vendor did not accept keeps the old binding, and a rollback stops the removal")
    func drainFailures() async throws {
        let world = try Routed(.memory(), .memory { $0.missing = [0] }, installations: 3)
        let drain = try router(.drain(since: Routed.firstBound), in: world) { $0.keepsOldFor = .zero }
        let first = try await world.send("m1", over: drain)
        let pruned = try await drain.prune(first)
        // The first send only notes that the new vendor works.
        #expect(pruned.drained == 0 && pruned.retired == 1)
        let back = try router(.percent(100), in: world)
        let second = try await world.send("m2", over: back)
        let unchanged = try await back.prune(second)
        #expect(unchanged.drained == 0)
        let third = try await world.send("m3", over: drain)
        let drained = try await drain.prune(third)
        #expect(drained.drained == 2)
        let rest = try await drain.status(ofMigration: "move").coverage
        #expect([rest.onlyFrom, rest.both, rest.onlyTo] == [1, 0, 2])
    }

    // MARK: Counts

    @Test("the status has the counts of the store, and how many take the new route", arguments: [0.0, 25, 100])
    func status(percent: Double) async throws {
        let world = try Routed(.memory(), .memory(), installations: 100, isBound: { $1 == 0 ? $0 < 80 : $0 >= 40 })
        let router = try router(.percent(percent), in: world)
        let status = try await router.status(ofMigration: "move")
        #expect(status.coverage == RouteCoverage(onlyFrom: 40, both: 40, onlyTo: 20))
        #expect(status.moved == 20 + Int(percent) * 40 / 100)
        let error = await #expect(throws: PushError.self) { try await router.status(ofMigration: "other") }
        #expect(error?.kind == .invalidArgument && error?.message.contains("move") == true)
    }
}
