import PushAdapter
import PushClient
import PushMemory
import PushRouter
import PushSimulation
import Testing

@Suite("Plans, who is reached how")
struct PlanTests {
    @Test("the choices follow the recipients, whatever the order of the store is")
    func order() async throws {
        let bindings = ["ann", "bob", "cid", "dan"].map { (name: String) in
            Plans.binding(UserID(name), InstallationID("phone-\(name)"), "a", "device-\(name)")
        }
        let router = try Plans.router(RoutingPolicy(), Plans.RecordingStore(bindings))
        let users = try await router.plan(Plans.message, to: .users(["cid", "ann", "dan"]))
        #expect(users.choices.map(\.binding.user) == ["cid", "ann", "dan"])
        let installations = try await router.plan(Plans.message, to: .installations(["phone-dan", "phone-bob"]))
        #expect(installations.choices.map(\.binding.user) == ["dan", "bob"])
        let listed = try await router.plan(Plans.message, to: .bindings([bindings[3], bindings[0], bindings[2]]))
        #expect(listed.choices.map(\.binding.user) == ["dan", "ann", "cid"])
        #expect([users, installations, listed].allSatisfy { $0.unreachable.count == 0 })
    }

    @Test("each installation of a user is one choice, and its other bindings are ways to it")
    func installations() async throws {
        let bindings = [
            Plans.binding("ann", "phone", "a", "phone-a"), Plans.binding("ann", "phone", "b", "phone-b"),
            Plans.binding("ann", "tablet", "b", "tablet-b"),
        ]
        let router = try Plans.router(RoutingPolicy(order: ["b", "a"]), MemoryBindingStore(bindings))
        let plan = try await router.plan(Plans.message, to: .users(["ann"]))
        #expect(Set(plan.choices.map(\.binding.target)) == [.device("phone-b"), .device("tablet-b")])
        #expect(plan.choices.flatMap(\.others) == [bindings[0]])
        #expect(plan.shares.map(\.route) == ["b"] && plan.shares.map(\.count) == [2])
    }

    @Test("a repeated user, and an installation of two users, are planned once")
    func repeated() async throws {
        let bindings = [
            Plans.binding("ann", "shared", "a", "shared-a"), Plans.binding("bob", "shared", "b", "shared-b"),
            Plans.binding("bob", "own", "b", "own-b"),
        ]
        // Our stores keep one user per installation; a backend's own store may have two.
        let router = try Plans.router(RoutingPolicy(order: ["a", "b"]), Plans.CarelessStore(bindings))
        let plan = try await router.plan(Plans.message, to: .users(["ann", "bob", "ann", "bob"]))
        #expect(plan.choices.count == 2)
        #expect(plan.choices.map(\.binding.target) == [.device("shared-a"), .device("own-b")])
        let twice = try await router.plan(Plans.message, to: .installations(["own", "own"]))
        #expect(twice.choices.map(\.binding.target) == [.device("own-b")])
    }

    @Test("bindings without an installation stand alone, and a repeated one is planned once")
    func alone() async throws {
        let one = Plans.binding("ann", nil, "a", "device-1")
        let two = Plans.binding("ann", nil, "b", "device-2")
        let plan = try await Plans.router().plan(Plans.message, to: .bindings([one, two, one]))
        #expect(plan.choices.map(\.binding) == [one, two] && plan.problems.isEmpty)
        #expect(plan.choices.allSatisfy { $0.others.isEmpty })
    }

    @Test("users and installations without bindings are listed, in their order")
    func unreachable() async throws {
        let store = MemoryBindingStore([Plans.binding("ann", "phone", "a", "device-1")])
        let router = try Plans.router(RoutingPolicy(), store)
        let users = try await router.plan(Plans.message, to: .users(["zoe", "ann", "bob"]))
        #expect(users.unreachable.users == ["zoe", "bob"] && users.unreachable.installations.isEmpty)
        #expect(users.choices.count == 1)
        let installations = try await router.plan(Plans.message, to: .installations(["desk", "phone"]))
        #expect(installations.unreachable.installations == ["desk"] && installations.unreachable.users.isEmpty)
        let nobody = try await router.plan(Plans.message, to: .users(["zoe"]))
        let report = try await router.send(nobody)
        #expect(report.unreachable.users == ["zoe"] && report.outcomes.isEmpty && report.lists.isEmpty)
    }

    @Test("a repeated user without bindings is listed once")
    func repeatedUnreachable() async throws {
        let router = try Plans.router()
        let users = try await router.plan(Plans.message, to: .users(["zoe", "zoe"]))
        #expect(users.unreachable.users == ["zoe"])
        let installations = try await router.plan(Plans.message, to: .installations(["desk", "desk"]))
        #expect(installations.unreachable.installations == ["desk"])
    }

    @Test("the store is asked for at most 1,000 at once, and the order stays")
    func pages() async throws {
        let names = (0..<2_500).map { String($0) }
        let bindings = names.map { Plans.binding(UserID($0), InstallationID("i" + $0), "a", "device-" + $0) }
        let store = Plans.RecordingStore(bindings)
        let router = try Plans.router(RoutingPolicy(), store)
        let users = names.reversed().map { UserID($0) }
        let plan = try await router.plan(Plans.message, to: .users(users))
        #expect(plan.choices.map(\.binding.user) == users)
        let installations = names.map { InstallationID("i" + $0) }
        let again = try await router.plan(Plans.message, to: .installations(installations))
        #expect(again.choices.compactMap(\.binding.installation) == installations)
        #expect(plan.shares.map(\.count) == [2_500] && again.shares.map(\.count) == [2_500])
        let pages = await store.pages
        #expect(pages == [1_000, 1_000, 500, 1_000, 1_000, 500])
    }

    @Test("an installation of two users who are looked up apart is planned once")
    func acrossPages() async throws {
        let names = (0..<1_001).map { UserID("user-\($0)") }
        let store = Plans.CarelessStore([
            Plans.binding(names[0], "shared", "a", "shared-a"), Plans.binding(names[1_000], "shared", "b", "shared-b"),
        ])
        let plan = try await Plans.router(RoutingPolicy(order: ["b"]), store).plan(Plans.message, to: .users(names))
        #expect(plan.choices.count == 1 && plan.shares.map(\.count) == [1])
        #expect(plan.unreachable.users.count == 999)
    }

    @Test(
        "an empty list is refused",
        arguments: [Recipients.users([]), .installations([]), .bindings([])])
    func empty(recipients: Recipients) async throws {
        let router = try Plans.router()
        let error = await #expect(throws: PushError.self) { try await router.plan(Plans.message, to: recipients) }
        #expect(error?.kind == .invalidArgument && error?.message.contains("empty") == true)
    }

    @Test("a store that fails gives invalidState with its error, and nothing is sent")
    func brokenStore() async throws {
        let vendor = Plans.memory([VirtualDevice("device-1", .ios)])
        let router = try Plans.router(over: ["a": vendor], RoutingPolicy(), Plans.BrokenStore())
        for recipients in [Recipients.users(["ann"]), .installations(["phone"])] {
            let error = await #expect(throws: PushError.self) { try await router.plan(Plans.message, to: recipients) }
            #expect(error?.kind == .invalidState && error?.effect == .notApplied)
            #expect(error?.underlying is Plans.BrokenStore.Failure)
        }
        #expect(vendor.requests == 0)
        // Bindings given by the caller need no store.
        let own = try await router.plan(Plans.message, to: .bindings([Plans.binding("ann", nil, "a", "device-1")]))
        #expect(own.choices.count == 1)
    }

    @Test("a plan keeps its routes when it is sent by a router whose order has changed")
    func frozen() async throws {
        let (a, b) = (Plans.memory([VirtualDevice("at-a", .ios)]), Plans.memory([VirtualDevice("at-b", .ios)]))
        let bindings = [
            Plans.binding("ann", "phone", "a", "at-a"), Plans.binding("ann", "phone", "b", "at-b"),
        ]
        let store = MemoryBindingStore(bindings)
        let before = try Plans.router(over: ["a": a, "b": b], RoutingPolicy(order: ["a", "b"]), store)
        let after = try Plans.router(over: ["a": a, "b": b], RoutingPolicy(order: ["b", "a"]), store)
        let plan = try await before.plan(Plans.message, to: .users(["ann"]))
        let report = try await after.send(plan)
        #expect(report.accepted(at: "a") == 1 && report.accepted(at: "b") == 0)
        let received = [await a.received(by: "at-a"), await b.received(by: "at-b")]
        #expect(received == [1, 0])
    }
}

@Suite("Plans, what is wrong")
struct PlanProblemTests {
    private static let ann: UserID = "user-of-the-shop-0001"
    private static let phone: InstallationID = "installation-number-0002"
    private static let other: InstallationID = "installation-number-0003"
    /// Longer than the vendors of these tests allow.
    private static let long = "token-that-is-too-long-for-the-vendor-0004"
    private static let lost = "token-at-a-lost-route-0005"
    private static let same = "token-of-two-phones-0006"
    private static let fine = ["token-fine-at-a-0007", "token-fine-at-b-0008"]
    private static let secrets = [ann.rawValue, phone.rawValue, other.rawValue, long, lost, same] + fine

    private static func vendor(_ devices: String...) -> Plans.Vendor {
        Plans.memory(devices.map { VirtualDevice($0, .ios) }) { provider in
            provider.capabilities.limits[.deviceIDLength] = Limit(36, .utf8Bytes, .reject, source: "test")
        }
    }

    /// Three unusable bindings, a usable one at each vendor, and the first of a repeated target.
    private static let mixed = [
        Plans.binding(ann, nil, "a", fine[0]), Plans.binding(ann, nil, "lost", lost),
        Plans.binding(ann, nil, "a", long), Plans.binding(ann, phone, "b", same),
        Plans.binding(ann, other, "b", same), Plans.binding(ann, nil, "b", fine[1]),
    ]

    private static func isSecret(_ text: String) -> Bool { secrets.allSatisfy { !text.contains($0) } }

    @Test("bindings that cannot be used are problems, each with its route and shortened ids")
    func problems() async throws {
        let (a, b) = (Self.vendor(Self.fine[0]), Self.vendor(Self.fine[1], Self.same))
        let plan = try await Plans.router(over: ["a": a, "b": b]).plan(Plans.message, to: .bindings(Self.mixed))
        #expect(plan.problems.compactMap(\.route) == ["lost", "a", "b"])
        #expect(plan.problems.map(\.error.kind) == [.misconfigured, .tooLong, .invalidArgument])
        for (problem, ids) in zip(plan.problems, [["…0005"], ["…0004"], ["…0003", "…0006"]]) {
            let text = problem.description
            #expect(text.contains(" at \"\(problem.route ?? "none")\": "), "\(text)")
            #expect((ids + ["…0001"]).allSatisfy { text.contains($0) }, "\(text)")
            let isSecret = Self.isSecret(Plans.shown(problem)) && Self.isSecret(problem.error.message)
            #expect(isSecret, "\(text)")
        }
        #expect(plan.problems.first?.error.message.contains("\"lost\"") == true)
        #expect(plan.choices.map(\.binding.target.text) == [Self.fine[0], Self.same, Self.fine[1]])
        #expect(plan.choices.count == 3 && plan.choices[1].binding.installation == Self.phone)
        #expect(plan.shares.map(\.count) == [1, 2])
    }

    @Test("a target that the adapter's own rule refuses is a problem before anything is sent, at its route only")
    func ownRule() async throws {
        let key = Secret("of the memory vendor")
        let base = MemoryProvider(key: key, makesKeys: false)
        var strict = Routed.Outspoken(base: base, capabilities: base.capabilities)
        strict.refusal = { target in
            target.text.hasPrefix("eu-") ? PushError(.invalidArgument, "an id of another region") : nil
        }
        let a = Plans.Vendor(strict, MemoryVendor(key: key, takesCallerKeys: true))
        let plan = try await Plans.router(over: ["a": a, "b": Self.vendor("eu-1")]).plan(
            Plans.message,
            to: .bindings([
                Plans.binding(Self.ann, "one", "a", "eu-1"), Plans.binding("bob", "two", "b", "eu-1"),
                Plans.binding("cid", "three", "a", "cn-1"),
            ]))
        #expect(plan.problems.map(\.error.message) == ["an id of another region"])
        #expect(plan.problems.compactMap(\.route) == ["a"] && plan.choices.count == 2 && a.requests == 0)
    }

    @Test("all or nothing: a plan with problems sends nothing at any route, and says how many there are")
    func allOrNothing() async throws {
        let (a, b) = (Self.vendor(Self.fine[0]), Self.vendor(Self.fine[1], Self.same))
        let router = try Plans.router(over: ["a": a, "b": b])
        let plan = try await router.plan(Plans.message, to: .bindings(Self.mixed))
        let error = await #expect(throws: PushError.self) { try await router.send(plan) }
        #expect(error?.kind == .misconfigured && error?.effect == .notApplied && error?.operation == .send)
        let message = error?.message ?? ""
        #expect(message.contains(" at \"lost\": ") && message.contains("2 more problems"), "\(message)")
        let isSecret = Self.isSecret(message)
        #expect(isSecret, "\(message)")
        #expect(a.requests == 0 && b.requests == 0)
        let single = try await router.plan(Plans.message, to: .bindings(Array(Self.mixed[..<2])))
        let one = await #expect(throws: PushError.self) { try await router.send(single) }
        #expect(one?.message.contains("more") == false)
        #expect(a.requests == 0 && b.requests == 0)
    }

    @Test("what can be sent is sent, if the policy says so")
    func whatCanBeSent() async throws {
        let (a, b) = (Self.vendor(Self.fine[0]), Self.vendor(Self.fine[1], Self.same))
        var policy = RoutingPolicy()
        policy.preflight = .whatCanBeSent
        let router = try Plans.router(over: ["a": a, "b": b], policy)
        let plan = try await router.plan(Plans.message, to: .bindings(Self.mixed))
        let report = try await router.send(plan)
        #expect(report.outcomes.map(\.status) == [.accepted, .accepted, .accepted])
        #expect(report.accepted(at: "a") == 1 && report.accepted(at: "b") == 2)
        var received: [Int] = []
        for (vendor, device) in [(a, Self.fine[0]), (b, Self.fine[1]), (b, Self.same)] {
            received.append(await vendor.received(by: device))
        }
        #expect(received == [1, 1, 1])
        // If no target is left, the problem gives the reason.
        let none = try await router.plan(Plans.message, to: .bindings([Self.mixed[2]]))
        let nothing = try await router.send(none)
        #expect(nothing.outcomes.isEmpty && nothing.problems.map(\.error.kind) == [.tooLong])
    }

    @Test(
        "of installations that share devices in a row, one that is left out takes no other with it",
        arguments: [0, 1, 2])
    func sharedInARow(turn: Int) async throws {
        // The old one shares a device with the middle one; the middle one shares one with the new one.
        let phones: [[Binding]] = [
            [Plans.binding("ann", "old", "a", "x", age: 9)],
            [Plans.binding("bob", "middle", "a", "x", age: 5), Plans.binding("bob", "middle", "b", "y", age: 5)],
            [Plans.binding("cid", "new", "b", "y", age: 1)],
        ]
        let turned = Array(phones[turn...] + phones[..<turn])
        let plan = try await Plans.router().plan(Plans.message, to: .bindings(turned.flatMap { $0 }))
        #expect(Set(plan.choices.map(\.binding.installation)) == ["old", "new"])
        #expect(plan.problems.map(\.binding?.installation) == ["middle"])
    }

    @Test("an alias or an account is no way to one installation, because others have it too")
    func sharedTargets() async throws {
        let router = try Plans.router()
        var alias = Plans.binding(Self.ann, Self.phone, "a", "x")
        alias.target = .alias("ann")
        let device = Plans.binding(Self.ann, Self.phone, "b", "device")
        let plan = try await router.plan(Plans.message, to: .bindings([alias, device]))
        #expect(plan.choices.map(\.binding) == [device] && plan.choices.allSatisfy(\.others.isEmpty))
        #expect(plan.problems.map(\.binding) == [alias] && plan.problems.map(\.error.kind) == [.invalidArgument])
        alias.installation = nil
        let alone = try await router.plan(Plans.message, to: .bindings([alias]))
        #expect(alone.problems.isEmpty && alone.choices.count == 1)
    }

    @Test("an installation whose binding at one route cannot be used takes its other one")
    func otherWay() async throws {
        let router = try Plans.router(over: ["a": Self.vendor(), "b": Self.vendor(Self.fine[1])])
        let bindings = [
            Plans.binding(Self.ann, Self.phone, "a", Self.long),
            Plans.binding(Self.ann, Self.phone, "b", Self.fine[1]),
        ]
        let plan = try await router.plan(Plans.message, to: .bindings(bindings))
        #expect(plan.problems.compactMap(\.route) == ["a"])
        #expect(plan.choices.map(\.binding.route) == ["b"] && plan.choices.allSatisfy { $0.others.isEmpty })
    }

    @Test("descriptions and dumps of a plan, its bindings and its report have counts and shortened ids only")
    func secrecy() async throws {
        let (a, b) = (Self.vendor(Self.fine[0]), Self.vendor(Self.fine[1], Self.same))
        var policy = RoutingPolicy()
        policy.preflight = .whatCanBeSent
        let unbound: UserID = "user-without-a-phone-0009"
        let store = MemoryBindingStore(Self.mixed)
        let router = try Plans.router(over: ["a": a, "b": b], policy, store)
        let plan = try await router.plan(Plans.message, to: .users([Self.ann, unbound]))
        let report = try await router.send(plan)
        var shown = [
            Plans.shown(plan), Plans.shown(report), Plans.shown(plan.unreachable), Plans.shown(plan.choices),
            Plans.shown(plan.problems), Plans.shown(plan.shares), Plans.shown(report.outcomes),
            Plans.shown(report.lists),
            Plans.shown(report.unreachable), Plans.shown(Recipients.users([Self.ann])),
        ]
        shown += Self.mixed.map { Plans.shown($0) }
        for text in shown {
            let isSecret = Self.isSecret(text) && !text.contains(unbound.rawValue)
            #expect(isSecret, "\(text)")
        }
        let words = "\(plan)"
        #expect(words.contains("\"a\": 1") && words.contains("\"b\": 2") && words.contains("1 unreachable"), "\(words)")
        #expect(words.contains("\(plan.problems.count) problems"), "\(words)")
        #expect("\(report)".contains("3 of 3 installations accepted") && "\(report)".contains("1 unreachable"))
        let binding = "\(Self.mixed[3])"
        #expect(["…0002", "…0001", "at \"b\"", "…0006"].allSatisfy { binding.contains($0) }, "\(binding)")
    }
}

@Suite("Plans, what the vendors say of the message")
struct PlanMessageTests {
    /// A message that TPNS accepts and JPush refuses: JPush allows 2,000 bytes for iOS, and pictures on Android only.
    private func message(_ kind: PushError.Kind) -> Message {
        Message(
            notification: Notification(
                title: "Sale", body: kind == .tooLong ? String(repeating: "x", count: 2_500) : "Hello",
                image: kind == .unsupported ? "https://shop.example/sale.png" : nil))
    }

    private let bindings = [
        Plans.binding("ann", "phone", "jpush", Plans.jpushDevice),
        Plans.binding("bob", "desk", "tpns", Plans.tpnsDevice),
    ]

    private func vendors() throws -> (jpush: Plans.Vendor, tpns: Plans.Vendor) {
        (
            try Plans.jpush([VirtualDevice(Plans.jpushDevice, .ios)]),
            try Plans.tpns(.ios, [VirtualDevice(Plans.tpnsDevice, .ios)])
        )
    }

    @Test(
        "a message that one vendor refuses is a problem of its share, and all or nothing sends nothing",
        arguments: [PushError.Kind.tooLong, .unsupported])
    func refused(kind: PushError.Kind) async throws {
        let (jpush, tpns) = try vendors()
        let router = try Plans.router(over: ["jpush": jpush, "tpns": tpns])
        let plan = try await router.plan(message(kind), to: .bindings(bindings))
        #expect(plan.problems.compactMap(\.route) == ["jpush"] && plan.problems.map(\.error.kind) == [kind])
        #expect(plan.shares.map(\.route) == ["jpush", "tpns"] && plan.choices.count == 2)
        let refusals = plan.shares.map { share in share.explanations.flatMap(\.refusals).count }
        #expect(refusals == [1, 0])
        let error = await #expect(throws: PushError.self) { try await router.send(plan) }
        #expect(error?.kind == kind && error?.message.hasPrefix("route \"jpush\": ") == true)
        #expect(jpush.requests == 0 && tpns.requests == 0)
    }

    @Test(
        "where what can be sent is sent, one vendor takes the message, and the other one has accepted nothing",
        arguments: [PushError.Kind.tooLong, .unsupported])
    func rest(kind: PushError.Kind) async throws {
        let (jpush, tpns) = try vendors()
        var policy = RoutingPolicy()
        policy.preflight = .whatCanBeSent
        let router = try Plans.router(over: ["jpush": jpush, "tpns": tpns], policy)
        let plan = try await router.plan(message(kind), to: .bindings(bindings))
        let report = try await router.send(plan)
        let received = [await jpush.received(by: Plans.jpushDevice), await tpns.received(by: Plans.tpnsDevice)]
        #expect(received == [0, 1])
        #expect(report.accepted(at: "tpns") == 1 && report.accepted(at: "jpush") == 0)
        #expect(report.outcomes.map(\.status) == [.rejected(mayRetry: false), .accepted])
        #expect(report.outcomes.first?.attempts.first?.failure?.kind == kind)
        #expect(report.errors["jpush"]?.kind == kind && report.errors["tpns"] == nil)
    }

    @Test("a client that was shut down has accepted nothing")
    func shutDown() async throws {
        let vendor = Plans.memory([VirtualDevice("device-1", .ios)])
        let router = try Plans.router(over: ["a": vendor])
        let plan = try await router.plan(Plans.message, to: .bindings([Plans.binding("ann", nil, "a", "device-1")]))
        await vendor.client.shutdown()
        let report = try await router.send(plan)
        #expect(report.accepted(at: "a") == 0 && report.errors["a"]?.kind == .stopped)
        #expect(report.outcomes.allSatisfy { $0.status != .accepted } && vendor.requests == 0)
    }

    @Test("a share explains the first request to each kind of target, and asks no vendor")
    func explanations() async throws {
        let (a, b) = (Plans.memory(), Plans.memory())
        var aliased = Plans.binding("ann", nil, "a", "ann")
        aliased.target = .alias("ann")
        let bindings = [
            Plans.binding("ann", nil, "b", "device-3"), aliased, Plans.binding("ann", nil, "a", "device-1"),
            Plans.binding("bob", nil, "a", "device-2"),
        ]
        let plan = try await Plans.router(over: ["b": b, "a": a]).plan(Plans.message, to: .bindings(bindings))
        #expect(plan.shares.map(\.route) == ["a", "b"] && plan.shares.map(\.count) == [3, 1])
        #expect(plan.shares.map(\.explanations.count) == [2, 1])
        let steps = plan.shares.flatMap(\.explanations).flatMap(\.steps)
        #expect(steps.map(\.operation) == [.send, .send, .send] && steps.map(\.targetCount) == [1, 1, 1])
        #expect(plan.problems.isEmpty && a.requests == 0 && b.requests == 0)
    }
}
