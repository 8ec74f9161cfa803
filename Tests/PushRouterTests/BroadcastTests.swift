import PushAdapter
import PushClient
import PushMemory
import PushRouter
import PushSimulation
import Testing

@Suite("Broadcasts over routes")
struct BroadcastTests {
    /// Two vendors, each with one phone per platform.
    private struct Pair {
        let a = Plans.memory([VirtualDevice("a-ios", .ios), VirtualDevice("a-android", .android)])
        let b = Plans.memory([VirtualDevice("b-ios", .ios), VirtualDevice("b-android", .android)])

        func router(
            _ platforms: [RouteName: Set<Platform>] = [:], _ preflight: RoutingPolicy.Preflight = .allOrNothing
        ) throws -> PushRouter {
            var policy = RoutingPolicy()
            policy.platforms = platforms
            policy.preflight = preflight
            return try Plans.router(over: ["a": a, "b": b], policy)
        }

        /// The number of messages on each phone: iOS and Android at a, then at b.
        func received() async -> [Int] {
            [
                await a.received(by: "a-ios"), await a.received(by: "a-android"), await b.received(by: "b-ios"),
                await b.received(by: "b-android"),
            ]
        }
    }

    private static let disjoint: [RouteName: Set<Platform>] = ["a": [.ios], "b": [.android, .harmony]]

    @Test("a broadcast at one route goes to all its phones, whatever platforms are declared")
    func oneRoute() async throws {
        let pair = Pair()
        for platforms in [[:], Self.disjoint] {
            let router = try pair.router(platforms)
            let plan = try await router.plan(Plans.message, to: .broadcast(.everyone, at: ["a"]))
            #expect(plan.choices.isEmpty && plan.problems.isEmpty)
            #expect(plan.shares.map(\.route) == ["a"] && plan.shares.map(\.count) == [0])
            #expect(plan.description.contains("\"a\": a broadcast"))
            let report = try await router.send(plan)
            #expect(report.outcomes.isEmpty && report.errors.isEmpty)
            let isComplete = report.lists["a"]?.map(\.isComplete)
            #expect(isComplete == [true] && report.lists["b"] == nil)
        }
        let received = await pair.received()
        #expect(received == [2, 2, 0, 0] && pair.b.requests == 0)
    }

    @Test("at routes that share no platform, each vendor gets its own part", arguments: [false, true])
    func disjointRoutes(isTagged: Bool) async throws {
        let pair = Pair()
        let audience: Audience = isTagged ? .tagged(anyOf: ["vip"]) : .everyone
        for (vendor, name) in [(pair.a, "a"), (pair.b, "b")] {
            for platform in ["ios", "android"] {
                _ = try await vendor.client.updateTags(.add(["vip"]), of: DeviceID("\(name)-\(platform)"))
            }
        }
        let router = try pair.router(Self.disjoint)
        let plan = try await router.plan(Plans.message, to: .broadcast(audience, at: ["b", "a"]))
        #expect(plan.shares.map(\.route) == ["a", "b"] && plan.problems.isEmpty)
        let report = try await router.send(plan)
        let received = await pair.received()
        #expect(received == [1, 0, 0, 1])
        #expect(report.lists.values.allSatisfy { $0.count == 1 } && report.lists.keys.sorted() == ["a", "b"])
        #expect(report.errors.isEmpty && report.unreachable.count == 0)
    }

    @Test(
        "routes without platforms, with none, or that share one, are refused, because a phone could be at both",
        arguments: [
            [:], ["a": [.ios]], ["a": [.ios], "b": []], ["a": [.ios, .android], "b": [.android]],
            ["a": [.ios], "b": [.ios]],
        ] as [[RouteName: Set<Platform>]])
    func refused(platforms: [RouteName: Set<Platform>]) async throws {
        let pair = Pair()
        // The preflight `whatCanBeSent` does not allow duplicates either.
        for preflight in [RoutingPolicy.Preflight.allOrNothing, .whatCanBeSent] {
            let router = try pair.router(platforms, preflight)
            let error = await #expect(throws: PushError.self) {
                try await router.plan(Plans.message, to: .broadcast(.everyone, at: ["a", "b"]))
            }
            #expect(error?.kind == .unsupported && error?.effect == .notApplied)
            #expect(error?.message.contains(platforms.isEmpty ? "(\"a\")" : "(\"b\")") == true)
        }
        #expect(pair.a.requests == 0 && pair.b.requests == 0)
    }

    @Test("a message for some platforms goes to the routes that have them, and to their phones of those only")
    func wantedPlatforms() async throws {
        let pair = Pair()
        let router = try pair.router(["a": [.ios, .harmony], "b": [.android]])
        var message = Plans.message
        message.platforms = [.ios]
        let plan = try await router.plan(message, to: .broadcast(.everyone, at: ["a", "b"]))
        #expect(plan.shares.map(\.route) == ["a"])
        let report = try await router.send(plan)
        let received = await pair.received()
        #expect(received == [1, 0, 0, 0] && pair.b.requests == 0)
        #expect(report.lists.keys.sorted() == ["a"])
        message.platforms = ["watch"]
        let elsewhere = message
        let error = await #expect(throws: PushError.self) {
            try await router.plan(elsewhere, to: .broadcast(.everyone, at: ["a", "b"]))
        }
        #expect(error?.kind == .noTarget)
        let after = await pair.received()
        #expect(after == received)
    }

    @Test("apps of one platform each get their part, at a vendor that refuses a message for both")
    func appsOfOnePlatform() async throws {
        let robot = "00aa11bb22cc33dd44ee55ff66778899aacc"
        let ios = try Plans.tpns(.ios, [VirtualDevice(Plans.tpnsDevice, .ios)])
        let android = try Plans.tpns(.android, [VirtualDevice(robot, .android)])
        var policy = RoutingPolicy()
        policy.platforms = ["tpns-ios": [.ios], "tpns-android": [.android]]
        let router = try Plans.router(over: ["tpns-ios": ios, "tpns-android": android], policy)
        var message = Message(notification: Notification(title: "Sale", body: "Today"))
        message.platforms = [.ios, .android]
        let plan = try await router.plan(message, to: .broadcast(.everyone, at: ["tpns-ios", "tpns-android"]))
        #expect(plan.problems.isEmpty)
        _ = try await router.send(plan)
        let received = [await ios.received(by: Plans.tpnsDevice), await android.received(by: robot)]
        #expect(received == [1, 1])
    }

    @Test("a broadcast that one vendor refuses is a problem of its route, and all or nothing sends nothing")
    func refusedByOne() async throws {
        let a = Plans.memory([VirtualDevice("a-ios", .ios)])
        let b = Plans.memory([VirtualDevice("b-android", .android)]) { $0.capabilities.fields.remove(.title) }
        let message = Message(notification: Notification(title: "Sale", body: "Today"))
        let recipients = Recipients.broadcast(.everyone, at: ["a", "b"])
        var policy = RoutingPolicy()
        policy.platforms = Self.disjoint
        let strict = try Plans.router(over: ["a": a, "b": b], policy)
        let plan = try await strict.plan(message, to: recipients)
        #expect(plan.problems.compactMap(\.route) == ["b"] && plan.problems.map(\.error.kind) == [.unsupported])
        let error = await #expect(throws: PushError.self) { try await strict.send(plan) }
        #expect(error?.kind == .unsupported && error?.message.hasPrefix("route \"b\": ") == true)
        #expect(a.requests == 0 && b.requests == 0)
        policy.preflight = .whatCanBeSent
        let report = try await Plans.router(over: ["a": a, "b": b], policy).send(plan)
        let received = [await a.received(by: "a-ios"), await b.received(by: "b-android")]
        #expect(received == [1, 0])
        #expect(report.errors["b"]?.kind == .unsupported && report.errors["a"] == nil)
    }

    @Test(
        "a list of targets is no broadcast",
        arguments: [Audience.devices(["a-ios"]), .aliases(["ann"]), .accounts([Account(name: "ann")])])
    func list(audience: Audience) async throws {
        let pair = Pair()
        let router = try pair.router(Self.disjoint)
        let error = await #expect(throws: PushError.self) {
            try await router.plan(Plans.message, to: .broadcast(audience, at: ["a"]))
        }
        #expect(error?.kind == .invalidArgument && error?.message.contains("bind") == true)
        #expect(pair.a.requests == 0)
    }

    @Test(
        "no route, and one route twice, are refused", arguments: [[], ["a", "a"], ["a", "b", "a"]] as [[RouteName]])
    func routes(names: [RouteName]) async throws {
        let router = try Pair().router(Self.disjoint)
        let error = await #expect(throws: PushError.self) {
            try await router.plan(Plans.message, to: .broadcast(.everyone, at: names))
        }
        #expect(error?.kind == .invalidArgument && error?.message.contains("routes") == true)
    }

    @Test("an unknown route is refused by name")
    func unknownRoute() async throws {
        let pair = Pair()
        let router = try pair.router(Self.disjoint)
        for names: [RouteName] in [["lost"], ["a", "lost"]] {
            let error = await #expect(throws: PushError.self) {
                try await router.plan(Plans.message, to: .broadcast(.everyone, at: names))
            }
            #expect(error?.kind == .misconfigured)
            let message = error?.message ?? ""
            #expect(message.contains("\"lost\"") && message.contains("\"a\", \"b\""), "\(message)")
        }
        #expect(pair.a.requests == 0)
    }
}
