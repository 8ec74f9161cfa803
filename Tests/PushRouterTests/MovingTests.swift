import FoundationEssentials
import PushAdapter
import PushRouter
import PushSimulation
import TestSupport
import Testing

@Suite("Moves from one vendor to another with campaigns under way", .timeLimit(.minutes(20)))
struct MovingTests {
    /// The old and the new vendor.
    enum Pair: Sendable, CaseIterable {
        case memory, keylessMemory, jpushToFCM

        func world(installations: Int, both: Int) throws(PushError) -> Routed {
            func isBound(_ number: Int, _ side: Int) -> Bool { side == 0 || number < both }
            return switch self {
            case .memory: try Routed(.memory(), .memory(), installations: installations, isBound: isBound)
            case .keylessMemory:
                try Routed(
                    .memory { $0.keys = .none }, .memory { $0.takesOne = true }, installations: installations,
                    isBound: isBound)
            case .jpushToFCM: try Routed(.jpush(), .fcm(), installations: installations, isBound: isBound)
            }
        }
    }

    private static let steps: [Double] = [0, 10, 50, 10, 100]
    /// The number of installations at both vendors, and of all. One request to the old vendor covers all.
    private static let (both, all) = (80, 95)

    private func router(
        _ percent: Double, in world: Routed, _ failover: RoutingPolicy.Failover = .never
    ) throws(PushError) -> PushRouter {
        try world.router(failover) {
            $0.migrations = [RouteMigration("move", from: "a", to: "b", .percent(percent))]
        }
    }

    /// The installations that got a message from a vendor.
    private func receivers(_ text: String, at side: Int, in world: Routed) async -> Set<Int> {
        var found: Set<Int> = []
        for number in 0..<world.count {
            if await world.entries(text, of: number)[side] > 0 { found.insert(number) }
        }
        return found
    }

    private func expectOnce(_ text: String, in world: Routed) async {
        for number in 0..<world.count {
            let count = await world.entries(text, of: number).reduce(0, +)
            #expect(count == 1, "\(text) to installation \(number)")
        }
    }

    @Test(
        "every installation gets each message once, whatever moves while campaigns are under way",
        arguments: Pair.allCases)
    func underWay(pair: Pair) async throws {
        let world = try pair.world(installations: Self.all, both: Self.both)
        // All campaigns wait at the old vendor until the last one has begun.
        world.sides[0].detour.add(.held, times: Self.steps.count)
        var sends: [Task<RouterReport, any Error>] = []
        for (step, percent) in Self.steps.enumerated() {
            let router = try router(percent, in: world)
            sends.append(Task { try await world.send("m\(step)", over: router) })
        }
        await until { world.sends[0] == Self.steps.count }
        world.sides[0].detour.release()
        var reports: [RouterReport] = []
        for send in sends { reports.append(try await send.value) }
        for (step, report) in reports.enumerated() {
            #expect(report.outcomes.count == Self.all && report.outcomes.allSatisfy { $0.status == .accepted })
            await expectOnce("m\(step)", in: world)
        }
        var moved: [Set<Int>] = []
        for step in Self.steps.indices { moved.append(await receivers("m\(step)", at: 1, in: world)) }
        #expect(moved[0].isEmpty && moved[4] == Set(0..<Self.both))
        // A larger share moves more installations and none back. The same share moves the same ones.
        #expect(moved[1] == moved[3] && moved[1].isStrictSubset(of: moved[2]) && !moved[1].isEmpty)
        #expect(moved[2].isStrictSubset(of: moved[4]))
        // An installation with only the old binding gets the message there.
        let left = await receivers("m4", at: 0, in: world)
        #expect(left == Set(Self.both..<Self.all))
        #expect(reports[4].accepted(at: "a") == Self.all - Self.both && reports[4].accepted(at: "b") == Self.both)
    }

    @Test("a plan keeps its routes when the share changes before it is sent")
    func frozen() async throws {
        let world = try Pair.memory.world(installations: 40, both: 30)
        let plan = try await world.plan("planned", over: router(0, in: world))
        let later = try router(100, in: world)
        let report = try await later.send(plan)
        #expect(report.accepted(at: "a") == 40 && report.accepted(at: "b") == 0)
        let next = try await world.send("next", over: later)
        #expect(next.accepted(at: "a") == 10 && next.accepted(at: "b") == 30)
        await expectOnce("planned", in: world)
        await expectOnce("next", in: world)
    }

    @Test("at 100 percent the old vendor gets no request for those at both", arguments: Pair.allCases)
    func complete(pair: Pair) async throws {
        let world = try pair.world(installations: 20, both: 20)
        let report = try await world.send(over: router(100, in: world))
        #expect(report.accepted(at: "b") == 20 && world.sends[0] == 0)
        let count = world.sides[0].host.journal.count
        #expect(count == 0)
        await expectOnce("Hello", in: world)
    }

    @Test("drain moves the same ones as 100 percent")
    func drain() async throws {
        let world = try Pair.memory.world(installations: 20, both: 15)
        let router = try world.router(.never) {
            $0.migrations = [RouteMigration("move", from: "a", to: "b", .drain(since: .distantPast))]
        }
        let report = try await world.send(over: router)
        #expect(report.accepted(at: "a") == 5 && report.accepted(at: "b") == 15)
        await expectOnce("Hello", in: world)
    }

    @Test("a new vendor that takes nothing: with failover those who moved get theirs from the old one, once")
    func newVendorFails() async throws {
        let world = try Pair.memory.world(installations: 80, both: 80)
        world.sides[1].detour.add(.refused, times: .max)
        let report = try await world.send(
            over: router(50, in: world, .whenNotApplied(patience: .seconds(60))))
        #expect(report.accepted(at: "a") == 80 && report.failedOver.allSatisfy { $0.binding?.route == "a" })
        #expect((1..<80).contains(report.failedOver.count))
        await expectOnce("Hello", in: world)
    }

    @Test("a new vendor whose answers are lost: those who moved get nothing from the old one")
    func newVendorLoses() async throws {
        let world = try Pair.memory.world(installations: 80, both: 80)
        world.sides[1].fault(.actedThenLost)
        let report = try await world.send(
            over: router(50, in: world, .whenNotApplied(patience: .seconds(60))))
        let unknown = report.outcomes.count { $0.status == .unknown }
        #expect((1..<80).contains(unknown) && report.accepted(at: "a") == 80 - unknown)
        #expect(report.failedOver.isEmpty)
        await expectOnce("Hello", in: world)
    }
}
