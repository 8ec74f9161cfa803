import PushAdapter
import PushClient
import PushSimulation
import TestSupport
import Testing

/// Uses a clock that stands still, so that no wait ends by itself.
@Suite("A shutdown ends every wait", .timeLimit(.minutes(20)))
struct ShutdownTests {
    private let message = Message(custom: CustomMessage(content: "c"))
    private let clock = StillClock()

    private func expectStopped<Output: Sendable>(_ call: Task<Output, any Error>) async {
        let error = await #expect(throws: PushError.self) { try await call.value }
        #expect(error?.kind == .stopped && error?.effect == .notApplied)
    }

    @Test("for a quota")
    func quota() async throws {
        var acme = Acme()
        acme.capabilities.quotas = ["calls": Quota(1, per: .seconds(20), source: "test")]
        let client = makeClient(ScriptedTransport(.ok), for: acme) { $0.clock = clock }
        try await client.run(acme.call(.idempotent))
        let waiting = Task { [acme] in try await client.run(acme.call(.idempotent)) }
        await until { !client.waitingCalls.isEmpty }
        await client.shutdown()
        await expectStopped(waiting)
        #expect(client.waitingCalls.isEmpty && clock.elapsed == .zero)
    }

    @Test("for the time that a vendor named, of a single call and of a list")
    func retryAfter() async throws {
        let transport = ScriptedTransport(.status(429, [.retryAfter: "25"]))
        let client = makeClient(transport) { $0.clock = clock }
        let single = Task { try await client.run(Acme().call(.idempotent)) }
        let list = Task { try await client.send(message, to: .devices((0..<30).map { DeviceID("d\($0)") })) }
        await until { client.waitingCalls.count >= 5 }
        await client.shutdown()
        await expectStopped(single)
        let error = await #expect(throws: PushError.self) { try await list.value }
        #expect(error?.kind == .stopped && error?.report?.retryable().count == 30)
    }

    @Test("a target that was throttled may be sent to later, whatever ends the wait for it", arguments: [true, false])
    func throttled(isShutdown: Bool) async throws {
        let client = makeClient(ScriptedTransport(.status(429, [.retryAfter: "25"]))) { $0.clock = clock }
        let list = Task { try await client.send(message, to: .devices((0..<30).map { DeviceID("d\($0)") })) }
        await until { client.waitingCalls.contains { $0.cause == .retry(.rateLimited) } }
        if isShutdown { await client.shutdown() } else { list.cancel() }
        let error = await #expect(throws: PushError.self) { try await list.value }
        #expect(error?.kind == (isShutdown ? .stopped : .cancelled) && error?.report?.retryable().count == 30)
        #expect(error?.report?.exceptions.contains { $0.status == .rejected(mayRetry: true) } == true)
        await client.shutdown()
    }

    @Test("for a retry whose first attempt may have acted: the effect stays unknown")
    func unknown() async throws {
        let client = makeClient(ScriptedTransport(.lost)) { $0.clock = clock }
        let waiting = Task { try await client.run(Acme().call(.idempotent)) }
        await until { !client.waitingCalls.isEmpty }
        await client.shutdown()
        let error = await #expect(throws: PushError.self) { try await waiting.value }
        #expect(error?.kind == .stopped && error?.effect == .unknown)
    }

    @Test("for an earlier change of the device, and for a place among lists")
    func linesOfCalls() async throws {
        let isHeld = Locked(true)
        let transport = ScriptedTransport { (_, _) throws(PushError) in
            await until { !isHeld.withLock { $0 } }
            return try Result.ok.get()
        }
        var acme = Acme()
        acme.capabilities.limits[.devicesPerSend]?.maximum = 1
        acme.capabilities.concurrency = 1
        acme.capabilities.writeDelay = [.addTags: .milliseconds(1)]
        let client = makeClient(transport, for: acme) { $0.clock = clock }
        let first = Task { try await client.updateTags(.add(["a"]), of: "d1") }
        let campaign = Task { try await client.send(message, to: .devices(["d1", "d2"])) }
        await until { transport.requests.count >= 2 }
        let second = Task { try await client.updateTags(.add(["b"]), of: "d1") }
        let short = Task { try await client.send(message, to: .devices(["d3", "d4"])) }
        for _ in 0..<1000 { await Task.yield() }
        await client.shutdown()
        // The requests in flight have no response yet.
        await expectStopped(second)
        await expectStopped(short)
        #expect(transport.requests.count == 2)
        isHeld.withLock { $0 = false }
        _ = try? await first.value
        #expect(try await campaign.value.retryable().count == 1)
    }

    @Test("for a shared quota that does not answer")
    func sharedQuota() async throws {
        let quota = SilentQuota()
        var acme = Acme()
        acme.capabilities.quotas = ["calls": Quota(10, per: .seconds(20), source: "test")]
        let client = makeClient(ScriptedTransport(.ok), for: acme) {
            $0.clock = clock
            $0.sharedQuota = quota
        }
        let waiting = Task { [acme] in try await client.run(acme.call(.idempotent)) }
        await until { quota.isAsked.withLock { $0 } }
        await client.shutdown()
        await expectStopped(waiting)
        // Nothing waits for the question any more, so it ends by itself.
        quota.isSilent.withLock { $0 = false }
    }

    private struct SilentQuota: SharedQuota {
        let isAsked = Locked(false)
        let isSilent = Locked(true)

        func take(_ count: Int, from bucket: QuotaBucket, _ quota: Quota) async throws -> Duration {
            isAsked.withLock { $0 = true }
            await until { !isSilent.withLock { $0 } }
            return .zero
        }
        func correct(_ bucket: QuotaBucket, _ quota: Quota, remaining: Int, pausedFor pause: Duration) async throws {}
    }

    @Test("times too long to be waited for are cut, wherever they come from")
    func longTimes() async throws {
        let forever = Duration.seconds(Int64.max)
        let sleep = Task { try await SystemClock().sleep(for: forever) }
        sleep.cancel()
        await #expect(throws: CancellationError.self) { try await sleep.value }
        var acme = Acme()
        acme.mintsKeys = true
        acme.capabilities.limits[.devicesPerSend]?.maximum = 1
        acme.capabilities.minimumInterval = [.send: forever]
        acme.capabilities.leastWaits = [.server: forever]
        let answers = ScriptedTransport { (_, number) throws(PushError) in
            try number == 1 ? Result.status(503).get() : Result.ok.get()
        }
        let client = makeClient(answers, for: acme) { configuration in
            configuration.clock = SystemClock()
            configuration.deadline = forever
            configuration.plannedDeadline = forever
            configuration.attemptTimeout = forever
            configuration.keyLifetime = forever
            configuration.retry.base = forever
            configuration.retry.throttledBase = forever
            configuration.retry.longestDelay = .milliseconds(1)
        }
        var options = SendOptions()
        options.deadline = forever
        let devices = Audience.devices((0..<3).map { DeviceID("d\($0)") })
        #expect(try await client.send(message, to: devices, options: options).acceptedCount == 3)
        await client.shutdown(draining: forever)
    }
}
