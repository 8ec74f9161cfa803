import FoundationEssentials
import PushAdapter
import PushRouter
import Testing

/// The rules for every store of bindings. Each check gets a new, empty store.
struct BindingStoreCheck: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let run: @Sendable (any BindingStore) async throws -> Void

    init(_ name: String, _ run: @escaping @Sendable (any BindingStore) async throws -> Void) {
        testDescription = name
        self.run = run
    }

    static let all = lookups + replacements + retirements + ways + acceptances

    // MARK: Lookups

    private static let lookups: [BindingStoreCheck] = [
        BindingStoreCheck("bindings are found by user and by installation, with all that they say") { store in
            var first = Plans.binding("ann", "phone", "a", "device-1", platform: .ios, age: 60)
            first.target = .account(Account(name: "ann@example.com", type: 7))
            let second = Plans.binding("ann", "tablet", "b", "device-2", platform: "watch")
            let third = Plans.binding("bob", "desk", "a", "device-3")
            for binding in [first, second, third] { try await store.bind(binding) }
            try await store.expect([first, second], of: ["ann"])
            try await store.expect([first, second, third], of: ["bob", "ann"])
            try await store.expect([first], at: ["phone"])
            try await store.expect([second, third], at: ["desk", "tablet"])
        },
        BindingStoreCheck("users and installations without bindings, and empty lists, find nothing") { store in
            let binding = Plans.binding("ann", "phone", "a", "device-1")
            try await store.bind(binding)
            try await store.expect([], of: ["nobody"])
            try await store.expect([], at: ["nothing"])
            try await store.expect([], of: [])
            try await store.expect([], at: [])
            // A user's name is not an installation's name.
            try await store.expect([], of: ["phone"])
            try await store.expect([], at: ["ann"])
            try await store.expect([binding], of: ["nobody", "ann"])
        },
        BindingStoreCheck("bindings without an installation stand alone, and only the user finds them") { store in
            let one = Plans.binding("ann", nil, "a", "device-1")
            let two = Plans.binding("ann", nil, "a", "device-2")
            try await store.bind(one)
            try await store.bind(two)
            try await store.expect([one, two], of: ["ann"])
            try await store.expect([], at: ["", "device-1"])
        },
        BindingStoreCheck("one text is a binding for each kind of target and for each route") { store in
            let device = Plans.binding("ann", nil, "a", "same")
            var (alias, account, elsewhere) = (device, device, device)
            alias.target = .alias("same")
            account.target = .account(Account(name: "same"))
            elsewhere.route = "b"
            for binding in [device, alias, account, elsewhere] { try await store.bind(binding) }
            try await store.expect([device, alias, account, elsewhere], of: ["ann"])
        },
    ]

    // MARK: Routes and targets

    private static let ways: [BindingStoreCheck] = [
        BindingStoreCheck("a route and a target find their binding, and no other one") { store in
            let bindings = [
                Plans.binding("ann", "phone", "a", "device-1"), Plans.binding("ann", "phone", "b", "device-1"),
                Plans.binding("bob", nil, "a", "device-2"),
            ]
            for binding in bindings { try await store.bind(binding) }
            let strangers = [
                RoutedTarget.Way(.device("device-2"), at: "b"), RoutedTarget.Way(.alias("device-1"), at: "a"),
                RoutedTarget.Way(.account(Account(name: "device-1", type: 0)), at: "a"),
            ]
            let found = try await store.bindings(at: strangers + [bindings[2].way, bindings[0].way, bindings[0].way])
            #expect(Set(found) == [bindings[0], bindings[2]] && found.count == 2)
            let none = try await store.bindings(at: [] as [RoutedTarget.Way])
            #expect(none.isEmpty)
        }
    ]

    // MARK: Acceptances and counts

    private static let acceptances: [BindingStoreCheck] = [
        BindingStoreCheck("the first acceptance is kept, and stays while the app reports the same binding") { store in
            let binding = Plans.binding("ann", "phone", "a", "device-1", age: 60)
            let other = Plans.binding("ann", "phone", "b", "device-1", age: 60)
            for binding in [binding, other] { try await store.bind(binding) }
            let first = Plans.start.addingTimeInterval(0.1)
            try await store.noteAccepted([binding.way, Plans.binding("ann", "phone", "a", "unknown").way], at: first)
            try await store.noteAccepted([binding.way], at: Plans.start.addingTimeInterval(9))
            var accepted = binding
            accepted.acceptedAt = first
            try await store.expect([accepted, other], of: ["ann"])
            var again = Plans.binding("bob", "phone", "a", "device-1")
            try await store.bind(again)
            again.acceptedAt = first
            try await store.expect([again], of: ["bob"])
            // The same token in another installation is untested there.
            let moved = Plans.binding("bob", "new phone", "a", "device-1")
            try await store.bind(moved)
            try await store.expect([moved], of: ["bob"])
        },
        BindingStoreCheck("a new target of an installation has not been accepted") { store in
            var old = Plans.binding("ann", "phone", "a", "device-1", age: 60)
            old.acceptedAt = Plans.start
            try await store.bind(old)
            try await store.expect([old], of: ["ann"])
            let new = Plans.binding("ann", "phone", "a", "device-2")
            try await store.bind(new)
            try await store.expect([new], of: ["ann"])
        },
        BindingStoreCheck("installations are counted by the routes that they have") { store in
            let none = try await store.coverage(of: "a", and: "b")
            #expect(none == RouteCoverage(onlyFrom: 0, both: 0, onlyTo: 0))
            for (installation, routes) in [("1", "a"), ("2", "ab"), ("3", "b"), ("4", "abc"), ("5", "c"), ("6", "ac")] {
                for route in routes {
                    let binding = Plans.binding(
                        "ann", InstallationID(installation), RouteName("\(route)"), "device-\(installation)")
                    try await store.bind(binding)
                }
            }
            for (number, route) in ["a", "b", "b"].enumerated() {
                try await store.bind(Plans.binding("bob", nil, RouteName(route), "alone-\(number)"))
            }
            let coverage = try await store.coverage(of: "a", and: "b")
            #expect(coverage == RouteCoverage(onlyFrom: 3, both: 2, onlyTo: 3))
            let elsewhere = try await store.coverage(of: "c", and: "d")
            #expect(elsewhere == RouteCoverage(onlyFrom: 3, both: 0, onlyTo: 0))
        },
        BindingStoreCheck("texts and dates come back as they were") { store in
            let texts = ["", "a\0b", "\0", "é", "e\u{301}", "鍵'\"%", String(repeating: "x", count: 5_000)]
            var all: Set<Binding> = []
            for (number, text) in texts.enumerated() {
                var binding = Plans.binding(UserID(text), InstallationID(text), "a", text, age: 0.1 * Double(number))
                binding.platform = Platform(text)
                all.insert(binding)
                try await store.bind(binding)
            }
            try await store.expect(all, of: texts.map { UserID($0) })
            try await store.expect(all, at: texts.map { InstallationID($0) })
            try await store.expect(texts.count, retiring: Array(all), unlessBoundAfter: Plans.start)
        },
    ]

    // MARK: Replacements

    private static let replacements: [BindingStoreCheck] = [
        BindingStoreCheck("a binding replaces that of its route and target, whoever had it") { store in
            try await store.bind(Plans.binding("ann", "phone", "a", "device-1", platform: .ios, age: 60))
            let sold = Plans.binding("bob", "resold", "a", "device-1", platform: .android)
            try await store.bind(sold)
            try await store.expect([], of: ["ann"])
            try await store.expect([], at: ["phone"])
            try await store.expect([sold], of: ["bob"])
            try await store.expect([sold], at: ["resold"])
            // A binding without an installation replaces it and has none.
            let alone = Plans.binding("bob", nil, "a", "device-1")
            try await store.bind(alone)
            try await store.expect([], at: ["resold"])
            try await store.expect([alone], of: ["bob"])
        },
        BindingStoreCheck("a binding replaces its installation's older one at that route, whoever had it") { store in
            try await store.bind(Plans.binding("ann", "phone", "a", "device-1", age: 60))
            let elsewhere = Plans.binding("ann", "phone", "b", "device-1", age: 60)
            let other = Plans.binding("ann", "tablet", "a", "device-2", age: 60)
            try await store.bind(elsewhere)
            try await store.bind(other)
            let new = Plans.binding("ann", "phone", "a", "device-9")
            try await store.bind(new)
            try await store.expect([new, elsewhere, other], of: ["ann"])
            try await store.expect([new, elsewhere], at: ["phone"])
            // Another user logs in, and the app reports its new token.
            let next = Plans.binding("bob", "phone", "a", "device-10")
            try await store.bind(next)
            try await store.expect([other], of: ["ann"])
            try await store.expect([next], at: ["phone"])
        },
        BindingStoreCheck("a binding that is reported again is there once, with its new date") { store in
            try await store.bind(Plans.binding("ann", "phone", "a", "device-1", age: 60))
            let again = Plans.binding("ann", "phone", "a", "device-1")
            try await store.bind(again)
            try await store.expect([again], of: ["ann"])
            try await store.expect([again], at: ["phone"])
        },
    ]

    // MARK: Retirements

    private static let retirements: [BindingStoreCheck] = [
        BindingStoreCheck("only what was not reported after the moment is retired, and counted") { store in
            let old = Plans.binding("ann", "phone", "a", "device-1", age: 60)
            let then = Plans.binding("ann", "tablet", "a", "device-2", age: 30)
            let new = Plans.binding("ann", "desk", "a", "device-3", age: 29)
            let spared = Plans.binding("ann", "phone", "b", "device-1", age: 60)
            for binding in [old, then, new, spared] { try await store.bind(binding) }
            let moment = Plans.start.addingTimeInterval(-30)
            try await store.expect(2, retiring: [old, then, new], unlessBoundAfter: moment)
            try await store.expect([new, spared], of: ["ann"])
            try await store.expect([new, spared], at: ["phone", "tablet", "desk"])
            try await store.expect(0, retiring: [old, then, new], unlessBoundAfter: moment)
        },
        BindingStoreCheck("a target that was reported again meanwhile stays, for another user too") { store in
            let dead = Plans.binding("ann", "phone", "a", "device-1", age: 60)
            try await store.bind(dead)
            let again = Plans.binding("bob", "phone", "a", "device-1", age: 10)
            try await store.bind(again)
            let moment = Plans.start.addingTimeInterval(-30)
            try await store.expect(0, retiring: [dead], unlessBoundAfter: moment)
            try await store.expect([again], of: ["bob"])
        },
        BindingStoreCheck("bindings that the store does not have count nothing") { store in
            let known = Plans.binding("ann", "phone", "a", "device-1", age: 60)
            try await store.bind(known)
            let unknown = [
                Plans.binding("ann", "phone", "b", "device-1", age: 60),
                Plans.binding("ann", "phone", "a", "device-2", age: 60),
            ]
            try await store.expect(0, retiring: unknown, unlessBoundAfter: Plans.start)
            try await store.expect(0, retiring: [], unlessBoundAfter: Plans.start)
            try await store.expect([known], of: ["ann"])
            try await store.expect(1, retiring: unknown + [known], unlessBoundAfter: Plans.start)
            try await store.expect([], of: ["ann"])
        },
        BindingStoreCheck("a binding that is given twice is counted once") { store in
            let binding = Plans.binding("ann", "phone", "a", "device-1", age: 60)
            try await store.bind(binding)
            try await store.expect(1, retiring: [binding, binding], unlessBoundAfter: Plans.start)
        },
        BindingStoreCheck("a retired target can be bound again") { store in
            let binding = Plans.binding("ann", nil, "a", "device-1", age: 60)
            try await store.bind(binding)
            try await store.expect(1, retiring: [binding], unlessBoundAfter: Plans.start)
            let again = Plans.binding("ann", "phone", "a", "device-1")
            try await store.bind(again)
            try await store.expect([again], of: ["ann"])
            try await store.expect([again], at: ["phone"])
        },
    ]
}

extension BindingStore {
    /// Expects that the users have exactly these bindings, each once.
    fileprivate func expect(
        _ expected: Set<Binding>, of users: [UserID], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let found = try await bindings(of: users)
        #expect(Set(found) == expected && found.count == expected.count, sourceLocation: sourceLocation)
    }

    /// Expects that the installations have exactly these bindings, each once.
    fileprivate func expect(
        _ expected: Set<Binding>, at installations: [InstallationID], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let found = try await bindings(ofInstallations: installations)
        #expect(Set(found) == expected && found.count == expected.count, sourceLocation: sourceLocation)
    }

    /// Expects that the store retires this many.
    fileprivate func expect(
        _ count: Int, retiring dead: [Binding], unlessBoundAfter moment: Date,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let retired = try await retire(dead.map { Retirement($0.way, unlessBoundAfter: moment) })
        #expect(retired == count, sourceLocation: sourceLocation)
    }
}

@Suite("Stores of bindings")
struct StoreTests {
    /// A way to create an empty store.
    struct Maker: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable () async throws -> any BindingStore
    }

    private static var makers: [Maker] {
        let memory = Maker(testDescription: "in memory") { MemoryBindingStore() }
        #if SQLite
            return [memory, Maker(testDescription: "in a file") { try TemporaryStore() }]
        #else
            return [memory]
        #endif
    }

    @Test("each store does what the protocol says", arguments: Self.makers, BindingStoreCheck.all)
    func store(maker: Maker, check: BindingStoreCheck) async throws {
        try await check.run(try await maker.make())
    }

    @Test("a store in memory takes bindings at its start, a later one in place of an earlier one")
    func initial() async {
        let new = Plans.binding("bob", "phone", "a", "device-1")
        let store = MemoryBindingStore([Plans.binding("ann", "phone", "a", "device-1", age: 60), new])
        let found = await store.bindings(of: ["ann", "bob"])
        #expect(found == [new])
    }
}
