import FoundationEssentials
import PushAdapter
import PushRouter
import PushSimulation
import Testing

@Suite("Plans for a stream of users", .timeLimit(.minutes(20)))
struct StreamTests {
    private func stream(_ users: [UserID]) -> AsyncStream<UserID> {
        AsyncStream { continuation in
            for user in users { continuation.yield(user) }
            continuation.finish()
        }
    }

    private func read(
        _ users: [UserID], over router: PushRouter, usersPerPlan size: Int = 10
    ) async throws -> [RoutePlan] {
        var plans: [RoutePlan] = []
        for try await plan in router.plans(Plans.message, to: stream(users), usersPerPlan: size) { plans.append(plan) }
        return plans
    }

    @Test("a page has as many users as it should, and all pages together make the same choices as one plan")
    func pages() async throws {
        let users = (0..<2_345).map { UserID("user-\($0)") }
        let bindings = users.enumerated().flatMap { number, user in
            [
                Plans.binding(user, InstallationID("i\(number)"), "a", "a-\(number)"),
                Plans.binding(user, InstallationID("i\(number)"), "b", "b-\(number)", age: 5),
            ]
        }
        var policy = RoutingPolicy(order: ["b"])
        policy.migrations = [RouteMigration("to-a", from: "b", to: "a", .percent(30))]
        let store = Plans.RecordingStore(bindings)
        let router = try Plans.router(policy, store)
        let plans = try await read(users, over: router, usersPerPlan: 2_000)
        #expect(plans.map(\.choices.count) == [2_000, 345])
        let asked = await store.pages
        #expect(asked.sorted() == [345, 1_000, 1_000])
        let whole = try await router.plan(Plans.message, to: .users(users))
        #expect(plans.flatMap(\.choices) == Array(whole.choices))
        #expect(Set(whole.choices.map(\.binding.route)) == ["a", "b"])
    }

    @Test("nobody is in two pages: not a user who comes again, nor a phone that two users have")
    func repeated() async throws {
        let bindings = [
            Plans.binding("ann", "phone", "a", "device-1"), Plans.binding("bob", "phone", "b", "device-2"),
            Plans.binding("bob", "tablet", "a", "device-3"), Plans.binding("cid", "other", "a", "device-4"),
        ]
        let router = try Plans.router(RoutingPolicy(), Plans.CarelessStore(bindings))
        let plans = try await read(["ann", "bob", "ann", "cid", "bob"], over: router, usersPerPlan: 1)
        #expect(
            plans.map { $0.choices.compactMap(\.binding.installation) } == [["phone"], ["tablet"], [], ["other"], []])
        #expect(plans.allSatisfy(\.problems.isEmpty) && plans.allSatisfy { $0.unreachable.count == 0 })
    }

    @Test("an installation whose device is in an earlier page is left out and named")
    func sharedDevice() async throws {
        // A backend's own store may not keep targets unique.
        let bindings = [
            Plans.binding("ann", "phone", "a", "same", age: 9), Plans.binding("bob", "phone-2", "a", "same"),
            Plans.binding("bob", "phone-2", "b", "device-2"),
        ]
        let router = try Plans.router(RoutingPolicy(), Plans.CarelessStore(bindings))
        let plans = try await read(["ann", "bob"], over: router, usersPerPlan: 1)
        #expect(plans.map(\.choices.count) == [1, 0])
        #expect(plans[1].problems.map(\.binding?.installation) == ["phone-2"])
    }

    @Test("users without bindings are in the page they came in")
    func unreachable() async throws {
        let router = try Plans.router(
            RoutingPolicy(), MemoryBindingStore([Plans.binding("ann", nil, "a", "device-1")]))
        let plans = try await read(["nobody", "ann", "none", "nobody"], over: router, usersPerPlan: 2)
        #expect(plans.map(\.unreachable.users) == [["nobody"], ["none", "nobody"]])
        #expect(plans.map(\.choices.count) == [1, 0])
        let twice = try await read(["nobody", "ann", "nobody"], over: router)
        #expect(twice.map(\.unreachable.users) == [["nobody"]] && twice.map(\.choices.count) == [1])
        let empty = try await read([], over: router)
        #expect(empty.isEmpty)
    }

    @Test("after an error the same iterator goes on with the page that failed, and repeats no phone")
    func goesOn() async throws {
        let bindings = ["ann", "bob", "cid", "dan"].map { Plans.binding(UserID($0), InstallationID($0), "a", $0) }
        let store = Plans.UnreliableStore(MemoryBindingStore(bindings), failing: [2, 3])
        let router = try Plans.router(RoutingPolicy(), store)
        let users: [UserID] = ["ann", "bob", "cid", "ann", "dan"]
        var plans = router.plans(Plans.message, to: stream(users), usersPerPlan: 2).makeAsyncIterator()
        var names: [[InstallationID?]] = []
        var errors = 0
        while true {
            do {
                guard let plan = try await plans.next() else { break }
                names.append(plan.choices.map(\.binding.installation))
            } catch {
                errors += 1
                guard errors < 9 else { break }
            }
        }
        // Two pages are read at once, so both failures may concern pages that are read again after the first.
        #expect((1...2).contains(errors))
        #expect(names == [["ann", "bob"], ["cid"], ["dan"]])
    }

    @Test("a task that is cancelled ends a plan and plans with cancelled")
    func cancelled() async throws {
        let router = try Plans.router(RoutingPolicy(), Plans.EndlessStore())
        let (users, message) = (stream(["ann"]), Plans.message)
        let reads: [@Sendable () async throws -> Void] = [
            { for try await _ in router.plans(message, to: users) {} },
            { _ = try await router.plan(message, to: .users(["ann"])) },
        ]
        for read in reads {
            let task = Task { try await read() }
            task.cancel()
            let error = await #expect(throws: PushError.self) { try await task.value }
            #expect(error?.kind == .cancelled)
        }
    }

    @Test("a store or a stream that fails ends the plans with its error")
    func failures() async throws {
        let broken = try Plans.router(RoutingPolicy(), Plans.BrokenStore())
        let error = await #expect(throws: PushError.self) { try await read(["ann"], over: broken) }
        #expect(error?.kind == .invalidState && error?.underlying is Plans.BrokenStore.Failure)
        struct Broken: Error {}
        let stream = AsyncThrowingStream<UserID, any Error> { continuation in
            continuation.yield("ann")
            continuation.finish(throwing: Broken())
        }
        let router = try Plans.router()
        await #expect(throws: Broken.self) {
            for try await _ in router.plans(Plans.message, to: stream) {}
        }
    }
}

extension Plans {
    /// A store in which some reads fail, by their number from 1.
    actor UnreliableStore: ReadStore {
        struct Failure: Error {}

        private let base: MemoryBindingStore
        private let failing: Set<Int>
        private var reads = 0

        init(_ base: MemoryBindingStore, failing: Set<Int>) { (self.base, self.failing) = (base, failing) }

        func bindings(of users: [UserID]) async throws -> [Binding] {
            reads += 1
            guard !failing.contains(reads) else { throw Failure() }
            return await base.bindings(of: users)
        }
    }

    /// A store that does not respond until its task is cancelled.
    struct EndlessStore: ReadStore {
        func bindings(of users: [UserID]) async throws -> [Binding] {
            try await Task.sleep(for: .seconds(3_600))
            return []
        }
    }

    /// A store that keeps everything, even two bindings with one target.
    struct CarelessStore: ReadStore {
        let all: [Binding]

        init(_ all: [Binding]) { self.all = all }

        func bindings(of users: [UserID]) async throws -> [Binding] { all.filter { users.contains($0.user) } }
        func bindings(ofInstallations installations: [InstallationID]) async throws -> [Binding] {
            all.filter { binding in binding.installation.map { installations.contains($0) } ?? false }
        }
    }
}

/// A store that tests only read, by users.
private protocol ReadStore: BindingStore {}

extension ReadStore {
    func bindings(ofInstallations installations: [InstallationID]) async throws -> [Binding] { [] }
    func bindings(at ways: [RoutedTarget.Way]) async throws -> [Binding] { [] }
    func bind(_ binding: Binding) async throws {}
    func retire(_ retirements: [Retirement]) async throws -> Int { 0 }
    func noteAccepted(_ ways: [RoutedTarget.Way], at date: Date) async throws {}
    func coverage(of from: RouteName, and to: RouteName) async throws -> RouteCoverage {
        RouteCoverage(onlyFrom: 0, both: 0, onlyTo: 0)
    }
}
