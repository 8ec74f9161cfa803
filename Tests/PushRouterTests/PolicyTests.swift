import FoundationEssentials
import PushAdapter
import PushRouter
import Testing

private func move(
    _ name: String, _ from: RouteName, _ to: RouteName, _ stage: RouteMigration.Stage = .drain(since: .distantPast)
) -> RouteMigration {
    RouteMigration(name, from: from, to: to, stage)
}

/// Expects that a message takes these routes, best first, to an installation with these bindings.
private func expect(
    _ routes: [RouteName], from bindings: [Binding], _ policy: RoutingPolicy,
    sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    let plan = try await Plans.router(policy).plan(Plans.message, to: .bindings(bindings))
    let ways = plan.choices.map { [$0.binding] + $0.others }
    #expect(ways.map { $0.map(\.route) } == [routes] && plan.problems.isEmpty, sourceLocation: sourceLocation)
}

/// Bindings of one installation, all of the same age.
private func bound(_ routes: [RouteName], platform: Platform? = nil) -> [Binding] {
    routes.map { Plans.binding("user", "phone", $0, "at-\($0)", platform: platform) }
}

@Suite("Routing policies")
struct PolicyTests {
    /// An invalid policy, and words that its error must contain.
    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let words: [String]
        let edit: @Sendable (inout RoutingPolicy) -> Void

        init(_ name: String, _ words: [String], _ edit: @escaping @Sendable (inout RoutingPolicy) -> Void) {
            testDescription = name
            self.words = words
            self.edit = edit
        }
    }

    private static let refusals: [Refusal] = [
        Refusal("an unknown route in the order", ["\"lost\"", "\"a\", \"b\", \"c\", \"d\""]) {
            $0.order = ["a", "lost"]
        },
        Refusal("an unknown route in the order of a platform", ["\"lost\"", "\"a\", \"b\", \"c\", \"d\""]) {
            $0.orders = [.ios: ["lost", "b"]]
        },
        Refusal("a migration from an unknown route", ["\"lost\""]) { $0.migrations = [move("m", "lost", "b")] },
        Refusal("a migration to an unknown route", ["\"lost\""]) { $0.migrations = [move("m", "a", "lost")] },
        Refusal("platforms of an unknown route", ["\"lost\""]) { $0.platforms = ["a": [.ios], "lost": [.android]] },
        Refusal("a route twice in the order", ["order", "twice"]) { $0.order = ["a", "b", "a"] },
        Refusal("a route twice in the order of a platform", ["order", "twice"]) {
            $0.orders = [.ios: ["a"], .android: ["b", "b"]]
        },
        Refusal("101 percent", ["\"east\"", "101", "0 to 100"]) {
            $0.migrations = [move("east", "a", "b", .percent(101))]
        },
        Refusal("-1 percent", ["\"east\"", "-1", "0 to 100"]) {
            $0.migrations = [move("east", "a", "b", .percent(-1))]
        },
        Refusal("no number of percent", ["\"east\"", "nan", "0 to 100"]) {
            $0.migrations = [move("east", "a", "b", .percent(.nan))]
        },
        Refusal("a sample of 1.1", ["\"east\"", "1.1", "0 to 1"]) {
            $0.migrations = [move("east", "a", "b", .shadow(sample: 1.1))]
        },
        Refusal("a shadow of itself", ["\"east\"", "same"]) {
            $0.migrations = [move("east", "a", "a", .shadow(sample: 1))]
        },
        Refusal("two migrations of one name", ["two migrations", "name"]) {
            $0.migrations = [move("east", "a", "b"), move("east", "b", "c")]
        },
        Refusal("a circle of one migration", ["\"one\"", "circle"]) { $0.migrations = [move("one", "a", "a")] },
        Refusal("a circle of two migrations", ["\"one\"", "circle"]) {
            $0.migrations = [move("one", "a", "b"), move("two", "b", "a", .percent(0))]
        },
        Refusal("a circle of three migrations behind another one", ["\"one\"", "circle"]) {
            $0.migrations = [
                move("in", "d", "a"), move("one", "a", "b"), move("two", "b", "c"), move("three", "c", "a"),
            ]
        },
        Refusal("two migrations from one route", ["two migrations", "one route"]) {
            $0.migrations = [move("one", "a", "b"), move("two", "a", "c")]
        },
        Refusal("a negative patience", ["patience", "failover"]) {
            $0.failover = .whenNotApplied(patience: .seconds(-1))
        },
        Refusal("a circuit of no failures", ["circuit", "at least one failure"]) { $0.circuit.failures = 0 },
        Refusal("a negative pause of the circuit", ["circuit", "pause"]) { $0.circuit.pause = .seconds(-1) },
        Refusal("a guard with a share of 1.1", ["guard", "0 to 1"]) { $0.pruning.maximumShare = 1.1 },
    ]

    @Test("a policy that cannot work is refused, and the error names what is wrong", arguments: Self.refusals)
    func refusal(refusal: Refusal) throws {
        var policy = RoutingPolicy(order: ["a"])
        refusal.edit(&policy)
        let error = #expect(throws: PushError.self) { try Plans.router(policy) }
        let message = error?.message ?? ""
        #expect(error?.kind == .misconfigured)
        #expect(refusal.words.allSatisfy { message.contains($0) }, "\(message)")
    }

    @Test("a router without routes is refused")
    func noRoutes() {
        let error = #expect(throws: PushError.self) { try Plans.router(over: [:]) }
        #expect(error?.kind == .misconfigured && error?.message.contains("route") == true)
    }

    @Test("a chain of migrations, and numbers at the edge of what can be, are accepted")
    func accepted() throws {
        var policy = RoutingPolicy(order: ["c", "b", "a"])
        policy.orders = [.ios: ["b"], .android: []]
        policy.migrations = [
            move("one", "a", "b", .percent(0)), move("two", "b", "c", .percent(100)), move("three", "c", "d"),
        ]
        policy.platforms = ["a": [.ios], "b": [.ios, .android], "c": []]
        policy.failover = .whenNotApplied(patience: .zero)
        policy.circuit.failures = 1
        policy.circuit.pause = .zero
        for share in [0.0, 1.0] {
            policy.pruning.maximumShare = share
            let router = try Plans.router(policy)
            #expect(router.policy.migrations.map(\.name) == ["one", "two", "three"])
            #expect(router.policy.pruning.maximumShare == share && router.routes.keys.sorted() == ["a", "b", "c", "d"])
        }
    }
}

@Suite("The order of an installation's bindings")
struct RankingTests {
    @Test("the order of the policy decides, whatever the order and the age of the bindings are")
    func order() async throws {
        let policy = RoutingPolicy(order: ["b", "c", "a"])
        try await expect(["b", "c", "a"], from: bound(["a", "b", "c"]), policy)
        let old = Plans.binding("user", "phone", "b", "at-b", age: 1_000_000)
        try await expect(["b", "a"], from: bound(["a"]) + [old], policy)
    }

    @Test("a platform with an order of its own has that one, and the others have the common one")
    func platforms() async throws {
        var policy = RoutingPolicy(order: ["a", "b"])
        policy.orders = [.ios: ["b", "a"]]
        try await expect(["b", "a"], from: bound(["a", "b"], platform: .ios), policy)
        try await expect(["a", "b"], from: bound(["a", "b"], platform: .android), policy)
        try await expect(["a", "b"], from: bound(["a", "b"]), policy)
    }

    @Test("routes that are not listed come last, the newest binding first")
    func unlisted() async throws {
        let bindings = [
            Plans.binding("user", "phone", "a", "at-a", age: 10), Plans.binding("user", "phone", "b", "at-b", age: 5),
            Plans.binding("user", "phone", "c", "at-c", age: 100), Plans.binding("user", "phone", "d", "at-d", age: 20),
        ]
        try await expect(["c", "b", "a", "d"], from: bindings, RoutingPolicy(order: ["c"]))
        try await expect(["b", "a", "d", "c"], from: bindings, RoutingPolicy())
    }

    @Test("of several bindings at one route, the newest is used and the others are not", arguments: [false, true])
    func newest(isReversed: Bool) async throws {
        let bindings = [
            Plans.binding("user", "phone", "a", "old", age: 9), Plans.binding("user", "phone", "a", "new", age: 1),
            Plans.binding("user", "phone", "b", "at-b"),
        ]
        let router = try Plans.router(RoutingPolicy(order: ["a", "b"]))
        let plan = try await router.plan(Plans.message, to: .bindings(isReversed ? bindings.reversed() : bindings))
        #expect(plan.choices.map(\.binding.target) == [.device("new")])
        #expect(plan.choices.first?.others.map(\.target) == [.device("at-b")])
    }
}

@Suite("Migrations")
struct MigrationTests {
    /// The installations that take route b, among those with bindings at a and b.
    private func moved(
        _ stage: RouteMigration.Stage, by name: String = "to-b", of count: Int = 1_000
    ) async throws -> Set<InstallationID> {
        var policy = RoutingPolicy(order: ["a", "b"])
        policy.migrations = [move(name, "a", "b", stage)]
        var bindings: [Binding] = []
        for number in 0..<count {
            let installation = InstallationID("installation-\(number)")
            bindings.append(Plans.binding("user", installation, "a", "a-\(number)"))
            bindings.append(Plans.binding("user", installation, "b", "b-\(number)"))
        }
        let plan = try await Plans.router(policy).plan(Plans.message, to: .bindings(bindings))
        try #require(plan.choices.count == count)
        return Set(plan.choices.map(\.binding).filter { $0.route == "b" }.compactMap(\.installation))
    }

    private func policy(_ order: [RouteName], _ migrations: [RouteMigration]) -> RoutingPolicy {
        var policy = RoutingPolicy(order: order)
        policy.migrations = migrations
        return policy
    }

    @Test("0 percent moves nobody, 100 percent and a drain move everybody who has both bindings")
    func ends() async throws {
        let none = try await moved(.percent(0))
        let all = try await moved(.percent(100))
        let drained = try await moved(.drain(since: .distantPast))
        #expect(none.isEmpty && all.count == 1_000 && drained.count == 1_000)
    }

    @Test("who has no binding at the new route stays, and who has none at the old one is not sent back")
    func oneBinding() async throws {
        let drained = policy(["a", "b", "c"], [move("to-b", "a", "b")])
        try await expect(["a"], from: bound(["a"]), drained)
        try await expect(["a", "c"], from: bound(["a", "c"]), drained)
        try await expect(["b"], from: bound(["b"]), policy(["a", "b"], [move("to-b", "a", "b", .percent(0))]))
    }

    @Test("raising the number moves nobody back, and lowering it gives exactly those who had moved at that number")
    func steps() async throws {
        var steps: [Set<InstallationID>] = []
        for percent in [0.0, 10, 50, 100, 10] { steps.append(try await moved(.percent(percent))) }
        #expect(steps[0].isEmpty && steps[3].count == 1_000)
        #expect(steps[1].isStrictSubset(of: steps[2]) && !steps[1].isEmpty)
        #expect(steps[2].isStrictSubset(of: steps[3]))
        #expect(steps[4] == steps[1])
    }

    @Test(
        "of 10,000 installations, the share that moves is within a point and a half of the number",
        arguments: [10.0, 50.0])
    func share(percent: Double) async throws {
        let moved = try await moved(.percent(percent), of: 10_000)
        let share = Double(moved.count) / 100
        #expect(abs(share - percent) < 1.5, "\(share) percent")
    }

    @Test("a migration of another name moves other installations")
    func names() async throws {
        let autumn = try await moved(.percent(10), by: "autumn")
        let spring = try await moved(.percent(10), by: "spring")
        let share = Double(autumn.intersection(spring).count) / Double(autumn.count)
        #expect(share < 0.3, "\(share)")
    }

    @Test(
        "of those that one migration moves, another one of 50 percent moves half",
        arguments: [("autumn", "spring"), ("move-5", "move-10")])
    func independence(first: String, second: String) async throws {
        let one = try await moved(.percent(50), by: first, of: 10_000)
        let two = try await moved(.percent(50), by: second, of: 10_000)
        let share = Double(one.intersection(two).count) / Double(one.count)
        #expect(share > 0.4 && share < 0.6, "\(share)")
    }

    @Test("a chain leads on where the route in the middle has no binding any more")
    func chain() async throws {
        let steps = [move("to-b", "a", "b"), move("to-c", "b", "c")]
        try await expect(["c", "a"], from: bound(["a", "c"]), policy(["a", "b", "c"], steps))
        try await expect(["c", "b", "a"], from: bound(["a", "b", "c"]), policy(["a", "b", "c"], steps))
        // One of the two migrations has not started.
        let none = [move("to-b", "a", "b", .percent(0)), steps[1]]
        try await expect(["a", "c"], from: bound(["a", "c"]), policy(["a", "b", "c"], none))
        let half = [steps[0], move("to-c", "b", "c", .percent(0))]
        try await expect(["a", "c"], from: bound(["a", "c"]), policy(["a", "b", "c"], half))
    }

    @Test("the new route comes before the old one or after it; the rest keeps the policy's order")
    func thirdRoute() async throws {
        let all = bound(["a", "b", "c"])
        let moved = [move("to-b", "a", "b")]
        try await expect(["b", "a", "c"], from: all, policy(["a", "c", "b"], moved))
        try await expect(["c", "b", "a"], from: all, policy(["c", "a", "b"], moved))
        try await expect(["b", "c", "a"], from: all, policy(["b", "c", "a"], moved))
        // The order prefers the new route, but the migration has not started.
        let stays = [move("to-b", "a", "b", .percent(0))]
        try await expect(["a", "b", "c"], from: all, policy(["b", "c", "a"], stays))
        try await expect(["a", "c", "b"], from: all, policy(["a", "c", "b"], stays))
    }

    @Test("a chain of drained migrations ends at its last route, however it is listed", arguments: [false, true])
    func chain(isReversed: Bool) async throws {
        let chain = [move("one", "a", "b"), move("two", "b", "c")]
        let policy = policy(["a", "b", "c"], isReversed ? chain.reversed() : chain)
        let plan = try await Plans.router(policy).plan(Plans.message, to: .bindings(bound(["a", "b", "c"])))
        #expect(plan.choices.map(\.binding.route) == ["c"])
    }
}
