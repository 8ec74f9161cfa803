import FoundationEssentials
import PushAdapter
import PushClient
import PushSimulation
import TestSupport
import Testing

@Suite("Retries")
struct RetryTests {
    enum Kind: CaseIterable {
        case idempotent
        case keyed
        case unkeyed
    }

    private func idempotency(_ kind: Kind, _ clock: VirtualClock) -> Idempotency {
        switch kind {
        case .idempotent: .idempotent
        case .keyed: .keyed(Acme.key(from: clock.date))
        case .unkeyed: .unkeyed
        }
    }

    @Test("what was not applied is tried again, whatever the idempotency", arguments: Kind.allCases)
    func notApplied(kind: Kind) async throws {
        let transport = ScriptedTransport(.refusedConnection, .refusedConnection, .ok)
        let clock = VirtualClock()
        try await makeClient(transport, clock: clock).run(Acme().call(idempotency(kind, clock)))
        #expect(transport.requests.count == 3)
    }

    @Test(
        "a lost answer is tried again only where that is harmless",
        arguments: [(Kind.idempotent, 3), (.keyed, 3), (.unkeyed, 1)])
    func unknown(kind: Kind, attempts: Int) async throws {
        let transport = ScriptedTransport(.lost)
        let clock = VirtualClock()
        let error = await #expect(throws: PushError.self) {
            try await makeClient(transport, clock: clock).run(Acme().call(idempotency(kind, clock)))
        }
        #expect(transport.requests.count == attempts)
        #expect(error?.effect == .unknown)
        #expect(error?.retry == (attempts == 3 ? .exhausted : .backoff))
        #expect(error?.operation == (kind == .unkeyed ? "test.write" : "test.read"))
    }

    @Test("a 5xx leaves the effect unknown, so an unkeyed write is not repeated", arguments: [500, 502, 503, 504])
    func serverErrors(status: Int) async {
        let transport = ScriptedTransport(.status(status))
        let error = await #expect(throws: PushError.self) { try await makeClient(transport).run(Acme().call(.unkeyed)) }
        #expect(transport.requests.count == 1)
        #expect(error?.effect == .unknown)
    }

    /// A vendor that documents two throttles with status 503: one has a code, the other has no body.
    private static let rows: [VendorErrorRow] = [
        .throttled(10, .rateLimited, "too fast", "test").certain(at: 503),
        .throttled(.status(503), .rateLimited, "too fast", "test").certain(at: 503),
        .throttled(11, .rateLimited, "no source says that nothing was done", "test"),
    ]

    private static func throttling() -> Acme {
        var acme = Acme()
        acme.diagnosis = { response in
            let detail = { (code: VendorCode?) in VendorDetail(code: code, httpStatus: response.status) }
            if let row = rows.row(ofBare: response) { return PushError(row, detail(nil), of: "acme") }
            guard !response.isSuccess, let code = Int(String(decoding: response.body, as: UTF8.self)) else {
                return nil
            }
            return PushError(rows.row(VendorCode(code)), detail(VendorCode(code)), of: "acme", in: response)
        }
        return acme
    }

    @Test(
        "a 5xx is a refusal only with the status and the body that the vendor documents as one",
        arguments: [
            (503, "10", true), (503, "", true), (500, "10", false), (500, "", false), (503, "11", false),
            (503, "<html>", false), (503, "999", false),
        ])
    func documentedRefusals(status: Int, body: String, isCertain: Bool) async throws {
        let failure = WireResponse(status: status, body: Array(body.utf8))
        let transport = ScriptedTransport(.success(failure), .ok)
        let client = makeClient(transport, for: Self.throttling())
        guard isCertain else {
            let error = await #expect(throws: PushError.self) { try await client.run(Acme().call(.unkeyed)) }
            #expect(error?.effect == .unknown && error?.vendor?.isCertain != true && transport.requests.count == 1)
            return
        }
        try await client.run(Acme().call(.unkeyed))
        #expect(transport.requests.count == 2)
        let lasting = makeClient(ScriptedTransport(.success(failure)), for: Self.throttling())
        let error = await #expect(throws: PushError.self) { try await lasting.run(Acme().call(.unkeyed)) }
        #expect(error?.effect == .notApplied && error?.kind == .rateLimited && error?.vendor?.isCertain == true)
    }

    @Test("a vendor's least wait after a failure is kept, with a random part on top")
    func leastWait() async throws {
        let clock = VirtualClock()
        var acme = Acme()
        acme.capabilities.leastWaits = [.server: .seconds(10)]
        let client = makeClient(ScriptedTransport(.status(503), .ok), for: acme, clock: clock)
        try await client.run(acme.call(.idempotent))
        #expect(clock.sleeps == [.seconds(20)])
    }

    @Test("a refusal is not tried again")
    func refusal() async {
        let transport = ScriptedTransport(.status(400))
        await #expect(throws: PushError.self) { try await makeClient(transport).run(Acme().call(.idempotent)) }
        #expect(transport.requests.count == 1)
    }

    @Test("a key that dies before the next try is not used again")
    func dyingKey() async {
        let clock = VirtualClock()
        let transport = ScriptedTransport { _, _ throws(PushError) in
            clock.advance(by: .seconds(5))
            return try Result.lost.get()
        }
        let key = Acme.key(lives: 8, from: clock.date)
        await #expect(throws: PushError.self) {
            try await makeClient(transport, clock: clock).run(Acme().call(.keyed(key)))
        }
        #expect(transport.requests.count == 2)
    }

    @Test("a later try that did nothing does not make an earlier lost one harmless")
    func lostBefore() async throws {
        for (later, kind) in [
            (Result<WireResponse, PushError>.refusedConnection, PushError.Kind.transport),
            (.status(400), .invalidArgument),
            (.status(401), .unauthorized),
        ] {
            let clock = VirtualClock()
            let transport = ScriptedTransport(.lost, later)
            let error = await #expect(throws: PushError.self) {
                try await makeClient(transport, clock: clock).run(Acme().call(.keyed(Acme.key(from: clock.date))))
            }
            #expect(error?.kind == kind)
            #expect(error?.effect == .unknown)
        }
        var acme = Acme()
        acme.mintsKeys = true
        let transport = ScriptedTransport { request, number throws(PushError) in
            if request.url.contains("/keys") { return try Result.ok.get() }
            return try (number == 2 ? Result.lost : .status(400)).get()
        }
        let error = await #expect(throws: PushError.self) {
            try await makeClient(transport, for: acme).send(
                Message(custom: CustomMessage(content: "c")), to: .devices(["a"]))
        }
        #expect(error?.report?.exceptions.map(\.status) == [.unknown])
        #expect(error?.report?.retryable().isEmpty == true)
    }

    @Test("a key that expired while the call waited is not sent")
    func expiredKey() async {
        let clock = VirtualClock()
        let transport = ScriptedTransport(.ok)
        let key = Acme.key(lives: 5, from: clock.date)
        clock.advance(by: .seconds(6))
        let error = await #expect(throws: PushError.self) {
            try await makeClient(transport, clock: clock).run(Acme().call(.keyed(key)))
        }
        #expect(error?.kind == .invalidState)
        #expect(error?.effect == .notApplied)
        #expect(transport.requests.isEmpty)
    }

    @Test("a decoder that fails after an accepted request leaves the effect unknown")
    func decoderFails() async {
        let exchange = Exchange<Void>("test.write", WireRequest(.post, "api"), idempotency: .unkeyed) {
            _ throws(PushError) in
            throw PushError(.malformedResponse, "odd")
        }
        let error = await #expect(throws: PushError.self) { try await makeClient(ScriptedTransport(.ok)).run(exchange) }
        #expect(error?.effect == .unknown)
    }

    @Test(
        "durations beyond all measure trap nowhere", arguments: [Duration.seconds(Int64.max), .seconds(Int64.max / 2)])
    func hugeDurations(duration: Duration) async throws {
        let client = makeClient(ScriptedTransport(.refusedConnection, .ok)) { configuration in
            configuration.deadline = duration
            configuration.attemptTimeout = duration
        }
        try await client.run(Acme().call(.idempotent))
    }

    @Test("every attempt is signed afresh")
    func freshSignature() async throws {
        let transport = ScriptedTransport(.refusedConnection, .ok)
        try await makeClient(transport).run(Acme().call(.idempotent))
        let signatures = transport.requests.map { $0.headers[.authorization] }
        #expect(signatures.count == 2)
        #expect(signatures[0] != signatures[1])
    }

    @Test("the random delay doubles from 50 ms; after a throttle it is a second at least")
    func jitter() async throws {
        let clock = VirtualClock()
        let transport = ScriptedTransport(.refusedConnection, .refusedConnection, .ok)
        try await makeClient(transport, clock: clock).run(Acme().call(.idempotent))
        #expect(clock.sleeps == [.milliseconds(50), .milliseconds(100)])

        let throttledClock = VirtualClock()
        let throttled = ScriptedTransport(.status(429), .ok)
        try await makeClient(throttled, clock: throttledClock).run(Acme().call(.idempotent))
        #expect(throttledClock.sleeps.first == .seconds(2))

        let soonest = VirtualClock()
        let again = ScriptedTransport(.status(429), .ok)
        try await makeClient(again, clock: soonest, { $0.random = RandomSource { 0 } }).run(Acme().call(.idempotent))
        #expect(soonest.sleeps.first == .seconds(1))
    }

    @Test(
        "a 429 says when to come back, in every form a server may use",
        arguments: [
            ("7", 7.0), ("Sun, 13 Sep 2026 14:13:30 GMT", 10), ("  12\t", 12), ("000000000000000000029", 29),
        ])
    func retryAfter(header: String, seconds: Double) async throws {
        // 2026-09-13 14:13:20 UTC.
        let clock = VirtualClock(startingAt: Date(timeIntervalSince1970: 1_789_308_800))
        let transport = ScriptedTransport(.status(429, [.retryAfter: header]), .ok)
        try await makeClient(transport, clock: clock).run(Acme().call(.idempotent))
        #expect(clock.sleeps.first == .seconds(seconds))
    }

    @Test(
        "a Retry-After that is unreadable, negative, zero or past falls back to the random delay",
        arguments: [
            "soon", "", "12 monkeys", "1e3", "-5", "+5", "0", "Sun, 13 Sep 2020 00:00:00 GMT",
            "Sun, 99 Foo 2026 1:2 GMT",
        ])
    func unreadableRetryAfter(header: String) async throws {
        let clock = VirtualClock()
        let transport = ScriptedTransport(.status(429, [.retryAfter: header]), .ok)
        try await makeClient(transport, clock: clock).run(Acme().call(.idempotent))
        #expect(clock.sleeps.first == .seconds(2))
    }

    @Test("the vendor's reset wins over Retry-After")
    func resetWins() async throws {
        let clock = VirtualClock()
        var headers: HTTPFields = [.retryAfter: "20"]
        headers[try #require(HTTPField.Name("X-Reset"))] = "4"
        let transport = ScriptedTransport(.status(429, headers), .ok)
        try await makeClient(transport, clock: clock).run(Acme().call(.idempotent))
        #expect(clock.sleeps.first == .seconds(4))
    }

    @Test("a hint beyond the deadline fails at once, with the time and nothing applied")
    func hintBeyondDeadline() async {
        let clock = VirtualClock()
        let transport = ScriptedTransport(.status(429, [.retryAfter: "99999999"]))
        let error = await #expect(throws: PushError.self) {
            try await makeClient(transport, clock: clock).run(Acme().call(.idempotent))
        }
        #expect(error?.kind == .rateLimited)
        #expect(error?.effect == .notApplied)
        #expect(error?.retry == .after(.seconds(3600)))
        #expect(clock.sleeps.isEmpty)
        #expect(transport.requests.count == 1)
    }

    @Test("the deadline wins over attempts that are left")
    func deadline() async {
        let clock = VirtualClock()
        let transport = ScriptedTransport { request, _ throws(PushError) in
            clock.advance(by: request.timeout)
            return try Result.lost.get()
        }
        await #expect(throws: PushError.self) {
            try await makeClient(transport, clock: clock, { $0.deadline = .seconds(15) }).run(Acme().call(.idempotent))
        }
        let timeouts = transport.requests.map(\.timeout)
        #expect(timeouts.first == .seconds(10))
        #expect(timeouts.count == 2)
        #expect(timeouts.last.map { $0 < .seconds(5) } == true)
    }

    @Test("a client's retries share a budget, so an outage does not become a storm")
    func budget() async {
        let log = EventLog()
        let transport = ScriptedTransport(.refusedConnection)
        let client = makeClient(transport) { configuration in
            configuration.retry.budget = 3
            configuration.layers = [log]
        }
        for _ in 0..<10 { _ = try? await client.run(Acme().call(.idempotent)) }
        #expect(transport.requests.count == 13)
        #expect(log.lines.contains("budget empty"))
    }

    @Test("what the server did not process takes an attempt and a backoff, but nothing from the budget")
    func unprocessed() async {
        let clock = VirtualClock()
        let transport = ScriptedTransport(
            .failure(PushError(.transport, "the server refused the request", retry: .after(.zero))))
        let client = makeClient(transport, clock: clock) { $0.retry.budget = 0 }
        let start = clock.elapsed
        let error = await #expect(throws: PushError.self) { try await client.run(Acme().call(.unkeyed)) }
        #expect(transport.requests.count == 3 && clock.elapsed == start + .milliseconds(150))
        #expect(error?.effect == .notApplied && error?.retry == .exhausted)
        let single = makeClient(transport, clock: clock) { $0.retry = .none }
        let first = await #expect(throws: PushError.self) { try await single.run(Acme().call(.unkeyed)) }
        #expect(transport.requests.count == 4 && first?.retry == .backoff)
    }

    @Test("a tenth of a retry is earned by each call that succeeds, and none by one that fails")
    func earnedBudget() async {
        let isDown = Locked(true)
        let transport = ScriptedTransport { _, _ throws(PushError) in
            try (isDown.withLock { $0 } ? Result.refusedConnection : .ok).get()
        }
        let client = makeClient(transport)
        for _ in 0..<1000 { _ = try? await client.run(Acme().call(.idempotent)) }
        #expect(transport.requests.count == 1010)
        isDown.withLock { $0 = false }
        for _ in 0..<20 { _ = try? await client.run(Acme().call(.idempotent)) }
        isDown.withLock { $0 = true }
        for _ in 0..<20 { _ = try? await client.run(Acme().call(.idempotent)) }
        // The twenty that succeeded earned two retries.
        #expect(transport.requests.count == 1052)
    }

    @Test("whatever it says, a server that fails may have acted", arguments: [500, 503, 504, 599])
    func failingServer(status: Int) async {
        var acme = Acme()
        acme.refusedStatus = status
        let error = await #expect(throws: PushError.self) {
            try await makeClient(ScriptedTransport(.status(status)), for: acme).run(Acme().call(.unkeyed))
        }
        #expect(error?.effect == .unknown && error?.message == "refused")
    }

    @Test("a refusing status with a body that accepts is unknown, and an unkeyed request is not repeated")
    func contradiction() async throws {
        let transport = ScriptedTransport(.success(WireResponse(status: 429, body: Array(#"{"id":"1"}"#.utf8))), .ok)
        let error = await #expect(throws: PushError.self) {
            try await makeClient(transport).send(Message(custom: CustomMessage(content: "c")), to: .everyone)
        }
        #expect(error?.kind == .rateLimited && error?.effect == .unknown && transport.requests.count == 1)
    }

    @Test("a body that accepts is one, also if the decoder takes an empty object and no other one")
    func emptyContradiction() async throws {
        let said = WireResponse(status: 429, body: Array(#"{"results":[{}]}"#.utf8))
        let client = makeClient(ScriptedTransport(.success(said), .ok))
        var asked = Acme().call(.unkeyed)
        asked.decode = { (response) throws(PushError) in
            let text = String(decoding: response.body, as: UTF8.self)
            guard text == "{}" || text.contains("results") else {
                throw PushError(.malformedResponse, "no results")
            }
        }
        let call = asked
        let error = await #expect(throws: PushError.self) { try await client.run(call) }
        #expect(error?.kind == .rateLimited && error?.effect == .unknown)
    }

    @Test("events tell the story in order")
    func events() async throws {
        let log = EventLog()
        let transport = ScriptedTransport(.status(503), .ok)
        try await makeClient(transport, { $0.layers = [log] }).run(Acme().call(.idempotent))
        #expect(
            log.lines == [
                "test.read begins", "attempt 1", "answered 503", "failed server", "retry after 0.05 for server",
                "attempt 2", "answered 200", "test.read done",
            ])
    }

    @Test("a cancelled wait says what the try before it may have done")
    func cancelledWait() async {
        let transport = ScriptedTransport(.lost)
        let client = makeClient(transport) {
            $0.clock = StillClock()
            $0.retry.base = .seconds(60)
            $0.retry.longestDelay = .seconds(20)
            $0.random = RandomSource { .max }
        }
        let task = Task { try await client.run(Acme().call(.idempotent)) }
        await until { !client.waitingCalls.isEmpty }
        task.cancel()
        let error = await #expect(throws: PushError.self) { try await task.value }
        #expect(error?.kind == .cancelled)
        #expect(error?.effect == .unknown)
    }
}
