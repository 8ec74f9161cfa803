import FoundationEssentials
import PushAdapter
import PushClient
import PushOutbox
import PushSimulation
import TestSupport
import Testing

@Suite("Campaigns of an outbox")
struct CampaignTests {
    // MARK: Enqueuing

    @Test(
        "a name has 1 to 200 bytes and no control characters",
        arguments: ["", String(repeating: "é", count: 101), "a\n", "a\u{1B}[2J", "\u{7F}", "\u{9B}2J"])
    func names(_ name: String) async throws {
        let world = OutboxWorld(.none, devices: 1)
        let error = await #expect(throws: PushError.self) {
            try await world.enqueue(world.outbox(), as: CampaignName(name))
        }
        #expect(
            error?.kind == .invalidArgument
                && error?.message.unicodeScalars.allSatisfy { $0.value > 0x9F || (0x20..<0x7F).contains($0.value) }
                    == true
        )
    }

    @Test("the same name again is the same campaign, and its stream is not read")
    func sameName() async throws {
        let world = OutboxWorld(.vendor, hasSecond: true)
        let outbox = world.outbox()
        let reads = Locked(0)
        @Sendable func enqueue(
            _ text: String, at route: RouteName = "a", notBefore: Date? = nil
        ) async throws(PushError) {
            let devices = world.devices
            let stream = AsyncStream<DeviceID>(unfolding: {
                reads.withLock { count in
                    defer { count += 1 }
                    return count < devices.count ? devices[count] : nil
                }
            })
            try await outbox.enqueue(
                Message(notification: Notification(body: text)),
                to: [.devices(stream, at: route, notBefore: notBefore)], as: "sale")
        }
        try await enqueue("Hello")
        try await enqueue("Hello")
        let others: [(String, RouteName, Date?)] = [
            ("Other", "a", nil), ("Hello", "b", nil), ("Hello", "a", Date(timeIntervalSince1970: 0)),
        ]
        for (text, route, date) in others {
            let error = await #expect(throws: PushError.self) { try await enqueue(text, at: route, notBefore: date) }
            #expect(error?.kind == .invalidArgument)
            #expect(error?.message.contains("\"sale\"") == true)
        }
        #expect(reads.withLock { $0 } == world.devices.count + 1)
        let progress = try await outbox.progress(now: "sale")
        #expect(progress.open == 10 && progress.slices == [.ready: 4])
        #expect(try await world.finish(outbox))
        let deliveries = await world.deliveries
        #expect(deliveries == Array(repeating: 1, count: 10))
        // An ended campaign still owns its name.
        try await enqueue("Hello")
        #expect(try await outbox.campaigns().count == 1)
    }

    @Test("a name that is being loaded is refused until it is; each campaign makes keys of its own")
    func loading() async throws {
        let world = OutboxWorld(.caller)
        let outbox = world.outbox()
        let (devices, feed) = AsyncStream.makeStream(of: DeviceID.self)
        let enqueuing = Task {
            try await outbox.enqueue(OutboxWorld.message, to: [.devices(devices, at: "a")], as: "sale")
        }
        feed.yield(world.devices[0])
        await until { (try? await outbox.campaigns().isEmpty) == false }
        let error = await #expect(throws: PushError.self) { try await world.enqueue(outbox) }
        #expect(error?.kind == .invalidState)
        feed.finish()
        try await enqueuing.value
        try await world.enqueue(outbox, as: "other")
        let seeds = Set(try await outbox.campaigns().map(\.seed))
        #expect(seeds.count == 2 && seeds.allSatisfy { $0.count >= 32 })
    }

    @Test("repeated and malformed targets are in the report, with their positions")
    func leftOut() async throws {
        let world = OutboxWorld(.vendor, devices: 5)
        let outbox = world.outbox()
        let bad = DeviceID("no\u{0}device")
        var devices = world.devices
        devices.insert(devices[0], at: 2)
        devices.insert(bad, at: 4)
        try await outbox.enqueue(OutboxWorld.message, to: [.audience(.devices(devices), at: "a")], as: "sale")
        #expect(try await world.finish(outbox))
        var found: [(Int, TargetStatus)] = []
        for try await item in try await outbox.report(of: "sale").exceptions {
            found.append((item.position, item.status))
        }
        #expect(found.map(\.0) == [2, 4])
        #expect(found.first?.1 == .duplicate(of: 0))
        guard case .malformed(let reason) = found.last?.1 else {
            Issue.record("\(found)")
            return
        }
        #expect(reason.contains("U+0000") && !reason.contains("device\u{0}"))
        let progress = try await outbox.progress(now: "sale")
        #expect(progress.targets[.malformed] == 1 && progress.targets[.invalid] == nil)
        #expect(progress.accepted == 5 && progress.total == 7 && progress.state == .finished)
    }

    @Test("each part has a route, two may have one, and who is in two parts gets the message twice")
    func parts() async throws {
        let world = OutboxWorld(.vendor, devices: 9, hasSecond: true)
        let outbox = world.outbox()
        let devices = world.devices
        try await outbox.enqueue(
            OutboxWorld.message,
            to: [
                .audience(.devices(Array(devices[..<4])), at: "a"), .audience(.devices(Array(devices[3..<6])), at: "a"),
                .audience(.devices(Array(devices[6...])), at: "b"),
            ], as: "sale")
        #expect(try await world.finish(outbox))
        #expect(await world.deliveries == [1, 1, 1, 2, 1, 1, 1, 1, 1])
        #expect((world.second?.journal.count ?? 0) > 0)
        #expect(try await outbox.progress(now: "sale").accepted == 10)
    }

    @Test("of accepted targets, nothing stays in the store")
    func payload() async throws {
        let world = OutboxWorld(.vendor, missing: [4])
        let outbox = world.outbox()
        try await world.enqueue(outbox)
        let id = try await outbox.campaigns()[0].id
        func bytes() async throws -> Int {
            let all = Set((0...255).map { SliceRow.Outcome(rawValue: $0) })
            return try await world.store.slices(of: id, with: all, after: nil, limit: 100).reduce(0) {
                $0 + $1.targets.count
            }
        }
        let before = try await bytes()
        #expect(try await world.finish(outbox))
        // The store keeps the targets that the report names, and the first bytes of each slice.
        #expect(try await bytes() < before / 3)
        #expect(try await world.statuses(outbox).count { $0 != nil } >= 1)
    }

    @Test("a report of more slices than a page names each target once, in order")
    func pages() async throws {
        let world = OutboxWorld(.none, devices: 330, missing: Set(0..<330))
        let outbox = world.outbox()
        try await world.enqueue(outbox)
        #expect(try await world.finish(outbox))
        var positions: [Int] = []
        for try await item in try await outbox.report(of: "sale").exceptions {
            #expect(item.status == .rejected(mayRetry: false))
            positions.append(item.position)
        }
        #expect(positions == Array(0..<330))
    }

    @Test("only a bulk campaign leaves a tenth of the quotas to others", arguments: CampaignOptions.Priority.allCases)
    func bulk(_ priority: CampaignOptions.Priority) async throws {
        /// Grants everything, and records the requested quotas.
        actor Spy: SharedQuota {
            private(set) var asked: Set<QuotaBucket> = []
            func take(_ count: Int, from bucket: QuotaBucket, _ quota: Quota) -> Duration {
                asked.insert(bucket)
                return .zero
            }
            func correct(_ bucket: QuotaBucket, _ quota: Quota, remaining: Int, pausedFor pause: Duration) {}
        }
        let (world, spy) = (OutboxWorld(.none), Spy())
        let outbox = world.outbox(client: world.client { $0.sharedQuota = spy })
        try await world.enqueue(outbox) { $0.priority = priority }
        #expect(try await world.finish(outbox))
        #expect(await spy.asked == (priority == .bulk ? ["calls", "calls.bulk"] : ["calls"]))
    }

    @Test("a campaign does not ask a vendor again before midnight, when its quota is whole")
    func usedUp() async throws {
        let world = OutboxWorld(.caller)
        let outbox = world.outbox()
        let midnight = CalendarDay.china.end(after: world.clock.date)
        let usedUp: JSONValue = ["code": 11, "message": "used up"]
        world.host.faults.add(.answer(.json(usedUp, status: 403)), times: .max, path: "/messages")
        try await world.enqueue(outbox)
        try await outbox.runUntilIdle()
        #expect(try await outbox.progress(now: "sale").open == 10)
        let asked = world.host.journal.count
        #expect((1...4).contains(asked))
        for part in [0.5, 0.9] {
            world.clock.advance(by: .seconds(midnight.timeIntervalSince(world.clock.date) * part))
            try await outbox.runUntilIdle()
        }
        #expect(world.clock.date < midnight && world.host.journal.count == asked)
        world.host.faults.removeAll()
        world.clock.advance(by: .seconds(midnight.timeIntervalSince(world.clock.date) + 1))
        #expect(try await world.finish(outbox))
        #expect(await world.deliveries == Array(repeating: 1, count: 10))
    }

    @Test("the vendor keeps a message no longer than the campaign lives")
    func timeToLive() async throws {
        let world = OutboxWorld(.vendor)
        let outbox = world.outbox()
        var message = OutboxWorld.message
        for (own, expiry, kept) in [(3_600, 60, 60), (30, 60, 30), (nil, 60, nil), (3_600, nil, 3_600)]
            as [(Int?, Int?, Int?)]
        {
            message.timeToLive = own.map { .seconds($0) }
            var options = CampaignOptions()
            options.expiry = expiry.map { .seconds($0) }
            let name = CampaignName("\(own ?? 0) \(expiry ?? 0)")
            try await outbox.enqueue(
                message, to: [.audience(.devices(world.devices), at: "a")], as: name, options: options)
            let stored = try await world.store.campaigns(.named(name))[0].message
            let read = try JSONDecoder().decode(Message.self, from: Data(stored))
            #expect(read.timeToLive == kept.map { .seconds($0) })
        }
    }

    @Test("bad input is named, and leaves nothing behind")
    func badInput() async throws {
        let world = OutboxWorld(.vendor)
        let outbox = world.outbox()
        let list = CampaignPart.audience(.devices(world.devices), at: "a")
        func kind(
            _ parts: [CampaignPart], _ name: CampaignName = "sale", _ message: Message = OutboxWorld.message,
            _ edit: (inout CampaignOptions) -> Void = { _ in }
        ) async -> PushError.Kind? {
            var options = CampaignOptions()
            edit(&options)
            do throws(PushError) {
                try await outbox.enqueue(message, to: parts, as: name, options: options)
                return nil
            } catch { return error.kind }
        }
        let broken = AsyncThrowingStream<DeviceID, any Error> { feed in
            for device in world.devices { feed.yield(device) }
            feed.finish(throwing: CancellationError())
        }
        #expect(await kind([]) == .invalidArgument)
        #expect(await kind([.audience(.devices([]), at: "a")]) == .invalidArgument)
        #expect(await kind([.audience(.devices(world.devices), at: "nowhere")]) == .invalidArgument)
        #expect(await kind([list], "") == .invalidArgument)
        #expect(await kind([list], CampaignName(String(repeating: "n", count: 201))) == .invalidArgument)
        #expect(await kind([list], "sale", Message()) == .invalidArgument)
        #expect(await kind([list]) { $0.expiry = .zero } == .invalidArgument)
        #expect(await kind([list]) { $0.keeps = .seconds(-1) } == .invalidArgument)
        #expect(await kind([list]) { $0.keepsName = .seconds(-1) } == .invalidArgument)
        #expect(await kind([.devices(broken, at: "a")]) == .cancelled)
        #expect(try await outbox.campaigns().isEmpty)
        let error = await #expect(throws: PushError.self) {
            try await PushOutbox(MemoryOutboxStore(), routes: [:]).runUntilIdle()
        }
        #expect(error?.kind == .misconfigured)
    }

    @Test("a full outbox takes no more")
    func backPressure() async throws {
        let world = OutboxWorld(.vendor)
        let outbox = world.outbox { $0.maxWaitingTargets = 9 }
        try await world.enqueue(outbox)
        let error = await #expect(throws: PushError.self) { try await world.enqueue(outbox, as: "more") }
        #expect(error?.kind == .busy)
        #expect(try await world.finish(outbox))
        try await world.enqueue(outbox, as: "more")
    }

    // MARK: Operating

    @Test("a paused campaign sends nothing; resumed, it goes on")
    func pausing() async throws {
        let world = OutboxWorld(.vendor)
        let outbox = world.outbox()
        try await world.enqueue(outbox)
        try await outbox.pause("sale")
        try await outbox.runUntilIdle()
        #expect(await world.deliveries.allSatisfy { $0 == 0 })
        try await outbox.resume("sale")
        #expect(try await world.finish(outbox))
        #expect(await world.deliveries.allSatisfy { $0 == 1 })
        let error = await #expect(throws: PushError.self) { try await outbox.pause("sale") }
        #expect(error?.kind == .invalidState)
        await #expect(throws: PushError.self) { try await outbox.pause("nothing of that name") }
    }

    @Test("what a cancelled or late campaign has not sent is not attempted", arguments: [true, false])
    func ending(_ isCancelled: Bool) async throws {
        let world = OutboxWorld(.vendor)
        let outbox = world.outbox()
        try await world.enqueue(outbox) { $0.expiry = .seconds(60) }
        if isCancelled { try await outbox.cancel("sale") } else { world.clock.advance(by: .seconds(60)) }
        try await outbox.runUntilIdle()
        let progress = try await outbox.progress(now: "sale")
        #expect(progress.state == (isCancelled ? .cancelled : .expired))
        let statuses = try await world.statuses(outbox)
        #expect(statuses == Array(repeating: .notAttempted, count: 10))
        #expect(await world.deliveries.allSatisfy { $0 == 0 })
        await #expect(throws: PushError.self) { try await outbox.resume("sale") }
    }

    @Test(
        "what may have been sent is unknown, not unattempted, when the campaign ends first",
        arguments: [Keys.vendor, .none])
    func endingInBetween(_ keys: Keys) async throws {
        let world = OutboxWorld(keys, devices: 3)
        let outbox = world.outbox()
        world.host.faults.add(.actedThenLost, times: 1, path: "/messages")
        try await world.enqueue(outbox) { $0.afterUnknown = .resend }
        try await outbox.runUntilIdle()
        #expect(try await outbox.progress(now: "sale").open == 3)
        try await outbox.cancel("sale")
        let progress = try await outbox.progress(now: "sale")
        #expect(progress.unknown == 3 && progress.open == 0)
        #expect(try await world.statuses(outbox) == [.unknown, .unknown, .unknown])
        var count = 0
        for try await item in try await outbox.report(of: "sale").exceptions(only: [.unknown]) where item.position < 3 {
            count += 1
        }
        #expect(count == 3)
    }

    @Test("a refusal of what was sent again does not say that nothing was sent")
    func refusedAgain() async throws {
        let world = OutboxWorld(.none, devices: 3)
        let outbox = world.outbox()
        world.host.faults.add(.actedThenLost, times: 1, path: "/messages")
        world.host.faults.add(.throttle(reset: nil), times: 100, path: "/messages")
        try await world.enqueue(outbox) { $0.afterUnknown = .resend }
        #expect(try await world.finish(outbox))
        #expect(try await world.statuses(outbox) == [.unknown, .unknown, .unknown])
        #expect(await world.deliveries == [1, 1, 1])
    }

    @Test("unknown targets are resent where each has a request of its own, too")
    func resendingSingly() async throws {
        let world = OutboxWorld(.noneSingly)
        let outbox = world.outbox()
        world.host.faults.add(.actedThenLost, times: 2, path: "/messages")
        try await world.enqueue(outbox) { $0.afterUnknown = .resend }
        #expect(try await world.finish(outbox))
        let progress = try await outbox.progress(now: "sale")
        #expect(progress.accepted == 10 && progress.resent == 2)
        #expect(await world.deliveries.reduce(0, +) == 12)
    }

    @Test("a client that was shut down refuses nobody, and is not asked without end")
    func clientIsGone() async throws {
        let world = OutboxWorld(.none)
        let client = world.client()
        let outbox = world.outbox(client: client)
        try await world.enqueue(outbox)
        await client.shutdown()
        try await outbox.runUntilIdle()
        #expect(try await outbox.progress(now: "sale").open == 10)
        #expect(try await world.finish(world.outbox()))
        #expect(await world.deliveries.allSatisfy { $0 == 1 })
    }

    @Test("a part waits for its time")
    func notBefore() async throws {
        let world = OutboxWorld(.vendor)
        let outbox = world.outbox()
        let nine = world.clock.date.addingTimeInterval(3_600)
        try await outbox.enqueue(
            OutboxWorld.message, to: [.audience(.devices(world.devices), at: "a", notBefore: nine)], as: "sale")
        try await outbox.runUntilIdle()
        #expect(await world.deliveries.allSatisfy { $0 == 0 })
        world.clock.advance(by: .seconds(3_600))
        try await outbox.runUntilIdle()
        #expect(await world.deliveries.allSatisfy { $0 == 1 })
    }

    @Test("what was kept long enough is removed; its name stays taken, so the same call still sends nothing twice")
    func pruning() async throws {
        let world = OutboxWorld(.vendor)
        let outbox = world.outbox()
        func enqueue() async throws {
            try await world.enqueue(outbox) { ($0.keeps, $0.keepsName) = (.seconds(100), .seconds(500)) }
        }
        try await enqueue()
        #expect(try await world.finish(outbox))
        world.clock.advance(by: .seconds(101))
        for _ in 0..<9 { try await outbox.runUntilIdle() }
        #expect(try await outbox.campaigns().isEmpty)
        let left = try await outbox.progress(now: "sale")
        #expect(left.state == .removed && left.total == 0)
        try await enqueue()
        await #expect(throws: PushError.self) { try await world.enqueue(outbox) }
        try await outbox.runUntilIdle()
        #expect(await world.deliveries.allSatisfy { $0 == 1 })
        world.clock.advance(by: .seconds(400))
        try await outbox.runUntilIdle()
        try await enqueue()
        #expect(try await outbox.progress(now: "sale").open == 10)
    }

    // MARK: Responses of a vendor

    @Test("a wrong key pauses the part and refuses nobody; with the right one it goes on", arguments: Keys.allCases)
    func wrongKey(_ keys: Keys) async throws {
        let world = OutboxWorld(keys)
        let wrong = world.outbox(client: world.client(key: "wrong"))
        try await world.enqueue(wrong)
        try await wrong.runUntilIdle()
        let paused = try await wrong.progress(now: "sale")
        #expect(paused.open == 10 && paused.state == .active)
        #expect(paused.pausedParts[0]?.hasPrefix("unauthorized") == true)
        let right = world.outbox()
        try await right.runUntilIdle()
        #expect(await world.deliveries.allSatisfy { $0 == 0 })
        try await right.resume("sale")
        #expect(try await world.finish(right))
        #expect(await world.deliveries.allSatisfy { $0 == 1 })
    }

    @Test("a vendor that throttles is asked eight times; then its targets may be sent to by a later campaign")
    func throttled() async throws {
        let world = OutboxWorld(.none, devices: 3)
        let outbox = world.outbox()
        world.host.faults.add(.throttle(reset: nil), times: 100, path: "/messages")
        try await world.enqueue(outbox)
        #expect(try await world.finish(outbox))
        let statuses = try await world.statuses(outbox)
        #expect(statuses == Array(repeating: .rejected(mayRetry: true), count: 3))
        #expect(await world.deliveries.allSatisfy { $0 == 0 })
        #expect(world.host.journal.entries.count == 8)
    }

    @Test("a lost answer without a key is unknown, and stays so")
    func lostAnswer() async throws {
        let world = OutboxWorld(.none)
        let outbox = world.outbox()
        world.host.faults.add(.actedThenLost, times: 1, path: "/messages")
        try await world.enqueue(outbox)
        #expect(try await world.finish(outbox))
        let progress = try await outbox.progress(now: "sale")
        #expect(progress.unknown == 3 && progress.accepted == 7 && progress.resent == 0)
        #expect(await world.deliveries == Array(repeating: 1, count: 10))
        for try await item in try await outbox.report(of: "sale").exceptions { #expect(item.reason != nil) }
    }

    @Test(
        "unknown targets are sent to again only when a person or the options say so, and are counted",
        arguments: [true, false])
    func resending(_ isByOptions: Bool) async throws {
        let world = OutboxWorld(.none)
        let outbox = world.outbox()
        world.host.faults.add(.actedThenLost, times: 1, path: "/messages")
        try await world.enqueue(outbox) { $0.afterUnknown = isByOptions ? .resend : .report }
        #expect(try await world.finish(outbox))
        if !isByOptions {
            #expect(try await outbox.resendUnknown("sale") == 3)
            // This does not send at once, because the lost request may still be in flight.
            try await outbox.runUntilIdle()
            #expect(await world.deliveries.reduce(0, +) == 10)
            #expect(try await world.finish(outbox))
        }
        let progress = try await outbox.progress(now: "sale")
        #expect(progress.accepted == 10 && progress.unknown == 0 && progress.resent == 3)
        #expect(await world.deliveries.sorted() == [1, 1, 1, 1, 1, 1, 1, 2, 2, 2])
    }

    @Test("what was sent again and lost again stays unknown")
    func lostTwice() async throws {
        let world = OutboxWorld(.none, devices: 3)
        let outbox = world.outbox()
        world.host.faults.add(.actedThenLost, times: 9, path: "/messages")
        try await world.enqueue(outbox) { $0.afterUnknown = .resend }
        #expect(try await world.finish(outbox))
        let progress = try await outbox.progress(now: "sale")
        #expect(progress.unknown == 3 && progress.resent == 3)
        #expect(await world.deliveries == [2, 2, 2])
    }

    @Test("where the vendor makes keys, nothing is sent without one")
    func noKey() async throws {
        let world = OutboxWorld(.vendor)
        let reasons = Locked<[String]>([])
        let outbox = world.outbox { settings in
            settings.onEvent = { event in
                if case .partDelayed(_, _, _, let reason, _) = event { reasons.withLock { $0.append(reason) } }
            }
        }
        world.host.faults.add(.serverError(status: 503), times: 20, path: "/keys")
        try await world.enqueue(outbox)
        try await outbox.runUntilIdle()
        #expect(try await outbox.progress(now: "sale").open == 10)
        #expect(reasons.withLock { $0.first?.hasPrefix("server: ") } == true)
        #expect(await world.deliveries.allSatisfy { $0 == 0 })
        world.host.faults.removeAll()
        #expect(try await world.finish(outbox))
        #expect(await world.deliveries.allSatisfy { $0 == 1 })
    }

    @Test("an audience that is no list is one request, and is never sent again", arguments: [Keys.none, .vendor])
    func broadcast(_ keys: Keys) async throws {
        let world = OutboxWorld(keys, devices: 4)
        let outbox = world.outbox()
        world.host.faults.add(.actedThenLost, times: 1, path: "/messages")
        var options = CampaignOptions()
        options.afterUnknown = .resend
        try await outbox.enqueue(
            OutboxWorld.message, to: [.audience(.everyone, at: "a")], as: "sale", options: options)
        #expect(try await world.finish(outbox))
        let progress = try await outbox.progress(now: "sale")
        #expect(progress.total == 1 && progress.unknown == (keys == .none ? 1 : 0))
        #expect(try await outbox.resendUnknown("sale") == 0)
        try await outbox.runUntilIdle()
        #expect(await world.deliveries == [1, 1, 1, 1])
        var statuses: [TargetStatus] = []
        for try await item in try await outbox.report(of: "sale").exceptions {
            #expect(item.target == nil)
            statuses.append(item.status)
        }
        #expect(statuses == (keys == .none ? [.unknown] : []))
    }

    @Test(
        "a key that the vendor has forgotten is not sent again: the targets are unknown",
        arguments: [Keys.vendor, .caller])
    func forgottenKey(_ keys: Keys) async throws {
        let world = OutboxWorld(keys, devices: 3)
        let outbox = world.outbox()
        world.host.faults.add(.actedThenLost, times: 1, path: "/messages")
        try await world.enqueue(outbox)
        try await outbox.runUntilIdle()
        #expect(try await outbox.progress(now: "sale").open == 3)
        // The vendor promises a day. The client uses a key for an hour less than that.
        world.clock.advance(by: .seconds(23.5 * 3_600))
        #expect(try await world.finish(outbox))
        #expect(try await outbox.progress(now: "sale").unknown == 3)
        #expect(await world.deliveries == [1, 1, 1])
    }

    @Test("a refusal after a lost answer gets no new key", arguments: [Keys.vendor, .caller])
    func refusalAfterLost(_ keys: Keys) async throws {
        let world = OutboxWorld(keys, devices: 3)
        let outbox = world.outbox()
        world.host.faults.add(.actedThenLost, times: 1, path: "/messages")
        world.host.faults.add(.throttle(reset: nil), times: 2, path: "/messages")
        try await world.enqueue(outbox)
        #expect(try await world.finish(outbox))
        #expect(try await outbox.progress(now: "sale").accepted == 3)
        #expect(await world.deliveries == [1, 1, 1])
    }

    @Test(
        "a slice is tried once, however often what is around a try calls for it, and whether it waits", arguments: 0...2
    )
    func around(_ calls: Int) async throws {
        let world = OutboxWorld(.none)
        let outbox = world.outbox {
            $0.aroundAttempt = { _, _, work in
                for _ in 0..<calls { await work() }
            }
        }
        try await world.enqueue(outbox)
        #expect(try await world.finish(outbox))
        #expect(try await outbox.progress(now: "sale").accepted == 10)
        #expect(await world.deliveries.allSatisfy { $0 == 1 })
    }

    // MARK: Processes

    @Test("a pause comes in between the lease and the first byte")
    func pauseAfterLease() async throws {
        let world = OutboxWorld(.vendor)
        let life = Life(endingAt: .max)
        let (worker, person) = (world.outbox(life), world.outbox())
        try await world.enqueue(person)
        life.afterLease.withLock { $0 = { try? await person.pause("sale") } }
        try await worker.runUntilIdle()
        let progress = try await person.progress(now: "sale")
        #expect(progress.slices == [.ready: 4] && progress.state == .paused)
        #expect(await world.deliveries.allSatisfy { $0 == 0 })
        try await person.resume("sale")
        #expect(try await world.finish(person))
        #expect(await world.deliveries.allSatisfy { $0 == 1 })
    }

    @Test("on a full disk nothing is sent, and what is known is written later")
    func fullDisk() async throws {
        let world = OutboxWorld(.none)
        let life = Life(endingAt: .max)
        let errors = Locked(0)
        let outbox = world.outbox(life) { settings in
            settings.onEvent = { if case .storeFailed = $0 { errors.withLock { $0 += 1 } } }
        }
        try await world.enqueue(outbox)
        life.failures.withLock { $0 = 12 }
        #expect(try await world.finish(outbox))
        let progress = try await outbox.progress(now: "sale")
        #expect(progress.accepted == 10 && progress.unknown == 0)
        #expect(await world.deliveries.allSatisfy { $0 == 1 })
        #expect(errors.withLock { $0 } > 0)
    }

    @Test(
        "where each target has a request of its own, a note covers a few of them, and a crash leaves only those unknown"
    )
    func chunks() async throws {
        let world = OutboxWorld(.noneSingly, devices: 300)
        try await world.enqueue(world.outbox())
        await world.live(Life()) { try await $0.runUntilIdle() }
        let outbox = world.outbox()
        #expect(try await world.finish(outbox))
        let first = try await outbox.progress(now: "sale")
        #expect((1...8).contains(first.unknown) && first.accepted == 300 - first.unknown)

        let second = OutboxWorld(.noneSingly, devices: 300)
        let whole = Life(endingAt: .max)
        let counting = second.outbox(whole)
        try await second.enqueue(counting)
        #expect(try await second.finish(counting))
        // The steps are the requests themselves and some notes.
        #expect(whole.steps > 300 && whole.steps < 340)
    }

    @Test("a slice that ends its workers again and again is quarantined, and the others go on")
    func poison() async throws {
        let world = OutboxWorld(.vendor)
        let outbox = world.outbox()
        try await world.enqueue(outbox)
        var (lives, hasBeenHeld) = (0, false)
        while lives < 6, !hasBeenHeld {
            await world.live(Life()) { try await $0.runUntilIdle() }
            lives += 1
            hasBeenHeld = try await outbox.progress(now: "sale").slices[.quarantined] != nil
        }
        // The first worker also had another slice. After that, this slice was alone twice.
        #expect(hasBeenHeld && lives >= 3)
        try await outbox.runUntilIdle()
        let progress = try await outbox.progress(now: "sale")
        #expect(progress.slices[.quarantined] == 1 && progress.state == .active)
        try await outbox.resume("sale")
        #expect(try await world.finish(outbox))
        #expect(await world.deliveries.allSatisfy { $0 == 1 })
    }

    @Test("a second worker is a standby, and takes over")
    func standby() async throws {
        let world = OutboxWorld(.vendor)
        #expect(try await world.store.claim(77))
        let outbox = world.outbox()
        try await world.enqueue(outbox)
        let error = await #expect(throws: PushError.self) { try await outbox.runUntilIdle() }
        #expect(error?.kind == .busy)
        let worker = Task { try await outbox.run() }
        try await world.store.release(77)
        await until { (try? await outbox.progress(now: "sale").state) == .finished }
        worker.cancel()
        try await worker.value
        #expect(await world.deliveries.allSatisfy { $0 == 1 })
        #expect(try await world.store.claim(78))
    }

    @Test("progress is a stream that ends with the campaign")
    func progress() async throws {
        let world = OutboxWorld(.none)
        let outbox = world.outbox()
        try await world.enqueue(outbox)
        let worker = Task { try await outbox.run() }
        var last: CampaignProgress?
        for try await progress in outbox.progress(of: "sale") { last = progress }
        worker.cancel()
        try await worker.value
        #expect(last?.state == .finished)
        #expect(last?.description == "finished: 4 of 4 slices, 10 accepted")
    }
}
