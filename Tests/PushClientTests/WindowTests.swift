import Dispatch
import PushAdapter
import PushSimulation
import TestSupport
import Testing

@testable import PushClient

@Suite("Lists beside lists, at a vendor that takes one target in a request", .timeLimit(.minutes(20)))
struct WindowTests {
    private let message = Message(custom: CustomMessage(content: "c"))
    private let clock = StillClock()

    private func acme(concurrency: Int?) -> Acme {
        var acme = Acme()
        acme.capabilities.limits[.devicesPerSend]?.maximum = 1
        acme.capabilities.concurrency = concurrency
        acme.capabilities.quotas = [:]
        acme.diagnosis = { response in
            guard response.status == 429 else { return nil }
            var vendor = VendorDetail(code: "RATE", httpStatus: 429)
            vendor.verdict = .isolated
            return PushError(.rateLimited, "this device is over its rate", retry: .backoff, vendor: vendor)
        }
        return acme
    }

    private func devices(_ name: String, _ count: Int) -> Audience {
        .devices((0..<count).map { DeviceID("\(name)\($0)") })
    }

    private static func device(_ request: TransportRequest) -> String {
        String(request.text.split(separator: "|").last ?? "")
    }

    @Test("a vendor without any limit is one with a very large window")
    func boundless() {
        let client = makeClient(ScriptedTransport(.ok), for: acme(concurrency: .max))
        #expect(client.slicesForWindow(of: 1) > 1_000_000)
    }

    @Test("no task is resumed while the window is locked: who cancels it may wait for the lock")
    func resumedOutsideLock() async {
        let window = SendWindow(size: 1)
        let share = window.open(until: .seconds(3_600), on: clock)
        let executor = LockProbe(of: window)
        let held = WindowPlace(of: share)
        func wait() -> Task<Bool, Never> {
            Task(executorPreference: executor) { await WindowPlace(of: share).take() }
        }
        _ = await held.take()
        let admitted = wait()
        await until { executor.isIdle }
        held.giveBack()
        #expect(await admitted.value)
        let cancelled = wait()
        await until { executor.isIdle }
        cancelled.cancel()
        #expect(await !cancelled.value)
        let ended = wait()
        await until { executor.isIdle }
        share.close()
        #expect(await !ended.value)
        #expect(executor.jobs.withLock { $0 } >= 6 && !executor.wasLocked.withLock { $0 })
    }

    @Test("the list that waited longest for its turn is next, although lists that never had one keep coming")
    func longestWaitFirst() async throws {
        let window = SendWindow(size: 1)
        let executor = LockProbe(of: window)
        let admitted = Locked([String]())
        /// Waits for a place of a list; returns when it is in line, or has it.
        func wait(_ name: String, _ share: WindowShare) async -> WindowPlace {
            let place = WindowPlace(of: share)
            Task(executorPreference: executor) {
                if await place.take() { admitted.withLock { $0.append(name) } }
            }
            await until { executor.isIdle }
            return place
        }
        func giveBack(_ place: WindowPlace) async {
            let count = admitted.withLock { $0.count }
            place.giveBack()
            await until { admitted.withLock { $0.count } > count }
        }
        let long = window.open(until: .seconds(3_600), on: clock)
        defer { long.close() }
        let first = await wait("long", long)
        let second = await wait("long", long)
        let short = window.open(until: .seconds(3_600), on: clock)
        defer { short.close() }
        let third = await wait("short 1", short)
        await giveBack(first)
        let other = window.open(until: .seconds(3_600), on: clock)
        defer { other.close() }
        _ = await wait("short 2", other)
        await giveBack(third)
        try #require(admitted.withLock { $0 } == ["long", "short 1", "long"])
        await giveBack(second)
        #expect(admitted.withLock { $0.last } == "short 2")
    }

    /// Checks, whenever a task may run, whether another thread can take a window's lock.
    private final class LockProbe: TaskExecutor {
        private let window: SendWindow
        private let running = Locked(0)
        let jobs = Locked(0)
        let wasLocked = Locked(false)

        init(of window: SendWindow) { self.window = window }

        /// Whether all its tasks are waiting.
        var isIdle: Bool { jobs.withLock { $0 } > 0 && running.withLock { $0 } == 0 }

        func enqueue(_ job: consuming ExecutorJob) {
            jobs.withLock { $0 += 1 }
            running.withLock { $0 += 1 }
            let asked = DispatchSemaphore(value: 0)
            DispatchQueue.global().async { [window] in
                window.open(until: .zero, on: SystemClock()).close()
                asked.signal()
            }
            if asked.wait(timeout: .now() + 60) == .timedOut { wasLocked.withLock { $0 = true } }
            let unowned = UnownedJob(job)
            DispatchQueue.global().async { [self] in
                unowned.runSynchronously(on: asUnownedTaskExecutor())
                running.withLock { $0 -= 1 }
            }
        }
    }

    /// The still clock, and years for each call: a test that moves the clock may move it too far.
    private func patiently(_ configuration: inout ClientConfiguration) {
        configuration.clock = clock
        (configuration.deadline, configuration.plannedDeadline) = (.seconds(100_000_000), .seconds(100_000_000))
    }

    /// Moves the clock until something has happened.
    private func move(by step: Duration, until hasHappened: () -> Bool) async {
        while !hasHappened() {
            clock.advance(by: step)
            await Task.yield()
        }
    }

    @Test("a list ends by its deadline although the requests of another one stay unanswered, and was not attempted")
    func unanswered() async throws {
        let transport = ScriptedTransport { (_, _) throws(PushError) in
            await untilCancelled()
            throw PushError(.cancelled, "cancelled", effect: .unknown)
        }
        let client = makeClient(transport, for: acme(concurrency: 2)) { $0.clock = clock }
        let campaign = Task { try await client.send(message, to: devices("d", 100)) }
        await until { transport.requests.count >= 2 }
        let isOver = Locked(false)
        var options = SendOptions()
        options.deadline = .seconds(2)
        let short = Task { [options] in
            defer { isOver.withLock { $0 = true } }
            return await #expect(throws: PushError.self) {
                try await client.send(message, to: devices("s", 2), options: options)
            }
        }
        await move(by: .milliseconds(100)) { isOver.withLock { $0 } }
        let error = await short.value
        #expect(error?.kind == .timeout && error?.effect == .notApplied && transport.requests.count == 2)
        #expect(error?.report?.exceptions.map(\.status) == [.notAttempted, .notAttempted])
        campaign.cancel()
        _ = try? await campaign.value
    }

    @Test("a request that waits for its retry keeps no other list from sending")
    func throttled() async throws {
        let transport = ScriptedTransport { (request, number) throws(PushError) in
            try number <= 2 ? Result.status(429, [.retryAfter: "20"]).get() : Result.ok.get()
        }
        let client = makeClient(transport, for: acme(concurrency: 2), patiently)
        let isOver = Locked(false)
        let campaign = Task {
            defer { isOver.withLock { $0 = true } }
            return try await client.send(message, to: devices("d", 2))
        }
        await until { client.waitingCalls.count >= 2 }
        #expect(try await client.send(message, to: devices("s", 2)).acceptedCount == 2)
        #expect(clock.elapsed == .zero && client.waitingCalls.count == 2)
        await move(by: .seconds(1)) { isOver.withLock { $0 } }
        #expect(try await campaign.value.acceptedCount == 2)
    }

    @Test("a request that waits for its quota keeps no list with another quota from sending")
    func quota() async throws {
        var acme = acme(concurrency: 1)
        acme.capabilities.quotas = ["calls": Quota(2, per: .seconds(60), source: "test")]
        let transport = ScriptedTransport(.ok)
        let client = makeClient(transport, for: acme) { $0.clock = clock }
        let campaign = Task { try await client.send(message, to: devices("d", 3)) }
        await until { !client.waitingCalls.isEmpty }
        #expect(try await client.updateMembers(of: "t", .add(["s1", "s2"])).acceptedCount == 2)
        #expect(clock.elapsed == .zero)
        campaign.cancel()
        #expect(try await campaign.value.acceptedCount == 2)
    }

    @Test("a request that waits for its device's lock keeps no other list from sending")
    func locked() async throws {
        let isHeld = Locked(true)
        let transport = ScriptedTransport { (request, _) throws(PushError) in
            if request.url.hasSuffix("/tags/d1") { await until { !isHeld.withLock { $0 } } }
            return try Result.ok.get()
        }
        var acme = acme(concurrency: 1)
        acme.capabilities.writeDelay = [.addTags: .milliseconds(1)]
        let client = makeClient(transport, for: acme, patiently)
        let change = Task { try await client.updateTags(.add(["a"]), of: "d1") }
        await until { !transport.requests.isEmpty }
        let members = Task { try await client.updateMembers(of: "t", .add(["d1", "d2"])) }
        #expect(try await client.send(message, to: devices("s", 2)).acceptedCount == 2)
        isHeld.withLock { $0 = false }
        _ = try await change.value
        let isOver = Locked(false)
        let report = Task {
            defer { isOver.withLock { $0 = true } }
            return try await members.value
        }
        await move(by: .milliseconds(1)) { isOver.withLock { $0 } }
        #expect(try await report.value.acceptedCount == 2)
    }

    @Test("lists take turns: a short one does not wait for the end of a long one")
    func turns() async throws {
        let passes = Locked(0)
        let transport = ScriptedTransport { (_, _) throws(PushError) in
            while !Task.isCancelled {
                let mayPass = passes.withLock { passes in
                    defer { passes = max(0, passes - 1) }
                    return passes > 0
                }
                if mayPass { return try Result.ok.get() }
                await Task.yield()
            }
            throw PushError(.cancelled, "cancelled", effect: .unknown)
        }
        let client = makeClient(transport, for: acme(concurrency: 1))
        let campaign = Task { try await client.send(message, to: devices("d", 2000)) }
        await until { !transport.requests.isEmpty }
        let short = Task { try await client.send(message, to: devices("s", 2)) }
        func isShortDone() -> Bool { Set(transport.requests.map(Self.device)).isSuperset(of: ["s0", "s1"]) }
        // Many turns of the scheduler per request, so that the short list gets in line.
        for number in 1...1_000 where !isShortDone() {
            for _ in 0..<1000 { await Task.yield() }
            passes.withLock { $0 += 1 }
            await until { transport.requests.count != number }
        }
        #expect(isShortDone())
        passes.withLock { $0 = 1 << 30 }
        #expect(try await short.value.acceptedCount == 2)
        campaign.cancel()
        _ = try? await campaign.value
    }

    @Test("lists leave an eighth of the transport's requests to single calls", arguments: [(1, 1), (2, 1), (8, 7)])
    func reserve(transportSize: Int, windowSize: Int) async throws {
        let isHeld = Locked(true)
        let transport = ScriptedTransport(concurrency: transportSize) { (request, _) throws(PushError) in
            if request.text.contains("|d") { await until { !isHeld.withLock { $0 } } }
            return try Result.ok.get()
        }
        let client = makeClient(transport, for: acme(concurrency: 100))
        let campaign = Task { try await client.send(message, to: devices("d", 50)) }
        await until { transport.requests.count >= windowSize }
        #expect(try await client.send(message, to: .devices(["single"])).acceptedCount == 1)
        #expect(transport.requests.count == windowSize + 1)
        isHeld.withLock { $0 = false }
        #expect(try await campaign.value.acceptedCount == 50)
    }
}
