import FoundationEssentials
import PushAdapter
import PushClient
import PushOutbox
import PushRouter
import PushSimulation
import TestSupport
import Testing

@Suite("What becomes of a message after the outcome at its first vendor, in an outbox", .timeLimit(.minutes(20)))
struct OutboxFailoverTests {
    @Test("the next vendor gets it only where the first one certainly did not take it", arguments: FailoverTests.rows)
    func table(row: FailoverTests.Row) async throws {
        let world = try Routed(.memory { $0.keys = .none }, .memory())
        row.arrange(world.sides[0])
        let report = try await world.carryOut()
        let exceptions = try await world.exceptions(report)
        let entries = await world.entries()
        if row.goesOn {
            #expect(entries == [0, 1] && world.sends == [1, 1])
            #expect(exceptions.map(\.route) == ["a"] && exceptions.map(\.wentOnAt) == ["b"])
            // Either the whole request failed, or the vendor named the target.
            #expect(exceptions.map(\.status) == [row.status])
            #expect(report.progress.accepted == 1 && report.progress.total == 1 && report.progress.pausedParts == [:])
            #expect(report.progress.targets[.moved] == 1)
        } else {
            #expect(entries[1] == 0 && world.sends[1] == 0 && entries[0] <= 1)
            #expect(exceptions.allSatisfy { $0.wentOnAt == nil })
            // Targets with an unknown outcome are not resent. The others are resent or wait for a person.
            let isOver = row.status == .unknown || row.status == .suspect
            #expect(report.progress.accepted == (isOver || row.endsList ? 0 : 1))
            #expect(report.progress.pausedParts.isEmpty == !row.endsList)
        }
    }

    @Test(
        "in a slice of single requests, only the installation that is concerned goes on", arguments: FailoverTests.rows)
    func single(row: FailoverTests.Row) async throws {
        let world = try Routed(.memory { ($0.takesOne, $0.keys) = (true, .none) }, .memory(), installations: 4)
        row.arrange(world.sides[0])
        let report = try await world.carryOut()
        for number in 0..<4 {
            let entries = await world.entries(of: number)
            #expect(entries.reduce(0, +) <= 1 && (row.goesOn || entries[1] == 0))
        }
        let moved = await world.installations(with: [0, 1])
        if row.goesOn {
            #expect(row.endsList ? moved == 4 : moved == 1)
            #expect(report.progress.accepted == 4)
        } else {
            #expect(moved == 0)
        }
    }

    @Test("without failover in the policy, nothing goes on", arguments: FailoverTests.rows.filter(\.goesOn))
    func never(row: FailoverTests.Row) async throws {
        let world = try Routed(.memory(), .memory())
        row.arrange(world.sides[0])
        _ = try await world.carryOut(over: world.router(.never))
        let entries = await world.entries()
        #expect(entries[1] == 0 && world.sends[1] == 0)
    }

    @Test("refused by both: the report has both reasons, and a third vendor gets nothing")
    func both() async throws {
        let world = try Routed(.memory(), .memory(), .memory())
        world.sides[0].say(.tooLong)
        world.sides[1].say(.tooLong)
        let report = try await world.carryOut()
        let exceptions = try await world.exceptions(report)
        #expect(exceptions.map(\.route) == ["a", "b"] && exceptions.map(\.wentOnAt) == ["b", nil])
        #expect(exceptions.map(\.status) == [.rejected(mayRetry: false), .rejected(mayRetry: false)])
        #expect(exceptions.map(\.position) == [0, 0] && world.sends == [1, 1, 0])
        #expect(report.progress.total == 1 && report.progress.state == .finished)
    }

    @Test("a refusal after a lost answer proves nothing", arguments: [Routed.Outspoken.Word.blocked, .dead, .tooLong])
    func refusedAfterLost(word: Routed.Outspoken.Word) async throws {
        let world = try Routed(.memory(), .memory())
        world.sides[0].fault(.actedThenLost)
        world.sides[0].say(word, times: 99)
        let report = try await world.carryOut()
        let entries = await world.entries()
        #expect(entries == [1, 0] && world.sends[0] >= 2 && world.sends[1] == 0)
        #expect(report.progress.accepted == 0)
    }

    @Test("what may have been sent goes nowhere else, also after somebody had it sent again")
    func sentAgain() async throws {
        let world = try Routed(.memory { $0.keys = .none }, .memory())
        world.sides[0].fault(.actedThenLost)
        world.sides[0].say(.dead)
        let outbox = try await world.enqueued()
        #expect(try await world.finish(outbox).progress.unknown == 1)
        #expect(try await outbox.resendUnknown("sale") == 1)
        let exceptions = try await world.exceptions(world.finish(outbox))
        #expect(exceptions.map(\.status) == [.invalid()] && exceptions.map(\.wentOnAt) == [nil])
        #expect(world.sends == [2, 0])
        let entries = await world.entries()
        #expect(entries == [1, 0])
    }

    @Test("while a vendor cannot be reached, everyone with another way gets the message there, and the others wait")
    func outage() async throws {
        // Installations from 90 on have only one route.
        let world = try Routed(
            .memory { $0.perRequest = 10 }, .memory(), installations: 100, isBound: { $1 == 0 || $0 < 90 })
        world.sides[0].detour.add(.refused, times: 200)
        let outbox = try await world.enqueued { $0.slicesInFlight = 1 }
        try await outbox.runUntilIdle()
        #expect(await world.installations(with: [0, 1]) == 90)
        // The outbox tried the vendor until the circuit opened.
        #expect(world.sends[0] == 3 && world.clock.elapsed < .seconds(10))
        #expect(try await outbox.progress(now: "sale").open == 10)
        world.sides[0].detour.clear()
        let report = try await world.finish(outbox)
        #expect(await world.installations(with: [1, 0]) == 10)
        #expect(await world.installations(with: [0, 1]) == 90)
        #expect(report.progress.accepted == 100 && report.progress.total == 100)
    }

    @Test("what goes on is cut for the vendor that gets it, and only what was sent can be unknown")
    func cut() async throws {
        let world = try Routed(
            .memory { $0.perRequest = 10 }, .memory { ($0.perRequest, $0.keys) = (4, .none) }, installations: 25)
        // Slices of 10, 10 and 5 become requests for 4, 4, 2, the same again, and 4 and 1.
        world.sides[0].say(.tooLong, times: 3)
        world.sides[1].fault(.actedThenLost)
        let report = try await world.carryOut()
        #expect(world.sends == [3, 8])
        #expect(report.progress.accepted == 21 && report.progress.unknown == 4)
        #expect(await world.installations(with: [0, 1]) == 25)
    }

    @Test("while a part of what goes on is on its way, only that may have been sent")
    func markedPart() async throws {
        let world = try Routed(
            .memory { $0.perRequest = 10 }, .memory { ($0.perRequest, $0.keys) = (4, .none) }, installations: 10)
        world.sides[0].say(.tooLong)
        world.sides[1].detour.add(.held)
        let store = MemoryOutboxStore()
        let outbox = try await world.enqueued(in: store)
        let work = Task { try await outbox.runUntilIdle() }
        await until { world.sends[1] != 0 }
        let campaign = try #require(await store.campaigns(.page(Campaign.live, before: nil, limit: 1)).first)
        #expect(await store.counts(of: campaign.id, part: nil).targets == [.moved: 10, .openAgain: 4, .open: 6])
        world.sides[1].detour.release()
        try await work.value
        #expect(await world.installations(with: [0, 1]) == 10)
    }

    @Test("a part whose answer is lost is sent again as it was, before the rest")
    func cutWithKeys() async throws {
        let world = try Routed(
            .memory { $0.perRequest = 10 }, .memory { ($0.perRequest, $0.keys) = (4, .caller) }, installations: 10)
        world.sides[0].say(.tooLong)
        world.sides[1].fault(.actedThenLost, times: 2)
        let report = try await world.carryOut()
        // Three times the same four targets, then the other six.
        #expect(world.sends == [1, 5])
        #expect(report.progress.accepted == 10)
        #expect(await world.installations(with: [0, 1]) == 10)
    }

    @Test("what went on and was not sent when the campaign was cancelled was not attempted, and counts once")
    func cancelled() async throws {
        let world = try Routed(.memory { $0.takesOne = true }, .memory(), installations: 4)
        world.sides[0].say(.dead)
        world.sides[0].fault(.throttle(reset: 30), times: 3)
        world.sides[1].fault(.throttle(reset: 30))
        let outbox = try await world.enqueued()
        try await outbox.runUntilIdle()
        // One target is dead at the first vendor, and its message waits for the second. The others wait for the first.
        try await outbox.cancel("sale")
        let report = try await outbox.report(of: "sale")
        let exceptions = try await world.exceptions(report)
        #expect(report.progress.total == 4 && report.progress.open == 4)
        #expect(exceptions.map(\.route) == ["a", "a", "a", "a", "b"])
        #expect(exceptions.map(\.wentOnAt) == ["b", nil, nil, nil, nil])
        #expect(
            exceptions.map(\.status) == [.invalid()] + [TargetStatus](repeating: .notAttempted, count: 4))
        #expect(exceptions.map(\.position) == [0, 1, 2, 3, 0] && world.sends[1] == 1)
    }

    @Test("targets that cannot be are refused, and nothing is kept")
    func badInput() async throws {
        let world = try Routed(.memory(), .memory { ($0.takesNotifications, $0.longestID) = (false, 4) })
        let router = try world.router()
        let outbox = PushOutbox(MemoryOutboxStore(), routes: router.routes, clock: world.clock)
        func refusal(
            _ target: RoutedTarget, over routes: [RouteName] = ["a", "b"], patience: Duration = .zero
        ) async -> PushError.Kind? {
            let stream = AsyncStream<RoutedTarget> { feed in
                feed.yield(target)
                feed.finish()
            }
            do throws(PushError) {
                try await outbox.enqueue(
                    Routed.message("Hello"), to: [.routed(stream, over: routes, patience: patience)], as: "sale")
                return nil
            } catch { return error.kind }
        }
        let a = RoutedTarget.Way(.device("a0"), at: "a")
        #expect(await refusal(RoutedTarget(a, or: a)) == .invalidArgument)
        #expect(await refusal(RoutedTarget(.init(.device("a0"), at: "c"))) == .invalidArgument)
        #expect(await refusal(RoutedTarget(a), over: ["b"]) == .invalidArgument)
        #expect(await refusal(RoutedTarget(a), over: []) == .invalidArgument)
        #expect(await refusal(RoutedTarget(a), over: ["a", "a"]) == .invalidArgument)
        #expect(await refusal(RoutedTarget(a), patience: .seconds(-1)) == .invalidArgument)
        // The second vendor would refuse the message or the target.
        #expect(await refusal(RoutedTarget(a, or: .init(.device("b0"), at: "b"))) == .unsupported)
        #expect(await refusal(RoutedTarget(a, or: .init(.device("b0000"), at: "b"))) == .tooLong)
        #expect(try await outbox.campaigns().isEmpty)
    }

    @Test("a plan with problems stops the campaign, unless the policy sends what can be sent")
    func problems() async throws {
        let world = try Routed(.memory(), .memory(), installations: 3)
        await world.store.bind(
            Binding(
                user: "u1", installation: "other", route: "gone", target: .device("x"), boundAt: Routed.firstBound))
        let strict = try world.router()
        let outbox = PushOutbox(MemoryOutboxStore(), routes: strict.routes, clock: world.clock)
        let error = await #expect(throws: PushError.self) { try await world.enqueue(outbox, strict) }
        #expect(error?.message.contains("gone") == true)
        #expect(try await outbox.campaigns().isEmpty)
        let plans = Locked<[RoutePlan]>([])
        let router = try world.router { $0.preflight = .whatCanBeSent }
        try await world.enqueue(outbox, router) { plan in plans.withLock { $0.append(plan) } }
        #expect(plans.withLock { $0.map(\.problems.count) } == [1])
        #expect(try await world.finish(outbox).progress.accepted == 3)
    }
}

extension Routed {
    /// Enqueues a campaign to all users.
    func enqueue(
        _ outbox: PushOutbox, _ router: PushRouter, onPlan: @escaping @Sendable (RoutePlan) -> Void = { _ in }
    ) async throws(PushError) {
        let users = AsyncStream<UserID> { feed in
            for number in 0..<count { feed.yield(UserID("u\(number)")) }
            feed.finish()
        }
        let message = Self.message("Hello")
        let targets = router.targets(message, to: users, onPlan: onPlan)
        try await outbox.enqueue(
            message, to: [.routed(targets, over: targets.routes, patience: targets.patience)], as: "sale")
    }

    /// An outbox with the campaign enqueued.
    func enqueued(
        over router: PushRouter? = nil, in store: MemoryOutboxStore = MemoryOutboxStore(),
        _ edit: (inout OutboxSettings) -> Void = { _ in }
    ) async throws(PushError) -> PushOutbox {
        let made = try self.router()
        let router = router ?? made
        var settings = OutboxSettings()
        edit(&settings)
        let outbox = PushOutbox(store, routes: router.routes, settings: settings, clock: clock)
        try await enqueue(outbox, router)
        return outbox
    }

    /// Carries the campaign out, and lets time pass, until nothing more happens by itself.
    func finish(_ outbox: PushOutbox) async throws(PushError) -> CampaignReport {
        for _ in 0..<60 {
            try await outbox.runUntilIdle()
            let progress = try await outbox.progress(now: "sale")
            if progress.state.isEnded || !progress.pausedParts.isEmpty { break }
            clock.advance(by: .seconds(300))
        }
        return try await outbox.report(of: "sale")
    }

    func carryOut(over router: PushRouter? = nil) async throws(PushError) -> CampaignReport {
        try await finish(enqueued(over: router))
    }

    func exceptions(_ report: CampaignReport) async throws -> [CampaignReport.Exception] {
        var found: [CampaignReport.Exception] = []
        for try await exception in report.exceptions { found.append(exception) }
        return found
    }
}
