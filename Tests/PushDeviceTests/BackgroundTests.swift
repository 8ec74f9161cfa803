import Dispatch
import PushAdapter
import PushClient
import PushDevice
import PushMemory
import PushSimulation
import TestSupport
import Testing

/// Settings that are retried until they succeed. The ids are those of `Tests/Contract/cases.json`.
@Suite("Settings in the background")
struct BackgroundTests {
    private static let queue = DispatchQueue(label: "background")

    @Test(
        "G-093: one that fails is made again until it succeeds, and nobody waits",
        arguments: [Fault.silence, .serverError(status: 503), .throttle(reset: nil)])
    func repeats(fault: Fault) async throws {
        let stage = Stage(.jpush)
        stage.host.faults.add(fault, times: 2)
        let ends = Locked<[Bool]>([])
        stage.session.submitInBackground(tags: ["a"], alias: "u", on: Self.queue) { result in
            ends.withLock { $0.append((try? result.get()) != nil) }
        }
        await until { await stage.alias == "u" }
        #expect(await stage.tags == ["a"])
        await until { ends.withLock { $0 } == [true] }
        #expect(stage.clock.sleeps.contains(.seconds(1)) && stage.clock.sleeps.contains(.seconds(5)))
    }

    @Test("with a client that repeats by itself, its giving up is not the end")
    func exhausted() async throws {
        let stage = Stage(.jpush, configure: { $0.retry = RetryPolicy() })
        stage.host.faults.add(.serverError(status: 503), times: 7)
        stage.session.submitInBackground(tags: ["a"], alias: nil, on: Self.queue)
        await until { await stage.tags == ["a"] }
        #expect(stage.requests == 8)
    }

    @Test("the time that a vendor asks for is waited for")
    func hint() async throws {
        let stage = Stage(.jpush)
        stage.host.faults.add(.throttle(reset: 50))
        stage.session.submitInBackground(tags: ["a"], alias: nil, on: Self.queue)
        await until { await stage.tags == ["a"] }
        #expect(stage.clock.sleeps.first.map { $0 >= .seconds(50) } == true, "\(stage.clock.sleeps)")
    }

    @Test("a half that is done is not made again")
    func keepsHalves() async throws {
        let stage = Stage(.jpush)
        stage.host.faults.add(.serverError(status: 503), times: 3, path: "\(MemoryProvider.devicePath)/alias")
        stage.session.submitInBackground(tags: ["a"], alias: "u", on: Self.queue)
        await until { await stage.alias == "u" }
        #expect(stage.host.journal.entries.filter { $0.request.path.hasSuffix("/tags") }.count == 1)
    }

    @Test("what cannot succeed later ends, and says so")
    func ends() async throws {
        let stage = Stage(.jpush)
        let refusal: JSONValue = ["code": 6, "message": "not for this app"]
        stage.host.faults.add(.answer(SimulatedResponse(status: 403, body: JSONWriter.bytes(of: refusal))))
        let fault = await withCheckedContinuation { continuation in
            stage.session.submitInBackground(tags: ["a"], alias: nil, on: Self.queue) { result in
                if case .failure(let fault) = result {
                    continuation.resume(returning: Optional(fault))
                } else {
                    continuation.resume(returning: nil)
                }
            }
        }
        #expect(fault?.error.retry == .never && fault?.subject == .tags)
        #expect(stage.requests == 1)
    }

    @Test("G-091: one goes on after a setting in the foreground has succeeded")
    func foreground() async throws {
        var rules = SessionRules.jpush
        // Keeps the clock still during the call in the foreground.
        rules.backgroundWaits = [.zero]
        let stage = Stage(rules)
        stage.host.faults.add(
            .serverError(status: 503), times: 1_000_000, path: "\(MemoryProvider.devicePath)/alias")
        let ends = Locked<[Bool]>([])
        stage.session.submitInBackground(tags: ["first"], alias: "first", on: Self.queue) { result in
            ends.withLock { $0.append((try? result.get()) != nil) }
        }
        await until { stage.requests >= 4 }
        #expect(await stage.tags == ["first"])
        #expect(await stage.fault(of: .overlay(tags: ["second"], alias: nil)) == nil)
        let before = stage.requests
        await until { stage.requests > before + 1 }
        #expect(ends.withLock { $0.isEmpty })
        stage.host.faults.removeAll()
        await until { ends.withLock { !$0.isEmpty } }
        #expect(ends.withLock { $0 } == [true])
        #expect(await stage.alias == "first")
        // The background call had set the tags before: the last call to reach the vendor wins.
        #expect(await stage.tags == ["second"])
    }

    @Test("G-092: the newest one counts, also at the vendor")
    func newest() async throws {
        let (stage, barrier) = Stage.held(.jpush)
        let ends = Locked<[String: Int]>([:])
        func submit(_ alias: String) {
            stage.session.submitInBackground(tags: nil, alias: alias, on: Self.queue) { result in
                let isCancelled = if case .failure(let fault) = result { fault.error.kind == .cancelled } else { false }
                ends.withLock { $0["\(alias) \(isCancelled)", default: 0] += 1 }
            }
        }
        submit("first")
        await until { barrier.waiting == 1 }
        submit("second")
        submit("third")
        barrier.open()
        await until { await stage.alias == "third" }
        await until { ends.withLock { $0.count } == 3 }
        #expect(ends.withLock { $0 } == ["first true": 1, "second true": 1, "third false": 1])
        // The first call was in flight and went out. The second was never made.
        #expect(stage.requests == 2)
    }

    @Test("a stop ends what is made in the background, for good")
    func stop() async throws {
        let stage = Stage(.jpush)
        stage.host.faults.add(.serverError(status: 503), times: 1_000_000)
        let ends = Locked<[SessionFault]>([])
        stage.session.submitInBackground(tags: ["b"], alias: nil, on: Self.queue) { result in
            if case .failure(let fault) = result { ends.withLock { $0.append(fault) } }
        }
        await until { stage.requests >= 2 }
        try await stage.session.stop()
        stage.session.resume()
        await until { ends.withLock { $0.count } == 1 }
        #expect(ends.withLock { $0[0].reason } == .stopped)
        stage.host.faults.removeAll()
        for _ in 0..<1000 { await Task.yield() }
        #expect(await stage.tags.isEmpty)
    }

    @Test("one that is made before the device is registered waits for that, and another start does not end it")
    func waits() async throws {
        let stage = Stage(.jpush, isRegistered: false)
        stage.session.submitInBackground(tags: ["a"], alias: nil, on: Self.queue)
        for _ in 0..<100 { await Task.yield() }
        #expect(stage.requests == 0)
        try await stage.session.start()
        await until { await stage.tags == ["a"] }
        stage.host.faults.add(.serverError(status: 503), times: 1_000_000)
        stage.session.submitInBackground(tags: ["b"], alias: nil, on: Self.queue)
        await until { stage.requests >= 3 }
        try await stage.session.start()
        stage.host.faults.removeAll()
        await until { await stage.tags == ["b"] }
    }

    @Test("another device gets both halves, and what cannot be done at all is not done by halves")
    func otherDevice() async throws {
        let stage = Stage(.jpush)
        stage.host.faults.add(.serverError(status: 503), times: 1_000_000, path: "\(MemoryProvider.devicePath)/alias")
        stage.session.submitInBackground(tags: ["a"], alias: "u", on: Self.queue)
        await until { stage.requests >= 3 }
        stage.session.register(Stage.other)
        await until { await stage.vendor.snapshot(of: Stage.other.rawValue)?.alias == "u" }
        #expect(await stage.vendor.snapshot(of: Stage.other.rawValue)?.tags == ["a"])
        let lacking = Stage(.jpush, isRegistered: false, edit: { $0.support[.setAlias] = .unsupported("no aliases") })
        let ends = Locked<[PushError.Kind]>([])
        lacking.session.submitInBackground(tags: ["a"], alias: "u", on: Self.queue) { result in
            if case .failure(let fault) = result { ends.withLock { $0.append(fault.error.kind) } }
        }
        try await lacking.session.start()
        await until { ends.withLock { $0 } == [.unsupported] }
        #expect(lacking.requests == 0)
    }

    @Test("the second half of one that a newer one has replaced is not begun")
    func halfWay() async throws {
        let (stage, barrier) = Stage.held(.jpush)
        stage.session.submitInBackground(tags: ["a"], alias: "old", on: Self.queue)
        await until { barrier.waiting == 1 }
        stage.session.submitInBackground(tags: ["b"], alias: nil, on: Self.queue)
        barrier.open()
        await until { await stage.tags == ["b"] }
        #expect(await stage.alias == nil)
        #expect(stage.requests == 2)
    }

    @Test("what is told may hold the session, and its end is no deadlock")
    func holdsItself() async throws {
        let stage = Stage(.jpush)
        let ends = Locked(0)
        weak var kept: DeviceSession?
        do {
            let session = DeviceSession(stage.client, device: Stage.device, rules: .jpush)
            kept = session
            session.submitInBackground(tags: ["b"], alias: nil, on: Self.queue) { _ in
                withExtendedLifetime(session) { ends.withLock { $0 += 1 } }
            }
        }
        await until { ends.withLock { $0 } == 1 }
        await until { kept == nil }
        #expect(await stage.tags == ["b"])
    }

    @Test("a session that is let go gives up, and what it was at is told")
    func letGo() async throws {
        let stage = Stage(.jpush)
        stage.host.faults.add(.serverError(status: 503), times: 1_000_000)
        let ends = Locked(0)
        weak var kept: DeviceSession?
        do {
            let session = DeviceSession(stage.client, device: Stage.device, rules: .jpush)
            kept = session
            session.submitInBackground(tags: ["b"], alias: nil, on: Self.queue) { _ in ends.withLock { $0 += 1 } }
            await until { stage.requests >= 2 }
        }
        #expect(kept == nil)
        await until { ends.withLock { $0 } == 1 }
    }

    @Test("G-094: a generation without background settings refuses them, unless they are asked for")
    func unsupported() async throws {
        func end(of stage: Stage, tags: [String]) async -> SessionFault? {
            await withCheckedContinuation { continuation in
                stage.session.submitInBackground(tags: tags, alias: nil, on: Self.queue) { result in
                    if case .failure(let fault) = result {
                        continuation.resume(returning: fault)
                    } else {
                        continuation.resume(returning: nil)
                    }
                }
            }
        }
        #expect(await end(of: Stage(.tpns), tags: ["a"])?.reason == .unsupported)
        #expect(await end(of: Stage(.jpushLegacy), tags: ["a"])?.reason == .unsupported)
        let consent = SessionConsent(calls: [.background])
        #expect(await end(of: Stage(.jpushLegacy, consent: consent), tags: ["a"]) == nil)
        // The rules apply as in the foreground.
        #expect(await end(of: Stage(.jpushLegacy, consent: consent), tags: ["a@b"])?.reason == .characters)
    }
}
