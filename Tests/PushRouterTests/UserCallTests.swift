import PushAdapter
import PushClient
import PushRouter
import PushSimulation
import Testing

@Suite("Calls about a user")
struct UserCallTests {
    private func outcomes(
        _ router: PushRouter, _ operation: DeviceOperation, for user: UserID = "ann"
    ) async throws -> [RouteName: Result<DeviceAnswer, PushError>] {
        let outcomes = try await router.perform(operation, for: user)
        return Dictionary(uniqueKeysWithValues: outcomes.map { ($0.binding.route, $0.result) })
    }

    private func error(_ result: Result<DeviceAnswer, PushError>?) -> PushError? {
        if case .failure(let error) = result { error } else { nil }
    }

    /// Ann's and Bob's devices at two vendors, and one of Ann's tablet.
    private let bindings = [
        Plans.binding("ann", "phone", "a", "ann-a"), Plans.binding("ann", "phone", "b", "ann-b"),
        Plans.binding("bob", "desk", "a", "bob-a"),
    ]

    @Test("a change of tags reaches every device of the user, at all vendors, and nobody else's")
    func tags() async throws {
        let a = Plans.memory([VirtualDevice("ann-a", .ios), VirtualDevice("bob-a", .ios)])
        let b = Plans.memory([VirtualDevice("ann-b", .android)])
        let router = try Plans.router(over: ["a": a, "b": b], RoutingPolicy(), MemoryBindingStore(bindings))
        let results = try await outcomes(router, .updateTags(.add(["vip", "spring"])))
        #expect(results.keys.sorted() == ["a", "b"])
        for result in results.values {
            guard case .success(.tagUpdate(let outcome)) = result else {
                Issue.record("\(result)")
                continue
            }
            #expect(outcome.added == ["vip", "spring"] && outcome.isComplete)
        }
        let tags = [await a.state(of: "ann-a").tags, await b.state(of: "ann-b").tags, await a.state(of: "bob-a").tags]
        #expect(tags == [["vip", "spring"], ["vip", "spring"], []])
    }

    @Test("an alias is set at all vendors")
    func alias() async throws {
        let a = Plans.memory([VirtualDevice("ann-a", .ios), VirtualDevice("bob-a", .ios)])
        let b = Plans.memory([VirtualDevice("ann-b", .android)])
        let router = try Plans.router(over: ["a": a, "b": b], RoutingPolicy(), MemoryBindingStore(bindings))
        let results = try await outcomes(router, .setAlias("ann"))
        #expect(results.keys.sorted() == ["a", "b"] && results.values.allSatisfy { error($0) == nil })
        let aliases = [
            await a.state(of: "ann-a").alias, await b.state(of: "ann-b").alias, await a.state(of: "bob-a").alias,
        ]
        #expect(aliases == ["ann", "ann", nil])
    }

    @Test("several devices of a user at one vendor have an outcome each")
    func oneVendor() async throws {
        let a = Plans.memory([VirtualDevice("phone-a", .ios), VirtualDevice("tablet-a", .ios)])
        let store = MemoryBindingStore([
            Plans.binding("ann", "phone", "a", "phone-a"), Plans.binding("ann", "tablet", "a", "tablet-a"),
            Plans.binding("ann", nil, "a", "gone"),
        ])
        let router = try Plans.router(over: ["a": a], RoutingPolicy(), store)
        let outcomes = try await router.perform(.updateTags(.add(["vip"])), for: "ann")
        let failed = outcomes.filter { error($0.result) != nil }
        #expect(outcomes.count == 3 && failed.map(\.binding.target) == [.device("gone")])
        #expect(error(failed.first?.result)?.kind == .noTarget)
        let tags = [await a.state(of: "phone-a").tags, await a.state(of: "tablet-a").tags]
        #expect(tags == [["vip"], ["vip"]])
    }

    @Test("a vendor without the feature refuses, and the other one does it")
    func unsupported() async throws {
        let jpush = try Plans.jpush([VirtualDevice(Plans.jpushDevice, .ios)])
        let tpns = try Plans.tpns(.ios, [VirtualDevice(Plans.tpnsDevice, .ios)])
        let store = MemoryBindingStore([
            Plans.binding("ann", "phone", "jpush", Plans.jpushDevice),
            Plans.binding("ann", "phone", "tpns", Plans.tpnsDevice),
        ])
        let router = try Plans.router(over: ["jpush": jpush, "tpns": tpns], RoutingPolicy(), store)
        let results = try await outcomes(router, .setAlias("ann"))
        #expect(error(results["tpns"])?.kind == .unsupported && tpns.requests == 0)
        #expect(results.count == 2 && results["jpush"] != nil && error(results["jpush"]) == nil)
        let alias = await jpush.state(of: Plans.jpushDevice).alias
        #expect(alias == "ann")
    }

    @Test("a binding that is an alias or an account has an outcome of its own, and costs no request")
    func noDevice() async throws {
        let (a, b) = (Plans.memory([VirtualDevice("ann-a", .ios)]), Plans.memory())
        let c = Plans.memory()
        var (alias, account) = (Plans.binding("ann", nil, "b", ""), Plans.binding("ann", nil, "c", ""))
        alias.target = .alias("ann-the-customer")
        account.target = .account(Account(name: "ann-the-customer"))
        let store = MemoryBindingStore([bindings[0], alias, account])
        let router = try Plans.router(over: ["a": a, "b": b, "c": c], RoutingPolicy(), store)
        let results = try await outcomes(router, .updateTags(.add(["vip"])))
        for route: RouteName in ["b", "c"] {
            let refusal = error(results[route])
            #expect(refusal?.kind == .unsupported && refusal?.operation == .addTags)
            #expect(refusal?.message.contains("ann-the-customer") == false)
        }
        #expect(results.count == 3 && error(results["a"]) == nil && b.requests == 0 && c.requests == 0)
        let tags = await a.state(of: "ann-a").tags
        #expect(tags == ["vip"])
    }

    @Test("a binding at a route that the router does not have is an outcome that names the route")
    func unknownRoute() async throws {
        let a = Plans.memory([VirtualDevice("ann-a", .ios)])
        let token = "token-at-a-lost-route-0005"
        let store = MemoryBindingStore([bindings[0], Plans.binding("ann", "phone", "lost", token)])
        let router = try Plans.router(over: ["a": a], RoutingPolicy(), store)
        let results = try await outcomes(router, .updateTags(.add(["vip"])))
        let refusal = error(results["lost"])
        #expect(refusal?.kind == .misconfigured && refusal?.effect == .notApplied)
        let message = refusal?.message ?? ""
        #expect(message.contains("\"lost\"") && !message.contains(token), "\(message)")
        #expect(results.count == 2 && results["a"] != nil && error(results["a"]) == nil)
    }

    @Test("the error of an unknown route says which call it was")
    func operation() async throws {
        let store = MemoryBindingStore([Plans.binding("ann", "phone", "lost", "ann-lost")])
        let results = try await outcomes(Plans.router(RoutingPolicy(), store), .setAlias("ann"))
        #expect(error(results["lost"])?.operation == .setAlias)
    }

    @Test("a user without bindings is refused, and nothing is sent")
    func nobody() async throws {
        let a = Plans.memory([VirtualDevice("ann-a", .ios)])
        let router = try Plans.router(over: ["a": a], RoutingPolicy(), MemoryBindingStore([bindings[0]]))
        let error = await #expect(throws: PushError.self) { try await router.perform(.setAlias("zoe"), for: "zoe") }
        #expect(error?.kind == .noTarget && error?.operation == .setAlias && a.requests == 0)
    }

    @Test("a store that fails gives invalidState with its error, and nothing is sent")
    func brokenStore() async throws {
        let a = Plans.memory([VirtualDevice("ann-a", .ios)])
        let router = try Plans.router(over: ["a": a], RoutingPolicy(), Plans.BrokenStore())
        let error = await #expect(throws: PushError.self) { try await router.perform(.setAlias("ann"), for: "ann") }
        #expect(error?.kind == .invalidState && error?.effect == .notApplied && error?.operation == .setAlias)
        #expect(error?.underlying is Plans.BrokenStore.Failure && a.requests == 0)
    }
}
