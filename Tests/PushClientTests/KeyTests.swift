import FoundationEssentials
import PushAdapter
import PushClient
import PushSimulation
import TestSupport
import Testing

@Suite("Idempotency keys")
struct KeyTests {
    private let message = Message(custom: CustomMessage(content: "c"))

    private func keyed() -> Acme {
        var acme = Acme()
        acme.mintsKeys = true
        return acme
    }

    private func keyRequests(_ transport: ScriptedTransport) -> Int {
        transport.requests.count { $0.url.contains("/keys") }
    }

    @Test("every slice has a key of its own, and one request serves many sends")
    func ownKeys() async throws {
        let transport = ScriptedTransport(.ok)
        let client = makeClient(transport, for: keyed())
        let report = try await client.send(message, to: .devices((1...9).map { DeviceID("d\($0)") }))
        let keys = transport.requests.filter { $0.url.hasSuffix("/send") }.map { $0.text.split(separator: "|")[0] }
        #expect(Set(keys).count == 3)
        #expect(report.slices.allSatisfy { $0.keying == .keyed(.vendor) })
        for _ in 0..<20 { _ = try await client.send(message, to: .everyone) }
        #expect(keyRequests(transport) == 1)
    }

    @Test("a lost answer is repeated with the same key")
    func sameKey() async throws {
        let transport = ScriptedTransport { request, number throws(PushError) in
            request.url.hasSuffix("/send") && number == 2 ? try Result.lost.get() : try Result.ok.get()
        }
        let report = try await makeClient(transport, for: keyed()).send(message, to: .everyone)
        let sends = transport.requests.filter { $0.url.hasSuffix("/send") }.map(\.text)
        #expect(sends.count == 2)
        #expect(Set(sends).count == 1)
        #expect(report.isComplete)
    }

    @Test("a key is not used after 23 hours")
    func lifetime() async throws {
        let clock = VirtualClock()
        let transport = ScriptedTransport(.ok)
        let client = makeClient(transport, for: keyed(), clock: clock)
        _ = try await client.send(message, to: .everyone)
        clock.advance(by: .seconds(23 * 3600 - 60))
        _ = try await client.send(message, to: .everyone)
        #expect(keyRequests(transport) == 1)
        clock.advance(by: .seconds(120))
        _ = try await client.send(message, to: .everyone)
        #expect(keyRequests(transport) == 2)
    }

    @Test("a number of keys beyond all measure traps nowhere", arguments: [Int.max, .max / 2])
    func hugeBatch(count: Int) async throws {
        var acme = keyed()
        acme.keys = { _ in ["first", "second"] }
        let client = makeClient(ScriptedTransport(.ok), for: acme) { $0.keysPerMint = count }
        #expect(try await client.send(message, to: .everyone).isComplete)
    }

    @Test("sends that find no key share one request for more")
    func singleFlight() async throws {
        let transport = ScriptedTransport { _, _ throws(PushError) in
            for _ in 0..<50 { await Task.yield() }
            return try Result.ok.get()
        }
        let client = makeClient(transport, for: keyed())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { _ = try await client.send(message, to: .everyone) } }
            try await group.waitForAll()
        }
        #expect(keyRequests(transport) == 1)
    }

    @Test(
        "keys that are empty, repeated or given before are refused, because no repetition is harmless under them",
        arguments: [["", "b"], ["a", "a"], ["a", ""], []])
    func badKeys(values: [String]) async throws {
        var acme = keyed()
        acme.keys = { _ in values }
        let transport = ScriptedTransport(.ok)
        let report = try await makeClient(transport, for: acme).send(message, to: .everyone)
        guard case .unkeyed(let reason) = report.slices.first?.keying else {
            Issue.record("the report calls the slice keyed")
            return
        }
        #expect(reason.contains("malformedResponse") && transport.requests.last?.text.hasPrefix("-|") == true)
    }

    @Test("keys that arrive expired are refused together")
    func expiredKeys() async throws {
        let transport = ScriptedTransport(.ok)
        let client = makeClient(transport, for: keyed()) { $0.keyLifetime = .zero }
        let report = try await client.send(message, to: .everyone)
        #expect(report.slices.first?.keying != .keyed(.vendor) && keyRequests(transport) == 1)
    }

    @Test("a vendor whose keys cannot be used is asked for more after five seconds, not for each send")
    func restingAfterBadKeys() async throws {
        let clock = VirtualClock()
        var acme = keyed()
        acme.keys = { _ in ["a", "a"] }
        let transport = ScriptedTransport(.ok)
        let client = makeClient(transport, for: acme, clock: clock)
        for _ in 0..<10 { _ = try await client.send(message, to: .everyone) }
        #expect(keyRequests(transport) == 1)
        try await clock.sleep(for: .seconds(6))
        _ = try await client.send(message, to: .everyone)
        #expect(keyRequests(transport) == 2)
    }

    @Test("a key that the vendor gives a second time is not used a second time")
    func repeatedKeys() async throws {
        var acme = keyed()
        acme.keys = { count in (0..<count).map { "k\($0)" } }
        let transport = ScriptedTransport(.ok)
        let client = makeClient(transport, for: acme) { $0.keysPerMint = 2 }
        for _ in 0..<6 { _ = try await client.send(message, to: .everyone) }
        let keys = transport.requests.filter { $0.url.hasSuffix("/send") }.map { $0.text.split(separator: "|")[0] }
        #expect(keys.filter { $0 != "-" }.count == 2 && Set(keys.filter { $0 != "-" }).count == 2)
    }

    @Test("a thousand sends share one failed request for keys, and end together")
    func sharedFailure() async throws {
        let begun = Locked(0)
        let transport = ScriptedTransport { request, _ throws(PushError) in
            guard request.url.contains("/keys") else { return try Result.ok.get() }
            await until { begun.withLock { $0 } == 1_000 }
            for _ in 0..<2_000 { await Task.yield() }
            throw PushError(.transport, "no connection")
        }
        let client = makeClient(transport, for: keyed())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<1_000 {
                group.addTask {
                    begun.withLock { $0 += 1 }
                    _ = try await client.send(message, to: .everyone)
                }
            }
            try await group.waitForAll()
        }
        #expect(transport.requests.count { $0.url.hasSuffix("/send") } == 1_000)
        // Calls that came after the failure share another request.
        #expect(keyRequests(transport) <= 20)
    }

    @Test("against a silent vendor a send ends by its deadline, keys and all", arguments: [30, 3])
    func silentVendor(seconds: Int) async throws {
        let clock = VirtualClock()
        let transport = ScriptedTransport { request, _ throws(PushError) in
            clock.advance(by: request.timeout)
            throw PushError(.timeout, "no answer", retry: .backoff, effect: .unknown)
        }
        let client = makeClient(transport, for: keyed(), clock: clock) { $0.deadline = .seconds(seconds) }
        let error = await #expect(throws: PushError.self) { try await client.send(message, to: .everyone) }
        // The message went out without a key, in the remaining time.
        #expect(error?.effect == .unknown && transport.requests.contains { $0.url.hasSuffix("/send") })
        #expect(clock.elapsed <= .seconds(seconds))
    }

    @Test("without a key the send goes unkeyed, says so, and is not repeated after a lost answer")
    func unkeyed() async throws {
        let log = EventLog()
        let transport = ScriptedTransport { request, _ throws(PushError) in
            request.url.contains("/keys") ? try Result.status(500).get() : try Result.lost.get()
        }
        let client = makeClient(transport, for: keyed()) { $0.layers = [log] }
        let error = await #expect(throws: PushError.self) { try await client.send(message, to: .everyone) }
        #expect(error?.effect == .unknown)
        #expect(transport.requests.count { $0.url.hasSuffix("/send") } == 1)
        #expect(log.lines.contains("unkeyed"))
        if case .unkeyed(let reason) = try #require(error?.report?.slices.first).keying {
            #expect(reason.contains("server"))
        } else {
            Issue.record("the report calls the slice keyed")
        }
    }

    @Test(
        "a message that the vendor does not take costs no request, with and without keys at hand",
        arguments: [Audience.everyone, .devices(["a"]), .devices(["a", "b", "c", "d", "e"])], [true, false])
    func refused(audience: Audience, requiresKeys: Bool) async throws {
        let transport = ScriptedTransport(.ok)
        var acme = keyed()
        acme.refusesMessages = true
        var options = SendOptions()
        options.requiresKeys = requiresKeys
        let demand = options
        let client = makeClient(transport, for: acme)
        let error = await #expect(throws: PushError.self) {
            try await client.send(message, to: audience, options: demand)
        }
        #expect(error?.kind == .tooLong)
        #expect(error?.message == "the message is too long")
        #expect(error?.effect == .notApplied)
        #expect(transport.requests.isEmpty)
        // The report says that nothing was sent, not that there was no key.
        for slice in error?.report?.slices ?? [] { #expect(slice.keying == .unkeyed("nothing was sent")) }
    }

    @Test("what is refused uses up no key that is at hand")
    func givenBack() async throws {
        let transport = ScriptedTransport(.ok)
        let client = makeClient(transport, for: keyed())
        _ = try await client.send(message, to: .everyone)
        let refused = Message(custom: CustomMessage(content: Acme.refusedContent))
        for _ in 0..<300 {
            let error = await #expect(throws: PushError.self) { try await client.send(refused, to: .everyone) }
            #expect(error?.kind == .tooLong)
        }
        for _ in 0..<9 { _ = try await client.send(message, to: .everyone) }
        #expect(keyRequests(transport) == 1)
        let keys = transport.requests.filter { $0.url.hasSuffix("/send") }.map { $0.text.split(separator: "|")[0] }
        #expect(Set(keys).count == 10)
    }

    @Test("a send that demands keys is refused without one")
    func demanded() async throws {
        let transport = ScriptedTransport { request, _ throws(PushError) in
            request.url.contains("/keys") ? try Result.status(500).get() : try Result.ok.get()
        }
        var options = SendOptions()
        options.requiresKeys = true
        let demand = options
        let error = await #expect(throws: PushError.self) {
            try await makeClient(transport, for: keyed()).send(message, to: .devices(["a"]), options: demand)
        }
        // The outcome of the request for keys is unknown, but the message was certainly not sent.
        #expect(error?.effect == .notApplied)
        #expect(error?.report?.exceptions.map(\.status) == [.notAttempted])
        #expect(transport.requests.allSatisfy { !$0.url.hasSuffix("/send") })
    }

    @Test("a key that is refused says nothing about the message: no target of the list was tried", arguments: [1, 7])
    func refusedKey(count: Int) async throws {
        let transport = ScriptedTransport { request, _ throws(PushError) in
            request.url.contains("/keys") ? try Result.status(400).get() : try Result.ok.get()
        }
        var options = SendOptions()
        options.requiresKeys = true
        let demand = options
        let devices = (0..<count).map { DeviceID("d\($0)") }
        let error = await #expect(throws: PushError.self) {
            try await makeClient(transport, for: keyed()).send(message, to: .devices(devices), options: demand)
        }
        let report = try #require(error?.report)
        #expect(report.exceptions.map(\.status) == Array(repeating: .notAttempted, count: count))
        #expect(report.retryable().count == count)
        #expect(transport.requests.allSatisfy { !$0.url.hasSuffix("/send") })
    }

    @Test("keys are waited for as long as the slice may wait, so a pause does not make a send unkeyed")
    func pausedKeys() async throws {
        let clock = VirtualClock()
        let transport = ScriptedTransport { request, number throws(PushError) in
            number == 1 ? try Result.status(429, [.retryAfter: "300"]).get() : try Result.ok.get()
        }
        let client = makeClient(transport, for: keyed(), clock: clock)
        let report = try await client.send(message, to: .devices((0..<12).map { DeviceID("d\($0)") }))
        #expect(report.slices.map(\.keying) == Array(repeating: .keyed(.vendor), count: 4))
        #expect(report.isComplete)
        #expect(keyRequests(transport) == 2)
        #expect(clock.elapsed >= .seconds(300))
    }

    @Test("a cancelled send does not wait for a key that others ask for")
    func cancelledWait() async throws {
        // Cancelling the sends does not cancel the key request that they share.
        let isOver = Locked(false)
        defer { isOver.withLock { $0 = true } }
        let transport = ScriptedTransport { request, _ throws(PushError) in
            await until { Task.isCancelled || isOver.withLock { $0 } }
            throw PushError(.cancelled, "cancelled", effect: .unknown)
        }
        let client = makeClient(transport, for: keyed())
        let first = Task { try await client.send(message, to: .everyone) }
        await until { !transport.requests.isEmpty }
        let second = Task { try await client.send(message, to: .everyone) }
        for _ in 0..<100 { await Task.yield() }
        second.cancel()
        let error = await #expect(throws: PushError.self) { try await second.value }
        #expect(error?.kind == .cancelled)
        #expect(error?.effect == .notApplied)
        first.cancel()
        await #expect(throws: PushError.self) { try await first.value }
    }

    // MARK: Keys from the caller

    private func making() -> Acme {
        var acme = Acme()
        acme.capabilities.support[.mintKeys] = .unsupported("the caller makes them")
        acme.capabilities.callerKeys = [.push: KeyMemory(.seconds(3600), source: "test")]
        acme.capabilities.limits[.idempotencyKey] = Limit(32, .utf8Bytes, .reject, source: "test")
        return acme
    }

    private func keys(_ transport: ScriptedTransport) -> [String] {
        transport.requests.map { String($0.text.split(separator: "|")[0]) }
    }

    @Test("where the caller makes the keys, every slice gets one at no cost, and a lost answer is repeated under it")
    func callerKeys() async throws {
        let transport = ScriptedTransport { _, number throws(PushError) in
            number == 1 ? try Result.lost.get() : try Result.ok.get()
        }
        let client = makeClient(transport, for: making())
        let report = try await client.send(message, to: .devices((1...6).map { DeviceID("d\($0)") }))
        #expect(report.isComplete && report.slices.allSatisfy { $0.keying == .keyed(.vendor) })
        #expect(transport.requests.count == 3)
        #expect(Set(keys(transport)).count == 2)
        #expect(keys(transport).allSatisfy { $0.utf8.count == 32 })
        #expect(client.explain(message, to: .everyone).steps.map(\.operation) == [.send])
    }

    @Test("a send that is named has the same keys when it is made again")
    func named() async throws {
        let transport = ScriptedTransport(.ok)
        for _ in 0..<2 {
            let client = makeClient(transport, for: making()) { $0.concurrentSlices = 1 }
            _ = try await client.send(message, to: list(1...6), options: options("order"))
        }
        let keys = keys(transport)
        #expect(keys.count == 4 && keys[0] == keys[2] && keys[1] == keys[3] && keys[0] != keys[1])
        #expect(keys.allSatisfy { $0.hasPrefix("order-") && $0.utf8.count == "order-".utf8.count + 16 })
    }

    @Test("another list under the same name has other keys, so that nothing of it is taken for what went before")
    func otherLists() async throws {
        let transport = ScriptedTransport(.ok)
        let client = makeClient(transport, for: making())
        let lists: [Audience] = [
            list(1...3), list(4...6), list(1...2), .everyone, .tagged(anyOf: ["a"]), .tagged(anyOf: ["b"]),
        ]
        for list in lists { _ = try await client.send(message, to: list, options: options("order")) }
        // A name that looks like another name's key is still a different name.
        _ = try await client.send(message, to: list(1...3), options: options("order-1"))
        #expect(Set(keys(transport)).count == lists.count + 1)
    }

    @Test("a name that was used before keeps its age: the send is refused once the vendor may have forgotten the keys")
    func firstUse() async throws {
        let clock = VirtualClock()
        for (age, isSent) in [(3000.0, true), (3300, false), (9000, false)] {
            let transport = ScriptedTransport(.ok)
            let client = makeClient(transport, for: making(), clock: clock)
            var options = options("order")
            options.keyFirstUsedAt = clock.date.addingTimeInterval(-age)
            do throws(PushError) {
                let report = try await client.send(message, to: list(1...3), options: options)
                #expect(report.isComplete && isSent)
            } catch {
                #expect(!isSent && error.kind == .invalidState && error.effect == .notApplied)
            }
            #expect(transport.requests.count == (isSent ? 1 : 0))
        }
        var nameless = SendOptions()
        nameless.keyFirstUsedAt = clock.date
        let client = makeClient(ScriptedTransport(.ok), for: making())
        let error = await #expect(throws: PushError.self) {
            try await client.send(message, to: list(1...3), options: nameless)
        }
        #expect(error?.kind == .invalidArgument)
    }

    @Test("a stream that is named has the keys of the same list in memory")
    func namedStream() async throws {
        let transport = ScriptedTransport(.ok)
        let devices = (1...6).map { DeviceID("d\($0)") }
        let client = makeClient(transport, for: making()) { $0.concurrentSlices = 1 }
        _ = try await client.send(message, to: .devices(devices), options: options("order"))
        let stream = AsyncStream { continuation in
            for device in devices { continuation.yield(device) }
            continuation.finish()
        }
        _ = try await client.send(message, toDevices: stream, options: options("order"))
        #expect(keys(transport).count == 4 && Set(keys(transport)).count == 2)
    }

    @Test("a key that was never sent cannot have been forgotten, however long its send waited")
    func longWait() async throws {
        let clock = VirtualClock()
        let transport = ScriptedTransport { _, number throws(PushError) in
            number == 1 ? try Result.status(429, [.retryAfter: "3600"]).get() : try Result.ok.get()
        }
        var acme = making()
        acme.capabilities.callerKeys = [.push: KeyMemory(.seconds(60), source: "test")]
        let client = makeClient(transport, for: acme, clock: clock) { $0.concurrentSlices = 2 }
        var options = SendOptions()
        options.deadline = .seconds(7200)
        let report = try await client.send(message, to: list(1...6), options: options)
        #expect(report.slices.contains { $0.isAccepted } && clock.elapsed >= .seconds(3600))
        #expect(report.slices.allSatisfy { $0.error?.kind != .invalidState })
    }

    private func options(_ key: String) -> SendOptions {
        var options = SendOptions()
        options.key = key
        return options
    }

    private func list(_ numbers: ClosedRange<Int>) -> Audience { .devices(numbers.map { DeviceID("d\($0)") }) }

    @Test("a key of the caller's is not used after the vendor may have forgotten it")
    func expired() async throws {
        var acme = making()
        acme.capabilities.callerKeys = [.push: KeyMemory(.milliseconds(40), source: "test")]
        let transport = ScriptedTransport(.lost)
        let error = await #expect(throws: PushError.self) {
            try await makeClient(transport, for: acme).send(message, to: .everyone)
        }
        #expect(error?.effect == .unknown && transport.requests.count == 1)
    }

    @Test("a name is refused where nobody takes it, where it does not fit, and when it is empty")
    func badNames() async throws {
        let transport = ScriptedTransport(.ok)
        func kind(_ acme: Acme, _ key: String) async -> PushError? {
            await #expect(throws: PushError.self) {
                try await makeClient(transport, for: acme).send(message, to: .everyone, options: options(key))
            }
        }
        let long = await kind(making(), String(repeating: "k", count: 16))
        #expect(long?.kind == .tooLong && long?.message.contains("the client adds 17 of them") == true)
        #expect(await kind(making(), "")?.kind == .invalidArgument)
        #expect(await kind(making(), "a b")?.kind == .invalidArgument)
        #expect(await kind(keyed(), "k")?.kind == .unsupported)
        #expect(transport.requests.isEmpty)
        _ = try await makeClient(transport, for: making()).send(
            message, to: .everyone, options: options(String(repeating: "k", count: 15)))
        #expect(transport.requests.count == 1)
    }

    @Test("a provider without keys says so in the report")
    func noKeys() async throws {
        let report = try await makeClient(ScriptedTransport(.ok)).send(message, to: .everyone)
        #expect(report.slices.first?.keying == .unkeyed("acme has no idempotency keys"))
    }
}
