import FoundationEssentials
import PushAdapter
import PushClient
import PushSimulation
import PushSimulationTesting
import PushStoreConformance
import TestSupport
import Testing

@testable import PushOutbox

/// Outcomes that the outbox cannot know, and outcomes that only look unknown.
@Suite("When an outbox cannot know", .timeLimit(.minutes(20)))
struct DoubtTests {
    // MARK: The vendor

    @Test("a request that carries no key is not sent again, although the vendor has keys")
    func withoutKey() async throws {
        let world = OutboxWorld(.vendor, devices: 3)
        let outbox = world.outbox(client: world.client(as: .withoutKeysInRequests))
        world.host.faults.add(.actedThenLost, times: 1, path: "/messages")
        try await world.enqueue(outbox)
        #expect(try await world.finish(outbox))
        #expect(await world.deliveries == [1, 1, 1])
        #expect(try await outbox.progress(now: "sale").unknown == 3)
    }

    @Test(
        "a repeat that the vendor refuses for good is not repeated: what may have been sent is unknown at once",
        arguments: [Keys.vendor, .caller], [true, false])
    func refusedForGood(_ keys: Keys, _ resends: Bool) async throws {
        let world = OutboxWorld(keys, devices: 3)
        let outbox = world.outbox()
        world.host.faults.add(.actedThenLost, times: 1, path: "/messages")
        world.host.faults.add(.answer(.json(["code": 1, "message": "m"], status: 400)), times: 1, path: "/messages")
        try await world.enqueue(outbox) { $0.afterUnknown = resends ? .resend : .report }
        #expect(try await world.finish(outbox))
        let progress = try await outbox.progress(now: "sale")
        #expect(progress.unknown == (resends ? 0 : 3) && progress.resent == (resends ? 3 : 0), "\(progress)")
        #expect(await world.deliveries == Array(repeating: resends ? 2 : 1, count: 3))
    }

    @Test(
        "where each target has a request of its own, a refusal after a lost answer does not say that nothing was sent")
    func refusedAgainSingly() async throws {
        let world = OutboxWorld(.noneSingly, devices: 1, missing: [0])
        let outbox = world.outbox()
        world.host.faults.add(.actedThenLost, times: 1, path: "/messages")
        try await world.enqueue(outbox) { $0.afterUnknown = .resend }
        #expect(try await world.finish(outbox))
        #expect(try await world.statuses(outbox) == [.unknown])
    }

    @Test(
        "a clock that was set back sends no key that the vendor may have forgotten", arguments: [Keys.vendor, .caller])
    func clockSetBack(_ keys: Keys) async throws {
        let world = OutboxWorld(keys, devices: 3)
        world.host.faults.add(.actedThenLost, times: 1, path: "/messages")
        let first = world.outbox()
        try await world.enqueue(first)
        try await first.runUntilIdle()
        #expect(try await first.progress(now: "sale").open == 3)
        // Two days pass, and the clock is set back by more than that.
        let early = VirtualClock(startingAt: world.clock.date.addingTimeInterval(-3_600))
        let client = world.client { $0.clock = early }
        let second = PushOutbox(world.store, routes: ["a": client], clock: early)
        for _ in 0..<60 {
            try await second.runUntilIdle()
            early.advance(by: .seconds(50))
        }
        #expect(try await second.progress(now: "sale").unknown == 3)
        #expect(await world.deliveries == [1, 1, 1])
    }

    /// The event while a slice waits to be resent with its key.
    enum Gap: String, CaseIterable {
        /// The clock is set back by less than the key's age, so its date looks young.
        case setBack
        /// The machine restarts, and its clock may have changed meanwhile.
        case restart
        /// The machine restarts, but dates come from the store's server.
        case restartByServer
        case nothing
    }

    @Test("a key is sent again only if its age is known", arguments: Gap.allCases)
    func ageOfKey(_ gap: Gap) async throws {
        let world = OutboxWorld(.caller, devices: 3)
        let clock = SkewedClock(world.clock)
        let store = gap == .restartByServer ? ForgetfulStore(world.store, lead: .zero) : world.store
        func outbox(boot: String) -> PushOutbox {
            PushOutbox(store, routes: ["a": world.client { $0.clock = clock }], clock: clock, boot: boot)
        }
        world.host.faults.add(.actedThenLost, times: 1, path: "/messages")
        let first = outbox(boot: "first")
        try await world.enqueue(first)
        try await first.runUntilIdle()
        #expect(try await first.progress(now: "sale").open == 3)
        if gap == .setBack {
            world.clock.advance(by: Self.longerThanKeys)
            clock.lead.withLock { $0 = 3_600 - Self.longerThanKeys.seconds }
        }
        let isRestarted = gap == .restart || gap == .restartByServer
        #expect(try await world.finish(outbox(boot: isRestarted ? "second" : "first")))
        let isKnown = gap == .nothing || gap == .restartByServer
        let progress = try await first.progress(now: "sale")
        #expect((progress.accepted, progress.unknown) == (isKnown ? (3, 0) : (0, 3)))
        #expect(await world.deliveries == [1, 1, 1])
    }

    @Test("nothing is sent with a key that was noted while the clock was set")
    func setWhileNoted() async throws {
        let world = OutboxWorld(.caller, devices: 3)
        let clock = SkewedClock(world.clock)
        let outbox = PushOutbox(
            ClockSetter(base: world.store, clock: clock), routes: ["a": world.client { $0.clock = clock }],
            clock: clock, boot: "first")
        try await world.enqueue(outbox)
        try await outbox.runUntilIdle()
        #expect(try await outbox.progress(now: "sale").open == 3)
        #expect(await world.deliveries == [0, 0, 0] && world.host.journal.count == 0)
    }

    @Test("a key does not outlive the vendor's memory, at whatever moment the clock is set", arguments: 1...24)
    func setAtAnyMoment(_ reading: Int) async throws {
        let world = OutboxWorld(.caller, devices: 3)
        let clock = SkewedClock(world.clock)
        world.host.faults.add(.actedThenLost, times: 1, path: "/messages")
        try await world.enqueue(world.outbox())
        clock.setBackAtReading.withLock { $0 = reading }
        let outbox = PushOutbox(
            world.store, routes: ["a": world.client { $0.clock = clock }], clock: clock, boot: "first")
        try await outbox.runUntilIdle()
        let campaign = try #require(try await world.store.campaigns(.named("sale")).first)
        for slice in try await world.store.waiting(of: campaign.id, after: nil, limit: 10) where slice.key != nil {
            let (usedAt, end) = (try #require(slice.keyUsedAt), try #require(slice.keyUntil))
            #expect(end.timeIntervalSince(usedAt) <= Self.memory)
        }
    }

    /// How long the memory vendor remembers a key.
    private static let memory: TimeInterval = 86_400

    /// Sets the clock back by eight hours before the first change is made.
    private struct ClockSetter: ForwardingOutboxStore {
        let base: any OutboxStore
        let clock: SkewedClock
        private let isSet = Locked(false)

        init(base: any OutboxStore, clock: SkewedClock) { (self.base, self.clock) = (base, clock) }

        func forward<Value: Sendable>(
            _ call: OutboxCall, _ body: @escaping @Sendable (any OutboxStore) async throws -> Value
        ) async throws -> Value {
            let isFirst = isSet.withLock { isSet in
                defer { isSet = isSet || call == .apply }
                return call == .apply && !isSet
            }
            if isFirst { clock.lead.withLock { $0 = -8 * 3_600 } }
            return try await body(base)
        }
    }

    // MARK: A worker that others count as gone

    private static let longerThanKeys = Duration.seconds(2 * 86_400)

    /// A worker's first response comes after another worker has taken over its work. Returns the resulting progress.
    private static func overtaken(
        _ world: OutboxWorld, after time: Duration = .zero, _ edit: (inout CampaignOptions) -> Void = { _ in },
        then act: @escaping @Sendable (PushOutbox) async throws -> Void = { _ in }
    ) async throws -> (then: CampaignProgress?, settled: Int) {
        let (events, then) = (Locked<[OutboxEvent]>([]), Locked<CampaignProgress?>(nil))
        let other = world.outbox()
        let client = world.client(whileAnswering: {
            world.clock.advance(by: time)
            await world.forgetProcesses()
            try? await other.runUntilIdle()
            try? await act(other)
            let progress = try? await other.progress(now: "sale")
            then.withLock { $0 = progress }
        })
        let outbox = PushOutbox(
            world.store, routes: ["a": client], settings: .reporting(to: events), clock: world.clock)
        try await world.enqueue(outbox, edit)
        try await outbox.runUntilIdle()
        let settled = events.withLock { $0.count { if case .settledLate = $0 { true } else { false } } }
        return (then.withLock { $0 }, settled)
    }

    @Test(
        "its answer settles what they called unknown, also after its key is forgotten",
        arguments: Keys.allCases.map { ($0, .zero) } + [Keys.vendor, .caller, .none].map { ($0, longerThanKeys) })
    func lateAnswer(_ keys: Keys, _ time: Duration) async throws {
        let world = OutboxWorld(keys, devices: 3)
        let (then, settled) = try await Self.overtaken(world, after: time)
        let hasKeys = (keys == .vendor || keys == .caller) && time == .zero
        #expect(then?.state == .finished && then?.unknown == (hasKeys ? 0 : 3))
        #expect(settled == (hasKeys ? 0 : 1))
        #expect(try await world.statuses(world.outbox()) == [nil, nil, nil])
        #expect(try await world.outbox().progress(now: "sale").accepted == 3)
        #expect(await world.deliveries == [1, 1, 1])
    }

    @Test(
        "a worker that is stopped for longer than its key lives, after its note, sends nothing with it",
        arguments: Keys.allCases, [true, false])
    func stopped(_ keys: Keys, _ isTaken: Bool) async throws {
        let world = OutboxWorld(keys, devices: 3)
        let life = Life(endingAt: .max)
        let other = world.outbox()
        let outbox = world.outbox(life)
        life.afterNote.withLock {
            $0 = {
                world.clock.advance(by: Self.longerThanKeys)
                guard isTaken else { return }
                await world.forgetProcesses()
                try? await other.runUntilIdle()
            }
        }
        try await world.enqueue(outbox)
        try await outbox.runUntilIdle()
        #expect(await world.deliveries == [0, 0, 0])
        #expect(try await world.finish(other))
        // The worker that took over cannot know that nothing was sent.
        let progress = try await other.progress(now: "sale")
        #expect(progress.unknown == (isTaken ? 3 : 0) && progress.accepted == (isTaken ? 0 : 3))
        #expect(await world.deliveries == (isTaken ? [0, 0, 0] : [1, 1, 1]))
    }

    /// Stops the process once, between the signature of a request and its note.
    private struct StopLayer: CallLayer {
        let stop: @Sendable () -> Void
        private let isDone = Locked(false)

        init(_ stop: @escaping @Sendable () -> Void) { self.stop = stop }

        func intercept<Output: Sendable>(
            _ call: Call<Output>, next: @Sendable (Call<Output>) async throws(PushError) -> Output
        ) async throws(PushError) -> Output {
            try await next(
                call.observed { event in
                    guard case .attemptStarted = event, !isDone.withLock({ $0 }) else { return }
                    isDone.withLock { $0 = true }
                    stop()
                })
        }
    }

    @Test(
        "a request that was signed before its worker was stopped is not sent after it, and the part goes on",
        arguments: Keys.allCases)
    func stoppedAfterSignature(_ keys: Keys) async throws {
        let world = OutboxWorld(keys, devices: 1)
        let outbox = world.outbox(
            client: world.client { configuration in
                configuration.layers = [StopLayer { world.clock.advance(by: Self.longerThanKeys) }]
            })
        try await world.enqueue(outbox)
        try await outbox.runUntilIdle()
        #expect(await world.deliveries == [0])
        #expect(try await outbox.progress(now: "sale").pausedParts.isEmpty)
        #expect(try await world.finish(outbox))
        #expect(await world.deliveries == [1])
    }

    @Test("its answer ends what they were to send again")
    func lateAnswerBeforeResend() async throws {
        let world = OutboxWorld(.none, devices: 3)
        let (then, settled) = try await Self.overtaken(world) { $0.afterUnknown = .resend }
        #expect(then?.open == 3 && then?.resent == 3 && settled == 1)
        #expect(try await world.finish(world.outbox()))
        #expect(await world.deliveries == [1, 1, 1])
        let progress = try await world.outbox().progress(now: "sale")
        #expect(progress.accepted == 3 && progress.resent == 0)
    }

    @Test("a lost answer does not undo that a person wants it sent again; an answer does")
    func lateAnswerAfterPerson() async throws {
        for isLost in [true, false] {
            let world = OutboxWorld(.none, devices: 3)
            if isLost { world.host.faults.add(.actedThenLost, times: 1, path: "/messages") }
            let (then, settled) = try await Self.overtaken(world) { _ in
            } then: { other in
                _ = try await other.resendUnknown("sale")
            }
            #expect(then?.open == 3 && then?.resent == 3 && settled == (isLost ? 0 : 1))
            #expect(try await world.finish(world.outbox()))
            #expect(await world.deliveries == Array(repeating: isLost ? 2 : 1, count: 3))
            let progress = try await world.outbox().progress(now: "sale")
            #expect(progress.accepted == 3 && progress.resent == (isLost ? 3 : 0))
        }
    }

    @Test("its refusal starts nothing that they have ended")
    func lateRefusal() async throws {
        let world = OutboxWorld(.none, devices: 3)
        world.host.faults.add(.throttle(reset: 4), times: 1, path: "/messages")
        let (then, settled) = try await Self.overtaken(world)
        #expect(then?.state == .finished && then?.unknown == 3 && settled == 0)
        #expect(try await world.finish(world.outbox()))
        #expect(await world.deliveries == [0, 0, 0])
        #expect(try await world.outbox().progress(now: "sale").unknown == 3)
    }

    @Test(
        "what waits behind a slow answer is noted again before it leaves, and stays if others have taken the slice",
        arguments: [true, false], [1, 3])
    func oldNote(_ isTaken: Bool, _ atOnce: Int) async throws {
        let world = OutboxWorld(.noneSingly, devices: 7)
        let other = world.outbox()
        // Few concurrent requests, so that the rest waits behind the first, under one note.
        let client = world.client(
            atOnce: atOnce,
            whileAnswering: {
                if isTaken {
                    await world.forgetProcesses()
                    try? await other.runUntilIdle()
                }
                // Last: it ends other requests, and those that take their places must find that the slice is taken.
                world.clock.advance(by: .seconds(25))
            })
        let outbox = world.outbox(client: client)
        try await world.enqueue(outbox)
        try await outbox.runUntilIdle()
        // If the time of a request passes during its note, nothing is sent; it is retried later.
        if !isTaken { #expect(try await world.finish(outbox)) }
        // Requests in flight at the takeover have reached the vendor. Waiting requests have not.
        let delivered = await world.deliveries.reduce(0, +)
        #expect(isTaken ? (1...atOnce).contains(delivered) : delivered == 7)
        let progress = try await outbox.progress(now: "sale")
        #expect(progress.unknown == (isTaken ? 7 : 0) && progress.accepted == (isTaken ? 0 : 7))
    }

    @Test("a worker that is told to end waits for what is on its way, and takes nothing more", arguments: Keys.allCases)
    func draining(_ keys: Keys) async throws {
        let world = OutboxWorld(keys)
        let shift = Shift()
        let client = world.client(
            atOnce: 1,
            whileAnswering: {
                shift.end()
                // By then, the worker has done everything that it does immediately when it is stopped.
                for _ in 0..<1_000 { await Task.yield() }
            })
        let outbox = world.outbox(client: client) { $0.slicesInFlight = 1 }
        try await world.enqueue(outbox)
        try await shift.begin(outbox).value
        let progress = try await outbox.progress(now: "sale")
        let sent = await world.deliveries.count { $0 == 1 }
        // With one request per target, the first note covers eight.
        let most = keys == .noneSingly ? 8 : OutboxWorld.perRequest
        #expect(progress.accepted == sent && progress.unknown == 0 && sent >= 1 && sent <= most)
        #expect(try await world.finish(world.outbox()))
        #expect(await world.deliveries.allSatisfy { $0 == 1 })
    }

    @Test("a campaign of a newer version is left to other workers, and waits for a person if there are none")
    func newer() async throws {
        for workers in [1, 2] {
            let world = OutboxWorld(.vendor, devices: 3)
            let store = ForgetfulStore(world.store, workers: workers)
            let events = Locked<[OutboxEvent]>([])
            let outbox = PushOutbox(
                store, routes: ["a": world.client()], settings: .reporting(to: events), clock: world.clock)
            var campaign = OutboxStoreCheck.campaign("newer")
            campaign.parts[0].route = "a"
            (campaign.createdAt, campaign.message) = (world.clock.date, Array(#"{"hologram":{}}"#.utf8))
            campaign.parts[0].notBefore = world.clock.date
            let id = try await store.create(campaign).campaign.id
            let slice = SliceRow(
                id: .init(campaign: id, part: 0, number: 0), notBefore: world.clock.date, outcomes: [.open])
            #expect(try await store.add([(slice, [])], to: id))
            #expect(try await store.activate(id))
            try await outbox.runUntilIdle()
            let progress = try await outbox.progress(now: "newer")
            #expect(progress.pausedParts.isEmpty == (workers > 1) && progress.open == 1)
            #expect(events.withLock { $0.contains { if case .unreadable("newer", _) = $0 { true } else { false } } })
        }
    }

    @Test(
        "a request that a client would split by now is not sent again under its key, as less",
        arguments: [Keys.vendor, .caller], [1, 2])
    func smallerRequests(_ keys: Keys, _ most: Int) async throws {
        for resends in [false, true] {
            let world = OutboxWorld(keys, devices: 3)
            try await world.enqueue(world.outbox()) { $0.afterUnknown = resends ? .resend : .report }
            await world.live(Life()) { try await $0.runUntilIdle() }
            #expect(await world.deliveries == [1, 1, 1])
            let outbox = world.outbox(client: world.client(perRequest: most))
            #expect(try await world.finish(outbox))
            let progress = try await outbox.progress(now: "sale")
            #expect(progress.unknown == (resends ? 0 : 3) && progress.resent == (resends ? 3 : 0))
            #expect(await world.deliveries == Array(repeating: resends ? 2 : 1, count: 3))
        }
    }

    @Test(
        "what may be sent once more is, also after hours of attempts with its key", arguments: [Keys.vendor, .caller])
    func longOutage(_ keys: Keys) async throws {
        let world = OutboxWorld(keys, devices: 3)
        world.host.faults.add(.actedThenLost, times: 1, path: "/messages")
        world.host.faults.add(.refusedStream, times: 100_000, path: "/messages")
        let outbox = world.outbox()
        try await world.enqueue(outbox) { $0.afterUnknown = .resend }
        for _ in 0..<60 {
            try await outbox.runUntilIdle()
            world.clock.advance(by: Self.longerThanKeys / 50)
        }
        #expect(try await outbox.progress(now: "sale").open == 3)
        world.host.faults.removeAll()
        #expect(try await world.finish(outbox))
        let progress = try await outbox.progress(now: "sale")
        #expect(progress.accepted == 3 && progress.resent == 3)
        #expect(await world.deliveries == [2, 2, 2])
    }

    @Test(
        "a clock that is set back while a route is passed over keeps no worker busy", arguments: [Keys.vendor, .caller])
    func clockSetBackAtOpenRoute(_ keys: Keys) async throws {
        let world = OutboxWorld(keys, devices: 30, hasSecond: true)
        let clock = SkewedClock(world.clock)
        let outbox = PushOutbox(
            world.store,
            routes: [
                "a": world.client { $0.clock = clock }, "b": world.client(of: world.second) { $0.clock = clock },
            ], clock: clock)
        // Three requests in a row are lost.
        world.host.faults.add(.actedThenLost, times: 100_000, path: "/messages")
        try await world.enqueue(outbox)
        try await outbox.runUntilIdle()
        #expect(outbox.circuit(of: "a").isOpen)
        clock.lead.withLock { $0 = -3_600 }
        try await outbox.runUntilIdle()
        world.host.faults.removeAll()
        #expect(try await world.finish(outbox))
        let (deliveries, statuses) = (await world.deliveries, try await world.statuses(outbox))
        for (count, status) in zip(deliveries, statuses) {
            #expect(status == nil ? count == 1 : status == .unknown && count <= 1)
        }
    }

    @Test("a key whose targets all have their outcome holds up no other target")
    func keyOfNobody() {
        var slice = SliceRow(
            id: .init(campaign: 1, part: 0, number: 0), notBefore: .distantPast, outcomes: [.openAgain, .open])
        (slice.state, slice.mayHaveActed, slice.marked) = (.leased, true, 1)
        (slice.key, slice.keyUntil, slice.keyUsedAt) = ("k", .distantFuture, .distantPast)
        let refused = TargetReport(position: 0, target: .alias("a"), status: .rejected(mayRetry: false))
        let said = SliceReport(
            index: 0, targetCount: 1, keying: .keyed(.vendor),
            error: PushError(.invalidArgument, "the adapter refuses it"),
            exceptions: [refused])
        let resending = SliceRow.Resending(
            isAllowed: false,
            now: Moment(date: .now, uptime: .init(boot: "a", elapsed: .zero), isByServer: false))
        _ = slice.settle(said, of: .init(indices: [0], isList: true) { _, _ in false }, resending, random: 0)
        #expect(slice.outcomes == [.unknown, .open] && slice.state == .ready)
        #expect(!slice.mayHaveActed && slice.key == nil && slice.marked == 0)
    }

    @Test(
        "what a person wants sent again keeps its place, while a part of it has a key",
        arguments: [Keys.vendor, .caller])
    func keyOfSome(_ keys: Keys) async throws {
        let world = OutboxWorld(keys, devices: 9)
        // One slice of nine targets, all with an unknown outcome.
        let many = world.outbox(client: world.client(as: .withoutKeysInRequests, perRequest: 9))
        world.host.faults.add(.actedThenLost, times: 1, path: "/messages")
        try await many.enqueue(OutboxWorld.message, to: [world.everyone], as: "sale")
        #expect(try await world.finish(many))
        #expect(try await many.resendUnknown("sale") == 9)
        world.clock.advance(by: .seconds(60))
        await world.live(Life()) { try await $0.runUntilIdle() }
        #expect(await world.deliveries == [2, 2, 2, 1, 1, 1, 1, 1, 1])
        #expect(try await world.finish(world.outbox()))
        #expect(await world.deliveries.allSatisfy { $0 == 2 })
        let progress = try await many.progress(now: "sale")
        #expect(progress.accepted == 9 && progress.resent == 9)
    }

    // MARK: A person

    @Test("what is on its way when a campaign is cancelled is unknown, also after a crash", arguments: Keys.allCases)
    func cancelledInFlight(_ keys: Keys) async throws {
        let world = OutboxWorld(keys)
        let person = world.outbox()
        try await world.enqueue(person)
        await world.live(Life()) { try await $0.runUntilIdle() }
        try await person.cancel("sale")
        let arrived = await world.deliveries
        func check() async throws {
            let statuses = try await world.statuses(person)
            for (count, status) in zip(arrived, statuses) where count > 0 { #expect(status == .unknown) }
            let unknown = statuses.count { $0 == .unknown }
            #expect(unknown < 10 && statuses.allSatisfy { $0 == .unknown || $0 == .notAttempted })
            let progress = try await person.progress(now: "sale")
            #expect(progress.unknown == unknown && progress.open == 10 - unknown)
        }
        #expect(arrived.contains(1))
        try await check()
        try await person.runUntilIdle()
        try await check()
        #expect(await world.deliveries == arrived)
    }

    @Test("what was refused before a crash is sent after it")
    func refusedBeforeCrash() async throws {
        let world = OutboxWorld(.noneSingly, devices: 400)
        world.host.faults.add(.throttle(reset: 0), times: 5, path: "/messages")
        await world.live(Life(endingAt: 300, after: true)) { outbox in
            try await world.enqueue(outbox)
            try await outbox.runUntilIdle()
            // The first attempt is a short one, and its slice waits after it.
            world.clock.advance(by: .seconds(600))
            try await outbox.runUntilIdle()
        }
        let bodies = world.host.journal.entries.filter { $0.fault != nil }
            .map { String(decoding: $0.request.body, as: UTF8.self) }
        let outbox = world.outbox()
        #expect(try await world.finish(outbox))
        let statuses = try await world.statuses(outbox)
        #expect(bodies.count == 5 && statuses.contains(.unknown))
        for (device, status) in zip(world.devices, statuses)
        where bodies.contains(where: { $0.contains(device.rawValue) }) {
            #expect(status == nil, "\(device) was refused, and got it later")
        }
    }

    @Test("a resend that was cut off goes on when it is asked for again")
    func cutOffResend() async throws {
        let world = OutboxWorld(.none, devices: 3)
        let store = ForgetfulStore(world.store)
        let outbox = world.outbox(over: store)
        world.host.faults.add(.actedThenLost, times: 1, path: "/messages")
        try await world.enqueue(outbox)
        #expect(try await world.finish(outbox))
        store.lose(.apply)
        await #expect(throws: PushError.self) { try await outbox.resendUnknown("sale") }
        #expect(try await outbox.progress(now: "sale").state == .finished)
        #expect(try await outbox.resendUnknown("sale") == 0)
        #expect(try await world.finish(outbox))
        let progress = try await outbox.progress(now: "sale")
        #expect(progress.accepted == 3 && progress.resent == 3)
    }

    // MARK: The store

    @Test(
        "a store that does what it is told and then fails loses nothing",
        arguments: ForgetfulStore.losable.filter { $0 != .orphans })
    func forgetful(_ call: OutboxCall) async throws {
        let world = OutboxWorld(.vendor)
        let store = ForgetfulStore(world.store)
        let outbox = world.outbox(over: store)
        let isEnqueuing = [.create, .add, .activate].contains(call)
        if isEnqueuing { store.lose(call) }
        do throws(PushError) {
            try await world.enqueue(outbox)
        } catch {
            #expect(call == .add)
            #expect(try await outbox.campaigns().isEmpty)
            try await world.enqueue(outbox)
        }
        if !isEnqueuing { store.lose(call, times: 2) }
        // A single process that never ends, so no other takes over its work.
        let worker = Task { try await outbox.run() }
        await until { (try? await world.outbox().progress(now: "sale").state) == .finished }
        worker.cancel()
        try await worker.value
        #expect(await world.deliveries.allSatisfy { $0 == 1 })
        #expect(try await world.outbox().progress(now: "sale").accepted == 10)
    }

    @Test("if a store fails while it activates a campaign, and cannot be read, the effect is unknown")
    func activation() async throws {
        let world = OutboxWorld(.vendor)
        let store = ForgetfulStore(world.store)
        store.lose(.activate)
        store.lose(.campaigns)
        let error = await #expect(throws: PushError.self) { try await world.enqueue(world.outbox(over: store)) }
        #expect(error?.effect == .unknown)
        // The campaign was activated. The same call finds it.
        try await world.enqueue(world.outbox())
        #expect(try await world.finish(world.outbox()))
        #expect(await world.deliveries.allSatisfy { $0 == 1 })
    }

    @Test("a stream that just ends when its reader is cancelled is no campaign")
    func cancelledStream() async throws {
        let world = OutboxWorld(.vendor)
        let outbox = world.outbox()
        let (devices, feed) = AsyncStream.makeStream(of: DeviceID.self)
        let enqueuing = Task {
            try await outbox.enqueue(OutboxWorld.message, to: [.devices(devices, at: "a")], as: "sale")
        }
        feed.yield(world.devices[0])
        await until { (try? await outbox.campaigns().isEmpty) == false }
        enqueuing.cancel()
        let result = await enqueuing.result
        let error = #expect(throws: PushError.self) { try result.get() }
        #expect(error?.kind == .cancelled)
        #expect(try await outbox.campaigns().isEmpty)
    }
}
