import FoundationEssentials
import PushAdapter
import PushClient
import PushRouter
import PushSimulation
import TestSupport
import Testing

@Suite("What becomes of a message after the outcome at its first vendor", .timeLimit(.minutes(20)))
struct FailoverTests {
    /// An outcome at the first vendor, and the expected reaction with failover and a patience of 60 s.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let status: TargetStatus
        let goesOn: Bool
        /// The entries in the first vendor's inbox.
        let entries: Int
        /// Whether the outcome ends a whole list.
        let endsList: Bool
        let arrange: @Sendable (Routed.Side) -> Void

        init(
            _ name: String, _ status: TargetStatus, goesOn: Bool = false, entries: Int = 0, endsList: Bool = false,
            _ arrange: @escaping @Sendable (Routed.Side) -> Void
        ) {
            testDescription = name
            self.status = status
            self.goesOn = goesOn
            self.entries = entries
            self.endsList = endsList
            self.arrange = arrange
        }
    }

    static let rows: [Row] = [
        Row("accepted", .accepted, entries: 1) { _ in },
        Row("applied, although the call failed", .accepted, entries: 1) {
            $0.detour.add(.acted(PushError(.server, "it failed afterwards", effect: .applied)))
        },
        Row("the answer is lost", .unknown, entries: 1) { $0.fault(.actedThenLost) },
        Row("the answer is late", .unknown, entries: 1) { $0.fault(.actedThenLate(.seconds(60))) },
        Row("the answer is cut off", .unknown, entries: 1) { $0.fault(.truncated) },
        Row("the vendor hangs up", .unknown, entries: 1) { $0.fault(.hangUp(afterBytes: 3)) },
        Row("the answer is too long", .unknown, entries: 1) { $0.fault(.oversize(bytes: 2 << 20)) },
        Row("silence", .unknown) { $0.fault(.silence) },
        Row("an internal error", .unknown) { $0.fault(.serverError(status: 500)) },
        Row("a proxy's page", .unknown) { $0.fault(.html(status: 502)) },
        Row("gone", .invalid(), goesOn: true) { $0.say(.dead) },
        Row("gone since a date", .invalid(since: Routed.Outspoken.endOfDevice), goesOn: true) { $0.say(.deadSince) },
        Row("suspect", .suspect) { $0.say(.suspect) },
        Row("no connection", .notAttempted, goesOn: true) { $0.detour.add(.refused) },
        Row("a server that is not the right one", .notAttempted) {
            $0.detour.add(.failed(PushError(.transport, "its certificate is not trusted")))
        },
        Row("no token: its service does not work", .notAttempted, goesOn: true) {
            let cause = PushError(.server, "an internal error", retry: .backoff)
            $0.detour.add(.failed(PushError(.server, "no token", retry: .exhausted, underlying: cause)))
        },
        Row("no token: its service does not answer", .notAttempted, goesOn: true) {
            let cause = PushError(.timeout, "no response in time", retry: .backoff)
            $0.detour.add(.failed(PushError(.timeout, "no token", retry: .exhausted, underlying: cause)))
        },
        Row("no token: the key is wrong", .notAttempted, endsList: true) {
            let cause = PushError(.unauthorized, "no such key")
            $0.detour.add(.failed(PushError(.unauthorized, "no token", underlying: cause)))
        },
        Row("no time left on this machine", .notAttempted) {
            $0.detour.add(.failed(PushError(.timeout, "the deadline passed", retry: .backoff)))
        },
        Row("a refused stream", .notAttempted, goesOn: true) { $0.fault(.refusedStream) },
        Row("GOAWAY", .notAttempted, goesOn: true) { $0.fault(.goAway) },
        Row("blocked", .rejected(mayRetry: false), goesOn: true, endsList: true) { $0.say(.blocked) },
        Row("the quota is used up", .rejected(mayRetry: true), goesOn: true, endsList: true) {
            $0.say(.quotaExhausted)
        },
        Row("unauthorized", .rejected(mayRetry: false), endsList: true) { $0.say(.unauthorized) },
        Row("misconfigured", .rejected(mayRetry: false), endsList: true) { $0.say(.misconfigured) },
        Row("throttled for longer than the patience", .rejected(mayRetry: true), goesOn: true) {
            $0.fault(.throttle(reset: 120))
        },
        Row("throttled for an unknown time", .rejected(mayRetry: true)) { $0.fault(.throttle(reset: nil)) },
        Row("the message is refused", .rejected(mayRetry: false), goesOn: true) { $0.say(.tooLong) },
    ]
    private static let singleRows = rows.filter { !$0.endsList }
    private static let listRows = rows.filter(\.endsList)

    @Test("the next vendor gets the message only where the first one certainly did not take it", arguments: rows)
    func table(row: Row) async throws {
        let world = try Routed(.memory(), .memory())
        row.arrange(world.sides[0])
        let report = try await world.send(over: world.router())
        let outcome = try #require(report.outcomes.first)
        let statuses: [TargetStatus] = row.goesOn ? [row.status, .accepted] : [row.status]
        let routes: [RouteName] = row.goesOn ? ["a", "b"] : ["a"]
        #expect(outcome.attempts.map(\.status) == statuses && outcome.attempts.map(\.binding.route) == routes)
        #expect(world.sends == [1, row.goesOn ? 1 : 0])
        let entries = await world.entries()
        #expect(entries == [row.entries, row.goesOn ? 1 : 0])
        #expect(report.failedOver.count == (row.goesOn ? 1 : 0))
        #expect(report.accepted(at: "b") == (row.goesOn ? 1 : 0))
        // A dead token counts as dead even if another vendor took the message.
        #expect(report.dead.map(\.binding.route) == (row.status.isInvalid ? ["a"] : []))
        #expect(report.retryable().count == (!row.goesOn && row.status.isRetryable ? 1 : 0))
    }

    @Test("without failover, no outcome sends a message to another vendor", arguments: rows)
    func never(row: Row) async throws {
        let world = try Routed(.memory(), .memory())
        row.arrange(world.sides[0])
        let report = try await world.send(over: world.router(.never))
        #expect(report.outcomes.map { $0.attempts.map(\.status) } == [[row.status]])
        #expect(world.sends == [1, 0] && report.failedOver.isEmpty)
        let entries = await world.entries()
        #expect(entries == [row.entries, 0])
    }

    @Test("in a list, only the installation that is concerned goes on", arguments: singleRows)
    func list(row: Row) async throws {
        let world = try Routed(
            .memory { $0.takesOne = true }, .memory { $0.takesOne = true }, installations: 4)
        // One request at a time, so the first installation is affected.
        row.arrange(world.sides[0])
        let report = try await world.send(over: world.router())
        let first: [TargetStatus] = row.goesOn ? [row.status, .accepted] : [row.status]
        let others = [[TargetStatus]](repeating: [.accepted], count: 3)
        #expect(report.outcomes.map { $0.attempts.map(\.status) } == [first] + others)
        #expect(world.sends == [4, row.goesOn ? 1 : 0])
        let entries = await world.entries()
        #expect(entries == [row.entries, row.goesOn ? 1 : 0])
        for number in 1..<4 {
            let entries = await world.entries(of: number)
            #expect(entries == [1, 0])
        }
    }

    @Test("what ends a list goes on with all of it, or with nothing", arguments: listRows)
    func endOfList(row: Row) async throws {
        let world = try Routed(
            .memory { $0.takesOne = true }, .memory { $0.takesOne = true }, installations: 4)
        row.arrange(world.sides[0])
        let report = try await world.send(over: world.router())
        #expect(
            report.outcomes.map { $0.attempts[0].status } == [row.status, .notAttempted, .notAttempted, .notAttempted])
        #expect(world.sends == [1, row.goesOn ? 4 : 0])
        let moved = await world.installations(with: [0, 1])
        let unreached = await world.installations(with: [0, 0])
        #expect(moved == (row.goesOn ? 4 : 0) && unreached == 4 - moved)
        #expect(report.retryable().count == (row.goesOn ? 0 : row.status.isRetryable ? 4 : 3))
    }

    // MARK: Lost answers

    private static let losses: [Fault] = [.actedThenLost, .actedThenLate(.seconds(60)), .truncated, .silence]

    @Test(
        "a lost answer is never sent elsewhere, with keys and without",
        arguments: Routed.Keys.allCases, losses)
    func lost(keys: Routed.Keys, fault: Fault) async throws {
        let world = try Routed(.memory { $0.keys = keys }, .memory(), configure: { $0.retry = RetryPolicy() })
        world.sides[0].fault(fault, times: 9)
        let report = try await world.send(over: world.router())
        #expect(report.outcomes.map { $0.attempts.map(\.status) } == [[.unknown]])
        // With a key, the client retries the request at the same vendor.
        #expect(world.sends == [keys == .none ? 1 : 3, 0])
        let entries = await world.entries()
        #expect(entries == [fault == .silence ? 0 : 1, 0])
        #expect(report.retryable().isEmpty && report.dead.isEmpty)
    }

    @Test(
        "a refusal after a lost answer proves nothing",
        arguments: [Routed.Outspoken.Word.blocked, .quotaExhausted, .dead, .tooLong])
    func refusedAfterLost(word: Routed.Outspoken.Word) async throws {
        let world = try Routed(.memory(), .memory(), configure: { $0.retry = RetryPolicy() })
        world.sides[0].fault(.actedThenLost)
        world.sides[0].say(word, times: 9)
        let report = try await world.send(over: world.router())
        #expect(report.outcomes.map { $0.attempts.map(\.status) } == [[.unknown]])
        #expect(world.sends[0] >= 2 && world.sends[1] == 0 && report.dead.isEmpty)
        let entries = await world.entries()
        #expect(entries == [1, 0])
    }

    @Test("a lost answer that the client repeats with its key is accepted once")
    func repeated() async throws {
        let world = try Routed(.memory(), .memory(), configure: { $0.retry = RetryPolicy() })
        world.sides[0].fault(.actedThenLost)
        let report = try await world.send(over: world.router())
        #expect(report.accepted(at: "a") == 1 && world.sends == [2, 0])
        let entries = await world.entries()
        #expect(entries == [1, 0])
    }

    // MARK: Throttles

    @Test("a vendor that is throttled for less than the patience is waited for, and gets the message")
    func patience() async throws {
        let world = try Routed(.memory(), .memory())
        world.sides[0].fault(.throttle(reset: 30))
        let report = try await world.send(over: world.router())
        let outcome = try #require(report.outcomes.first)
        #expect(outcome.attempts.map(\.status) == [.rejected(mayRetry: true), .accepted])
        #expect(outcome.attempts.map(\.binding.route) == ["a", "a"] && report.failedOver.isEmpty)
        #expect(world.sends == [2, 0] && world.clock.elapsed == .seconds(30))
        let entries = await world.entries()
        #expect(entries == [1, 0])
    }

    @Test("a vendor that is throttled again after the wait is not waited for twice, and nothing goes on")
    func throttledAgain() async throws {
        let world = try Routed(.memory(), .memory())
        world.sides[0].fault(.throttle(reset: 30), times: 2)
        let report = try await world.send(over: world.router())
        #expect(
            report.outcomes.map { $0.attempts.map(\.status) } == [
                [.rejected(mayRetry: true), .rejected(mayRetry: true)]
            ])
        #expect(world.sends == [2, 0] && report.retryable().map(\.route) == ["a"])
        let entries = await world.entries()
        #expect(entries == [0, 0])
    }

    @Test(
        "a wait for a throttled vendor ends with the shutdown of its client, or with its task",
        arguments: [true, false])
    func endedWait(isShutDown: Bool) async throws {
        let world = try Routed(.memory(), .memory())
        world.sides[0].fault(.throttle(reset: 30))
        let (clock, isAsleep) = (StillClock(), Locked(false))
        clock.onSleep { isAsleep.withLock { $0 = true } }
        let routes = Dictionary(uniqueKeysWithValues: world.sides.map { ($0.route, $0.client) })
        let router = try PushRouter(
            routes: routes, bindings: world.store, policy: world.router().policy, clock: clock)
        let plan = try await world.plan(over: router)
        let task = Task { try await router.send(plan) }
        await until { isAsleep.withLock { $0 } }
        if isShutDown { await router.shutdownClients() } else { task.cancel() }
        let report = try await task.value
        let attempts = try #require(report.outcomes.first).attempts
        #expect(attempts.map(\.status) == [.rejected(mayRetry: true), .notAttempted] && world.sends == [1, 0])
        #expect(attempts.last?.failure?.kind == (isShutDown ? .stopped : .cancelled))
    }

    @Test("a vendor that is throttled for just as long as the patience is waited for")
    func exactPatience() async throws {
        let world = try Routed(.memory(), .memory())
        world.sides[0].fault(.throttle(reset: 60))
        let report = try await world.send(over: world.router())
        #expect(report.accepted(at: "a") == 1 && world.sends == [2, 0] && world.clock.elapsed == .seconds(60))
    }

    @Test("without patience, a throttled vendor is left at once")
    func impatience() async throws {
        let world = try Routed(.memory(), .memory())
        world.sides[0].fault(.throttle(reset: 1))
        let report = try await world.send(over: world.router(.whenNotApplied(patience: .zero)))
        #expect(report.accepted(at: "b") == 1 && world.sends == [1, 1] && world.clock.elapsed == .zero)
    }

    @Test("a second vendor that is throttled is waited for as well, and the first one gets nothing again")
    func secondThrottled() async throws {
        let world = try Routed(.memory(), .memory())
        world.sides[0].detour.add(.refused)
        world.sides[1].fault(.throttle(reset: 30))
        let report = try await world.send(over: world.router())
        #expect(report.outcomes.first?.attempts.map(\.binding.route) == ["a", "b", "b"])
        #expect(report.accepted(at: "b") == 1 && world.sends == [1, 2] && world.clock.elapsed == .seconds(30))
        let entries = await world.entries()
        #expect(entries == [0, 1])
    }

    // MARK: The second vendor

    @Test("refused by both: the report has both reasons, and a third vendor gets nothing")
    func noThirdLap() async throws {
        let world = try Routed(.memory(), .memory(), .memory())
        world.sides[0].say(.blocked)
        world.sides[1].detour.add(.refused)
        let report = try await world.send(over: world.router())
        let outcome = try #require(report.outcomes.first)
        #expect(outcome.attempts.map(\.binding.route) == ["a", "b"])
        #expect(outcome.attempts.map(\.failure?.kind) == [.blocked, .transport])
        #expect(outcome.attempts.map(\.status) == [.rejected(mayRetry: false), .notAttempted])
        #expect(report.retryable().map(\.route) == ["b"] && world.sends == [1, 1, 0])
        let entries = await world.entries()
        #expect(entries == [0, 0, 0])
    }

    @Test("a second vendor whose answer is lost is the last one")
    func secondLost() async throws {
        let world = try Routed(.memory(), .memory(), .memory())
        world.sides[0].detour.add(.refused)
        world.sides[1].fault(.actedThenLost)
        let report = try await world.send(over: world.router())
        #expect(report.outcomes.map { $0.attempts.map(\.status) } == [[.notAttempted, .unknown]])
        #expect(report.retryable().isEmpty && world.sends == [1, 1, 0])
        let entries = await world.entries()
        #expect(entries == [0, 1, 0])
    }

    @Test("a message that the second vendor would refuse stays refused by the first")
    func secondCannot() async throws {
        let world = try Routed(.memory(), .memory { $0.takesNotifications = false })
        world.sides[0].say(.tooLong)
        let report = try await world.send(over: world.router())
        #expect(report.outcomes.map { $0.attempts.map(\.status) } == [[.rejected(mayRetry: false)]])
        #expect(world.sends == [1, 0])
    }

    @Test("an installation with one binding keeps the outcome of that one")
    func oneBinding() async throws {
        let world = try Routed(.memory(), .memory(), isBound: { _, side in side == 0 })
        world.sides[0].detour.add(.refused)
        let report = try await world.send(over: world.router())
        #expect(report.outcomes.map { $0.attempts.map(\.status) } == [[.notAttempted]])
        #expect(report.retryable().map(\.route) == ["a"] && world.sends == [1, 0])
    }

    @Test("a recipient that is named twice gets one message")
    func namedTwice() async throws {
        let world = try Routed(.memory(), .memory())
        let router = try world.router()
        let both = world.sides.map { $0.binding(0, boundAt: Routed.firstBound) }
        let report = try await router.send(
            router.plan(Routed.message("Hello"), to: .bindings(both + both.reversed() + both)))
        #expect(report.outcomes.map { $0.attempts.map(\.status) } == [[.accepted]] && world.sends == [1, 0])
        let entries = await world.entries()
        #expect(entries == [1, 0])
    }
}

@Suite("What was not attempted stays with its vendor", .timeLimit(.minutes(20)))
struct NotAttemptedTests {
    @Test("a deadline that passes in the middle of a list moves nobody")
    func deadline() async throws {
        let world = try Routed(.memory { $0.takesOne = true }, .memory(), installations: 4)
        world.sides[0].detour.add(.slow(.seconds(3)), times: 9)
        let router = try world.router()
        let plan = try await world.plan(over: router)
        let report = try await router.send(plan, deadline: .seconds(5))
        #expect(report.outcomes.map(\.status) == [.accepted, .accepted, .notAttempted, .notAttempted])
        #expect(report.outcomes.allSatisfy { $0.attempts.count == 1 } && world.sends == [2, 0])
        #expect(report.retryable().map(\.installation) == [Routed.installation(2), Routed.installation(3)])
        #expect(report.outcomes[2].attempts[0].failure?.kind == .timeout)
    }

    @Test("a send that is cancelled moves nobody")
    func cancelled() async throws {
        let world = try Routed(.memory { $0.takesOne = true }, .memory(), installations: 4)
        world.sides[0].detour.add(.held)
        let router = try world.router()
        let plan = try await world.plan(over: router)
        let send = Task { try await router.send(plan) }
        await until { world.sends[0] == 1 }
        send.cancel()
        let report = try await send.value
        #expect(report.outcomes.map(\.status) == [.notAttempted, .notAttempted, .notAttempted, .notAttempted])
        #expect(report.retryable().count == 4 && world.sends == [1, 0])
        let untouched = await world.installations(with: [0, 0])
        #expect(untouched == 4)
    }

    @Test("a client that was shut down accepted nothing", arguments: [1, 250])
    func shutDown(count: Int) async throws {
        let world = try Routed(.memory(), .memory(), installations: count)
        let router = try world.router(.never)
        let plan = try await world.plan(over: router)
        await world.sides[0].client.shutdown()
        let report = try await router.send(plan)
        #expect(report.outcomes.count == count && report.accepted(at: "a") == 0)
        #expect(report.outcomes.allSatisfy { $0.status == .notAttempted })
        #expect(report.outcomes.allSatisfy { $0.attempts.first?.failure?.kind == .stopped })
        #expect(report.errors["a"]?.kind == .stopped && report.retryable().count == count)
    }

    @Test("a message that a client refuses as a whole is not accepted by it, and goes on where others take it")
    func refusedWhole() async throws {
        for failover in [RoutingPolicy.Failover.never, .whenNotApplied(patience: .zero)] {
            let world = try Routed(.memory { $0.takesNotifications = false }, .memory(), installations: 3)
            let router = try world.router(failover) { $0.preflight = .whatCanBeSent }
            let report = try await world.send(over: router)
            let goesOn = failover != .never
            #expect(report.accepted(at: "a") == 0 && report.errors["a"]?.kind == .unsupported)
            #expect(report.outcomes.allSatisfy { $0.attempts.first?.status == .rejected(mayRetry: false) })
            #expect(report.accepted(at: "b") == (goesOn ? 3 : 0) && world.sends == [0, goesOn ? 1 : 0])
            let reached = await world.installations(with: [0, 1])
            #expect(reached == (goesOn ? 3 : 0))
        }
    }

    @Test("a plan with a route that the router does not have is not reported as accepted")
    func foreignPlan() async throws {
        let world = try Routed(.memory(), .memory())
        let plan = try await world.plan(over: world.router())
        let other = try PushRouter(
            routes: ["b": world.sides[1].client], bindings: world.store, clock: world.clock)
        let report = try await other.send(plan)
        #expect(report.accepted(at: "a") == 0 && report.errors["a"]?.kind == .misconfigured && world.sends == [0, 0])
        #expect(report.outcomes.map(\.status) == [.notAttempted])
    }
}

@Suite("A wrong key, and vendors as they are", .timeLimit(.minutes(20)))
struct RoutedVendorTests {
    @Test("a wrong key moves nobody and retires nobody, and the other vendor's installations get theirs")
    func wrongKey() async throws {
        let world = try Routed(
            .memory { $0.hasWrongKey = true }, .memory(), installations: 250,
            isBound: { number, side in side == 1 || number < 240 }, configure: { $0.concurrentSlices = 1 })
        let router = try world.router()
        let report = try await world.send(over: router)
        #expect(report.accepted(at: "b") == 10 && report.failedOver.isEmpty)
        #expect(report.errors["a"]?.kind == .unauthorized && report.dead.isEmpty)
        let statuses = Set(report.outcomes.prefix(240).map(\.status))
        #expect(statuses == [.rejected(mayRetry: false), .notAttempted])
        // The first request showed the bad key; the other targets were not attempted.
        #expect(world.sends == [1, 1] && report.retryable().count == 140)
        let pruned = try await router.prune(report)
        #expect(pruned.retired == 0 && pruned.halted.isEmpty)
        let reached = await world.installations(with: [0, 1])
        #expect(reached == 10)
        let plan = try await world.plan(over: router)
        #expect(plan.choices.count { $0.binding.route == "a" } == 240)
    }

    @Test("JPush with a wrong key leaves its installations alone, and FCM gets its own")
    func wrongKeyOfJPush() async throws {
        let world = try Routed(
            .jpush(hasWrongKey: true), .fcm(), installations: 6, isBound: { number, side in side == 1 || number < 4 })
        let router = try world.router()
        let report = try await world.send(over: router)
        #expect(report.errors["a"]?.kind == .unauthorized && report.accepted(at: "b") == 2)
        #expect(report.failedOver.isEmpty && world.sends == [1, 2])
        let pruned = try await router.prune(report)
        #expect(pruned.retired == 0 && pruned.halted.isEmpty)
        let (reached, unreached) = (
            await world.installations(with: [0, 1]), await world.installations(with: [0, 0])
        )
        #expect(reached == 2 && unreached == 4)
    }

    @Test("FCM says that a token is gone: JPush gets the message at once, and the token is dead")
    func goneAtFCM() async throws {
        let world = try Routed(.fcm(), .jpush(), installations: 3)
        world.sides[0].fault(Self.fcm("UNREGISTERED", 404))
        let report = try await world.send(over: world.router())
        #expect(report.accepted(at: "a") == 2 && report.accepted(at: "b") == 1)
        #expect(report.dead.map(\.binding.route) == ["a"] && world.sends == [3, 1])
        let (first, second) = (await world.installations(with: [1, 0]), await world.installations(with: [0, 1]))
        #expect(first == 2 && second == 1)
    }

    @Test("FCM's token service is down: JPush gets the messages", arguments: [500, 503])
    func tokensAtFCM(status: Int) async throws {
        let world = try Routed(.fcm(), .jpush(), installations: 3)
        world.sides[0].host.faults.add(.serverError(status: status), times: 9, path: "/token")
        let report = try await world.send(over: world.router())
        #expect(report.accepted(at: "b") == 3 && report.failedOver.count == 3 && world.sends == [0, 1])
        #expect(report.outcomes.allSatisfy { $0.attempts.first?.failure?.kind == .server })
    }

    @Test("FCM says that a token is another project's: it is suspect, and JPush gets nothing")
    func suspectAtFCM() async throws {
        let world = try Routed(.fcm(), .jpush())
        world.sides[0].fault(Self.fcm("SENDER_ID_MISMATCH", 403))
        let report = try await world.send(over: world.router())
        #expect(report.outcomes.map { $0.attempts.map(\.status) } == [[.suspect]])
        #expect(report.dead.isEmpty && world.sends == [1, 0])
    }

    @Test("JPush blocks the app: FCM gets the messages")
    func blockedAtJPush() async throws {
        let world = try Routed(.jpush(), .fcm(), installations: 3)
        let body: JSONValue = ["error": ["code": 2003, "message": "blocked"]]
        world.sides[0].fault(.answer(SimulatedResponse(status: 403, body: JSONWriter.bytes(of: body))))
        let report = try await world.send(over: world.router())
        #expect(report.outcomes.allSatisfy { $0.attempts.map(\.failure?.kind) == [.blocked, nil] })
        #expect(report.accepted(at: "b") == 3 && world.sends == [1, 3])
        let reached = await world.installations(with: [0, 1])
        #expect(reached == 3)
    }

    @Test("JPush refuses a list because of one id: the others get theirs without it, and FCM has that one")
    func namedAtJPush() async throws {
        let world = try Routed(.jpush(), .fcm(), installations: 4)
        let id = world.sides[0].made.devices[2].rawValue
        let body: JSONValue = [
            "error": ["code": 1003, "message": "refused", "illegal_rids": .array([.string(id)])]
        ]
        world.sides[0].fault(.answer(SimulatedResponse(status: 400, body: JSONWriter.bytes(of: body))))
        let report = try await world.send(over: world.router())
        let again: [TargetStatus] = [.rejected(mayRetry: true), .accepted]
        #expect(report.outcomes.map { $0.attempts.map(\.status) } == [again, again, [.invalid(), .accepted], again])
        #expect(report.outcomes.map(\.isFailedOver) == [false, false, true, false])
        #expect(world.sends == [2, 1] && report.dead.map(\.binding.installation) == [Routed.installation(2)])
        let (first, second) = (await world.installations(with: [1, 0]), await world.installations(with: [0, 1]))
        #expect(first == 3 && second == 1)
    }

    @Test("a vendor that names one id a request is asked again for the rest, ten times at most", arguments: [3, 20])
    func namedOften(count: Int) async throws {
        let world = try Routed(.jpush(), .fcm(), installations: count)
        for number in 0..<count - 1 {
            let id = world.sides[0].made.devices[number].rawValue
            let body: JSONValue = [
                "error": ["code": 1003, "message": "refused", "illegal_rids": .array([.string(id)])]
            ]
            world.sides[0].fault(.answer(SimulatedResponse(status: 400, body: JSONWriter.bytes(of: body))))
        }
        let report = try await world.send(over: world.router())
        #expect(world.sends[0] == min(count, 11) && report.accepted(at: "b") == min(count - 1, 11))
        #expect(report.accepted(at: "a") == (count == 3 ? 1 : 0))
        #expect(report.retryable().count == (count == 3 ? 0 : 9))
    }

    @Test("who no vendor took, and one did not see, may be sent to again")
    func retryableAtFirst() async throws {
        let world = try Routed(.memory(), .memory())
        world.sides[0].detour.add(.refused)
        world.sides[1].say(.dead)
        let report = try await world.send(over: world.router())
        #expect(report.outcomes.map { $0.attempts.map(\.status) } == [[.notAttempted, .invalid()]])
        #expect(report.retryable().map(\.route) == ["a"] && report.dead.map(\.binding.route) == ["b"])
    }

    @Test("a throttled JPush is waited for, or FCM gets the messages", arguments: [30, 90])
    func throttledAtJPush(seconds: Int) async throws {
        let world = try Routed(.jpush(), .fcm(), installations: 3)
        world.sides[0].fault(.throttle(reset: seconds))
        let report = try await world.send(over: world.router())
        let waits = seconds == 30
        #expect(report.accepted(at: waits ? "a" : "b") == 3 && world.sends == (waits ? [2, 0] : [1, 3]))
        let reached = await world.installations(with: waits ? [1, 0] : [0, 1])
        #expect(reached == 3 && (world.clock.elapsed >= .seconds(30)) == waits)
    }

    @Test("a lost answer of JPush or FCM is sent nowhere else", arguments: [true, false])
    func lost(isJPushFirst: Bool) async throws {
        let world =
            try isJPushFirst ? Routed(.jpush(), .fcm(), installations: 2) : Routed(.fcm(), .jpush(), installations: 2)
        world.sides[0].fault(.actedThenLost, times: 9)
        let report = try await world.send(over: world.router())
        #expect(report.outcomes.map { $0.attempts.map(\.status) } == [[.unknown], [.unknown]])
        #expect(world.sends[1] == 0)
        let reached = await world.installations(with: [1, 0])
        #expect(reached == 2)
    }

    /// A refused send, in FCM's form.
    private static func fcm(_ code: String, _ status: Int) -> Fault {
        let detail: JSONValue = [
            "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode": .string(code),
        ]
        let body: JSONValue = ["error": ["message": "refused", "status": "NOT_FOUND", "details": [detail]]]
        return .answer(SimulatedResponse(status: status, body: JSONWriter.bytes(of: body)))
    }
}
