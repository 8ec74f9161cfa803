import FoundationEssentials
import PushAdapter
import PushClient
import PushMemory
import PushSimulation
import TestSupport
import Testing

@Suite("Access tokens")
struct TokenTests {
    private let message = Message(custom: CustomMessage(content: "c"))

    /// A vendor with the token endpoint `/token`. Its tokens are `t1`, `t2` and so on, by the number of the request.
    private func acme(life: Double = 3600, margin: Double = 300) -> Acme {
        var acme = Acme()
        acme.capabilities.support[.mintToken] = .native
        acme.tokens = TokenMinting(renewalMargin: .seconds(margin)) { (_, _) throws(PushError) in
            .fetched(
                by: Exchange(
                    .mintToken, WireRequest(.post, "api", path: ["token"]), credential: .none, idempotency: .idempotent
                ) { (response) throws(PushError) in
                    struct Reply: Decodable { var id: String }
                    return AccessToken(
                        Secret(try response.json(Reply.self).id), mintedAt: response.receivedAt,
                        expiresAt: response.receivedAt.addingTimeInterval(life))
                })
        }
        acme.diagnosis = { response in
            let vendor = VendorDetail(code: "REFUSED", httpStatus: response.status)
            return switch response.status {
            case 401: PushError(.unauthorized, "the token is refused", retry: .afterRenewal, vendor: vendor)
            case 403: PushError(.unauthorized, "the key is refused", vendor: vendor)
            default: nil
            }
        }
        return acme
    }

    /// Issues tokens, and accepts all of them except those in `refused`.
    private func vendor(refusing refused: Set<String> = []) -> ScriptedTransport {
        let given = Locked(0)
        return ScriptedTransport { (request, _) throws(PushError) in
            guard request.url.hasSuffix("/token") else {
                let token = String((request.headers[.authorization] ?? "").dropFirst("Bearer ".count))
                return try refused.contains(token) ? Result.status(401).get() : Result.ok.get()
            }
            for _ in 0..<20 { await Task.yield() }
            let number = given.withLock { given in
                given += 1
                return given
            }
            return WireResponse(status: 200, body: Array(#"{"id":"t\#(number)"}"#.utf8))
        }
    }

    private func tokens(of transport: ScriptedTransport) -> [String] {
        transport.requests.filter { !$0.url.hasSuffix("/token") }.map { $0.headers[.authorization] ?? "none" }
    }

    private func exchanges(_ transport: ScriptedTransport) -> Int {
        transport.requests.count { $0.url.hasSuffix("/token") }
    }

    @Test("two hundred first calls make one exchange, which itself is not signed")
    func singleFlight() async throws {
        let transport = vendor()
        let client = makeClient(transport, for: acme())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 { group.addTask { _ = try await client.send(message, to: .everyone) } }
            try await group.waitForAll()
        }
        #expect(exchanges(transport) == 1)
        #expect(Set(tokens(of: transport)) == ["Bearer t1"] && tokens(of: transport).count == 200)
        #expect(transport.requests.first?.headers[.authorization] == nil)
    }

    @Test("a token is renewed before it expires, and calls go on with the old one meanwhile")
    func renewal() async throws {
        let clock = VirtualClock()
        let transport = vendor()
        let client = makeClient(transport, for: acme(), clock: clock)
        _ = try await client.send(message, to: .everyone)
        clock.advance(by: .seconds(3290))
        _ = try await client.send(message, to: .everyone)
        #expect(exchanges(transport) == 1)
        clock.advance(by: .seconds(20))
        _ = try await client.send(message, to: .everyone)
        await until { exchanges(transport) >= 2 }
        try await until {
            _ = try await client.send(message, to: .everyone)
            return tokens(of: transport).last == "Bearer t2"
        }
        #expect(exchanges(transport) == 2)
        #expect(tokens(of: transport).prefix(3) == ["Bearer t1", "Bearer t1", "Bearer t1"])
    }

    @Test("an expired token is not sent")
    func expiry() async throws {
        let clock = VirtualClock()
        let transport = vendor()
        let client = makeClient(transport, for: acme(), clock: clock)
        _ = try await client.send(message, to: .everyone)
        clock.advance(by: .seconds(3600))
        _ = try await client.send(message, to: .everyone)
        #expect(tokens(of: transport) == ["Bearer t1", "Bearer t2"])
    }

    @Test("a token with a short life is not renewed for each call")
    func shortLife() async throws {
        let transport = vendor()
        let client = makeClient(transport, for: acme(life: 60))
        for _ in 0..<10 { _ = try await client.send(message, to: .everyone) }
        #expect(exchanges(transport) == 1)
    }

    @Test("a refused token is replaced once, outside the retries, and all calls share the new one")
    func refusal() async throws {
        let clock = VirtualClock()
        let transport = vendor(refusing: ["t1"])
        let client = makeClient(transport, for: acme(), clock: clock) { $0.retry = .none }
        // A token that is a few seconds old, which the vendor would have accepted then.
        let warm = Task { try await client.send(message, to: .everyone) }
        _ = await warm.result
        clock.advance(by: .seconds(10))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 { group.addTask { _ = try await client.send(message, to: .everyone) } }
            try await group.waitForAll()
        }
        #expect(exchanges(transport) == 2)
        #expect(Set(tokens(of: transport)) == ["Bearer t1", "Bearer t2"])
    }

    @Test(
        "when the vendor refuses every token, a call ends after one renewal, and the next does not fetch a third at once"
    )
    func hopeless() async throws {
        let clock = VirtualClock()
        let transport = vendor(refusing: ["t1", "t2", "t3"])
        let client = makeClient(transport, for: acme(), clock: clock)
        func refused() async -> PushError? {
            await #expect(throws: PushError.self) { try await client.send(message, to: .everyone) }
        }
        let first = await refused()
        #expect(first?.kind == .unauthorized && first?.retry == .never && first?.effect == .notApplied)
        #expect(exchanges(transport) == 1)
        clock.advance(by: .seconds(6))
        _ = await refused()
        #expect(exchanges(transport) == 2)
        _ = await refused()
        #expect(exchanges(transport) == 2)
    }

    @Test("without a token nothing is sent, the error says why, and the targets can be sent to later")
    func noToken() async throws {
        let transport = ScriptedTransport(.status(403))
        let client = makeClient(transport, for: acme())
        let error = await #expect(throws: PushError.self) {
            try await client.send(message, to: .devices((1...9).map { DeviceID("d\($0)") }))
        }
        #expect(error?.kind == .unauthorized && error?.effect == .notApplied)
        #expect(error?.message.contains("no access token was available, so nothing was sent") == true)
        #expect(error?.report?.exceptions.map(\.status) == Array(repeating: .notAttempted, count: 9))
        #expect(exchanges(transport) == transport.requests.count && exchanges(transport) == 1)
        // The client does not ask the endpoint again right after a refusal.
        _ = try? await client.send(message, to: .everyone)
        #expect(exchanges(transport) == 1)
    }

    @Test("a token endpoint that fails is retried once for all, not again by each call")
    func failingEndpoint() async throws {
        let transport = ScriptedTransport(.status(503))
        let client = makeClient(transport, for: acme())
        let error = await #expect(throws: PushError.self) { try await client.send(message, to: .everyone) }
        #expect(error?.retry == .exhausted && error?.effect == .notApplied)
        #expect(exchanges(transport) == 3 && transport.requests.count == 3)
    }

    @Test(
        "whatever failed at the token endpoint, the send was not made: no target is unknown, and all may be sent to later",
        arguments: [
            Result<WireResponse, PushError>.status(500), .status(503), .lost,
            .success(WireResponse(status: 200, body: Array("<html>".utf8))),
            .success(WireResponse(status: 502, body: Array("<html>".utf8))),
        ])
    func nothingMade(failure: Result<WireResponse, PushError>) async throws {
        let transport = ScriptedTransport(failure)
        var acme = acme()
        acme.capabilities.limits[.devicesPerSend]?.maximum = 1
        let client = makeClient(transport, for: acme)
        let error = await #expect(throws: PushError.self) {
            try await client.send(message, to: .devices(["a", "b"]))
        }
        #expect(error?.effect == .notApplied && exchanges(transport) == transport.requests.count)
        #expect(error?.report?.exceptions.map(\.status) == [.notAttempted, .notAttempted])
        #expect(
            error?.report?.exceptions.allSatisfy { $0.failure?.isWithoutProof == true } == true,
            "\(error?.report?.exceptions.map { "\($0) \(String(reflecting: $0.failure))" } ?? [])")
        #expect(error?.report?.retryable() == [.device("a"), .device("b")])
    }

    @Test("a throttled token endpoint delays a planned send, and does not eat the time of its requests")
    func throttledEndpoint() async throws {
        let clock = VirtualClock()
        var acme = acme()
        acme.capabilities.leastWaits = [.rateLimited: .seconds(60)]
        let refusal = acme.diagnosis
        acme.diagnosis = { response in
            guard response.status == 429 else { return refusal?(response) }
            return PushError(
                .rateLimited, "too fast", retry: .backoff, vendor: VendorDetail(code: 1, httpStatus: 429))
        }
        let transport = ScriptedTransport { (_, number) throws(PushError) in
            try number == 1 ? Result.status(429).get() : Result.ok.get()
        }
        let client = makeClient(transport, for: acme, clock: clock)
        let report = try await client.send(message, to: .devices((1...9).map { DeviceID("d\($0)") }))
        #expect(report.isComplete && exchanges(transport) == 2 && clock.elapsed >= .seconds(60))
    }

    @Test("a request for a token that itself asks for one is refused, and does not wait for itself")
    func selfReference() async throws {
        var acme = acme()
        acme.tokens = TokenMinting(renewalMargin: .zero) { (_, _) throws(PushError) in
            .fetched(
                by: Exchange(.mintToken, WireRequest(.post, "api", path: ["token"]), idempotency: .idempotent) {
                    _ throws(PushError) in
                    AccessToken(Secret("t"), mintedAt: .distantPast, expiresAt: .distantFuture)
                })
        }
        let transport = ScriptedTransport(.ok)
        let client = makeClient(transport, for: acme)
        let error = await #expect(throws: PushError.self) { try await client.send(message, to: .everyone) }
        #expect(error?.kind == .invalidState && transport.requests.isEmpty)
    }

    @Test(
        "a token that cannot be used is refused",
        arguments: [("", 3600.0), ("t", 0), ("t", -5)])
    func uselessTokens(text: String, life: Double) async throws {
        let transport = ScriptedTransport { (request, _) throws(PushError) in
            request.url.hasSuffix("/token")
                ? WireResponse(status: 200, body: Array(#"{"id":"\#(text)"}"#.utf8)) : try Result.ok.get()
        }
        let client = makeClient(transport, for: acme(life: life))
        let error = await #expect(throws: PushError.self) { try await client.send(message, to: .everyone) }
        #expect(error?.kind == .malformedResponse && error?.effect == .notApplied)
        #expect(transport.requests.count == exchanges(transport))
    }

    @Test("an adapter that refuses tokens without a vendor's word makes no endless loop")
    func mutePlea() async throws {
        var acme = acme()
        acme.diagnosis = { response in
            response.status == 401 ? PushError(.unauthorized, "refused", retry: .afterRenewal) : nil
        }
        let clock = VirtualClock()
        let transport = vendor(refusing: ["t1", "t2", "t3"])
        let client = makeClient(transport, for: acme, clock: clock)
        _ = try? await client.send(message, to: .everyone)
        clock.advance(by: .seconds(10))
        let error = await #expect(throws: PushError.self) { try await client.send(message, to: .everyone) }
        #expect(error?.retry == .never && exchanges(transport) == 2)
    }

    @Test("a token that expires while its call waits for a quota is replaced, and the quota gets its charge back")
    func expiryInTheQueue() async throws {
        let clock = VirtualClock()
        var acme = acme(life: 30, margin: 1)
        acme.capabilities.quotas = ["calls": Quota(1, per: .seconds(60), source: "test")]
        let transport = vendor()
        let client = makeClient(transport, for: acme, clock: clock) { $0.deadline = .seconds(300) }
        for _ in 0..<2 { _ = try await client.send(message, to: .everyone) }
        #expect(tokens(of: transport) == ["Bearer t1", "Bearer t2"])
        // The second call waited a minute with t1, returned its charge, and took it again at once.
        #expect(clock.elapsed < .seconds(125))
    }

    @Test("a token made here is shared, and not made more often than the vendor allows")
    func madeHere() async throws {
        let clock = VirtualClock()
        let made = Locked(0)
        var acme = acme()
        acme.tokens = TokenMinting(renewalMargin: .seconds(1800), minimumInterval: .seconds(1200)) {
            (_, now) throws(PushError) in
            let number = made.withLock { made in
                made += 1
                return made
            }
            return .made(
                AccessToken(Secret("m\(number)"), mintedAt: now, expiresAt: now.addingTimeInterval(3600)))
        }
        let transport = vendor(refusing: ["m1"])
        let client = makeClient(transport, for: acme, clock: clock)
        for seconds in [0, 600, 300] {
            clock.advance(by: .seconds(seconds))
            _ = try? await client.send(message, to: .everyone)
        }
        #expect(tokens(of: transport) == ["Bearer m1", "Bearer m1", "Bearer m1"])
        clock.advance(by: .seconds(400))
        _ = try await client.send(message, to: .everyone)
        #expect(tokens(of: transport).last == "Bearer m2" && made.withLock { $0 } == 2)
    }

    @Test("a caller that gives up does not end the exchange that others wait for")
    func cancellation() async throws {
        let gate = Locked(false)
        let transport = ScriptedTransport { (request, _) throws(PushError) in
            if request.url.hasSuffix("/token") { await until { gate.withLock { $0 } } }
            return try Result.ok.get()
        }
        let client = makeClient(transport, for: acme())
        let impatient = Task { try await client.send(message, to: .everyone) }
        await until { !transport.requests.isEmpty }
        let patient = Task { try await client.send(message, to: .everyone) }
        impatient.cancel()
        let error = await #expect(throws: PushError.self) { try await impatient.value }
        #expect(error?.kind == .cancelled && error?.effect == .notApplied)
        gate.withLock { $0 = true }
        #expect(try await patient.value.isComplete)
        #expect(exchanges(transport) == 1)
    }

    @Test("calls that wait for a token of a deleted key go on with the new one")
    func replacementWhileWaiting() async throws {
        let gate = Locked(false)
        let transport = ScriptedTransport { (request, number) throws(PushError) in
            guard request.url.hasSuffix("/token") else { return try Result.ok.get() }
            if number == 1 {
                await until { gate.withLock { $0 } }
                return try Result.status(403).get()
            }
            return WireResponse(status: 200, body: Array(#"{"id":"new"}"#.utf8))
        }
        let client = makeClient(transport, for: acme())
        let send = Task { try await client.send(message, to: .everyone) }
        await until { !transport.requests.isEmpty }
        try client.replaceCredentials(with: acme())
        gate.withLock { $0 = true }
        #expect(try await send.value.isComplete)
        #expect(tokens(of: transport) == ["Bearer new"])
    }

    /// A vendor that issues no token before this time, and takes one target per request.
    private func outage(
        until end: Duration, on clock: VirtualClock
    ) -> (transport: ScriptedTransport, acme: Acme) {
        var acme = acme()
        acme.capabilities.limits[.devicesPerSend]?.maximum = 1
        acme.capabilities.quotas = [:]
        let transport = ScriptedTransport { (request, _) throws(PushError) in
            guard request.url.hasSuffix("/token") else { return try Result.ok.get() }
            guard clock.elapsed >= end else { return try Result.status(503).get() }
            return WireResponse(status: 200, body: Array(#"{"id":"t1"}"#.utf8))
        }
        return (transport, acme)
    }

    private let list = Audience.devices((0..<1200).map { DeviceID("d\($0)") })

    @Test("a list waits while no token can be had, as for a throttle, and then sends to every target")
    func outlastedOutage() async throws {
        let clock = VirtualClock()
        let (transport, acme) = outage(until: .seconds(41), on: clock)
        // The waits of other targets move the clock too, also between two waits of one: 1,200 waits of half a minute
        // at most.
        let client = makeClient(transport, for: acme, clock: clock) {
            ($0.deadline, $0.plannedDeadline) = (.seconds(100_000), .seconds(100_000))
        }
        let report = try await client.send(message, to: list)
        #expect(report.isComplete && report.acceptedCount == 1200)
        #expect(exchanges(transport) < 60)
    }

    @Test("a list whose tokens stay away ends by its deadline, and was not attempted")
    func endlessOutage() async throws {
        let clock = VirtualClock()
        let (transport, acme) = outage(until: .seconds(1_000_000), on: clock)
        let error = await #expect(throws: PushError.self) {
            try await makeClient(transport, for: acme, clock: clock).send(message, to: list)
        }
        #expect(error?.effect == .notApplied && error?.report?.retryable().count == 1200)
        #expect(error?.report?.exceptions.allSatisfy { $0.status == .notAttempted } == true)
        #expect(tokens(of: transport).isEmpty && clock.elapsed < .seconds(17 * 60))
    }

    @Test("a single send does not wait for the end of an outage")
    func singleInOutage() async throws {
        let clock = VirtualClock()
        let (transport, acme) = outage(until: .seconds(1_000_000), on: clock)
        let error = await #expect(throws: PushError.self) {
            try await makeClient(transport, for: acme, clock: clock).send(message, to: .devices(["d1"]))
        }
        #expect(error?.kind == .server && error?.retry == .exhausted && clock.elapsed < .seconds(30))
    }

    @Test("a shutdown during the exchange says that the client was shut down")
    func shutdown() async throws {
        let transport = ScriptedTransport { (_, _) throws(PushError) in
            await untilCancelled()
            throw PushError(.cancelled, "cancelled", effect: .unknown)
        }
        let client = makeClient(transport, for: acme())
        let send = Task { try await client.send(message, to: .everyone) }
        await until { !transport.requests.isEmpty }
        await client.shutdown()
        let error = await #expect(throws: PushError.self) { try await send.value }
        #expect(error?.kind == .stopped)
        #expect(error?.effect == .notApplied)
    }

    @Test("new credentials sign the next call, without a restart; those of another vendor or place are refused")
    func replacement() async throws {
        let transport = vendor(refusing: ["t1"])
        let clock = VirtualClock()
        let client = makeClient(transport, for: acme(), clock: clock)
        _ = try? await client.send(message, to: .everyone)
        try client.replaceCredentials(with: acme())
        _ = try await client.send(message, to: .everyone)
        #expect(tokens(of: transport) == ["Bearer t1", "Bearer t2"])
        var elsewhere = acme()
        elsewhere.dataCenter = DataCenter("abroad", services: ["api": "https://acme.example"])
        for other in [elsewhere as any PushProvider, MemoryProvider(key: Secret("k"))] {
            let error = #expect(throws: PushError.self) { try client.replaceCredentials(with: other) }
            #expect(error?.kind == .misconfigured)
        }
    }

    @Test("no event, error or description holds a token")
    func secrecy() async throws {
        let log = EventLog()
        let transport = ScriptedTransport { (request, _) throws(PushError) in
            request.url.hasSuffix("/token")
                ? WireResponse(status: 200, body: Array(#"{"id":"ya29.sesame"}"#.utf8)) : try Result.status(401).get()
        }
        let client = makeClient(transport, for: acme()) { $0.layers = [log] }
        let thrown = await #expect(throws: PushError.self) { try await client.send(message, to: .everyone) }
        let error = try #require(thrown)
        var text = log.lines.joined() + "\(error)" + String(reflecting: error)
        dump(error, to: &text)
        dump(AccessToken(Secret("ya29.sesame"), mintedAt: .now, expiresAt: .now), to: &text)
        #expect(!text.contains("sesame"))
    }

    @Test("an error about a response with a token does not keep its body")
    func bodies() async throws {
        // The response is cut off after the token.
        let body = #"{"id":"ya29.sesame""#
        let transport = ScriptedTransport { (_, _) throws(PushError) in
            WireResponse(status: 200, body: Array(body.utf8))
        }
        let client = makeClient(transport, for: acme())
        let thrown = await #expect(throws: PushError.self) { try await client.send(message, to: .everyone) }
        let cause = try #require(thrown?.underlying as? PushError)
        #expect(cause.vendor != nil && cause.vendor?.body == [])
    }
}
