import FoundationEssentials
import PushAdapter
import PushClient
import PushSimulation
import Testing

/// The client's instructions to the transport about connections.
@Suite("Connections")
struct ConnectionTests {
    private func client(
        _ acme: Acme, _ transport: ScriptedTransport, _ clock: any PushClock = VirtualClock()
    ) -> PushClient {
        var configuration = ClientConfiguration()
        configuration.clock = clock
        return PushClient(acme, transport: transport, configuration: configuration)
    }

    private static func acme(_ group: String?) -> Acme {
        var acme = Acme()
        acme.group = group
        return acme
    }

    @Test("a request names the group of the key that signs it, also after the key was replaced")
    func groups() async throws {
        let transport = ScriptedTransport(.ok)
        let client = client(Self.acme("first"), transport)
        _ = try await client.send(Message(notification: Notification(body: "x")), to: .everyone)
        try client.replaceCredentials(with: Self.acme("second"))
        _ = try await client.send(Message(notification: Notification(body: "x")), to: .everyone)
        try client.replaceCredentials(with: Self.acme(nil))
        _ = try await client.send(Message(notification: Notification(body: "x")), to: .everyone)
        #expect(transport.requests.map(\.connectionGroup) == ["first", "second", nil])
        // The client retires the connections of a replaced key.
        #expect(transport.retiredGroups == ["first", "second"])
    }

    /// Signs with tokens minted here, `m1`, `m2` and so on, for an hour.
    private static func minting() -> Acme {
        var acme = acme("key")
        let made = Locked(0)
        acme.tokens = TokenMinting(renewalMargin: .zero) { (_, now) throws(PushError) in
            let number = made.withLock { made in
                made += 1
                return made
            }
            return .made(AccessToken(Secret("m\(number)"), mintedAt: now, expiresAt: now.addingTimeInterval(3600)))
        }
        return acme
    }

    @Test("requests with one token share connections, and those with the next one have others")
    func tokens() async throws {
        let (transport, clock) = (ScriptedTransport(.ok), VirtualClock())
        let client = client(Self.minting(), transport, clock)
        for seconds in [0, 3000, 600] {
            clock.advance(by: .seconds(seconds))
            _ = try await client.send(Message(notification: Notification(body: "x")), to: .everyone)
        }
        let groups = transport.requests.map { $0.connectionGroup ?? "" }
        #expect(groups.allSatisfy { $0.hasPrefix("key/") })
        #expect(groups[0] == groups[1] && groups[1] != groups[2])
        #expect(transport.retiredGroups == [groups[0]])
    }

    /// The system's clock, after a person set it.
    private struct SetClock: PushClock {
        let offset = Locked(0.0)
        let base = VirtualClock()
        var elapsed: Duration { base.elapsed }
        var date: Date { base.date.addingTimeInterval(offset.withLock { $0 }) }
        func sleep(for duration: Duration) async throws(CancellationError) { try await base.sleep(for: duration) }
        func expire(after duration: Duration) async throws(CancellationError) { try await base.expire(after: duration) }
    }

    @Test("a token that was made before the clock was set back is replaced")
    func clockSetBack() async throws {
        let (transport, clock) = (ScriptedTransport(.ok), SetClock())
        let client = client(Self.minting(), transport, clock)
        for offset in [7200.0, 7170.0, 0.0] {
            clock.offset.withLock { $0 = offset }
            _ = try await client.send(Message(notification: Notification(body: "x")), to: .everyone)
        }
        // A clock adjusted by a few seconds was not wrong, so the token stays.
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer m1", "Bearer m1", "Bearer m2"])
    }

    @Test("a request that nothing signs names no group")
    func unsigned() async throws {
        let transport = ScriptedTransport(.ok)
        let exchange = Exchange("test.read", WireRequest(.get, "api"), credential: .none, idempotency: .idempotent) {
            (_) throws(PushError) in ()
        }
        try await client(Self.acme("first"), transport).run(exchange)
        #expect(transport.requests.map(\.connectionGroup) == [nil])
    }

    @Test(
        "a connection is retired by a diagnosis that says so, before the request is repeated, and by no other",
        arguments: [true, false])
    func retiring(endsConnection: Bool) async throws {
        var acme = Acme()
        acme.diagnosis = { response in
            guard response.status == 403 else { return nil }
            var detail = VendorDetail(httpStatus: 403)
            detail.endsConnection = endsConnection
            return PushError(.unauthorized, "stuck", retry: .backoff, vendor: detail)
        }
        let transport = ScriptedTransport { (_, number) throws(PushError) in
            var response = try (number == 1 ? Result.status(403) : .ok).get()
            response.connection = 40 + number
            return response
        }
        let report = try await client(acme, transport).send(
            Message(notification: Notification(body: "x")), to: .everyone)
        #expect(report.slices.count == 1 && transport.requests.count == 2)
        #expect(transport.retired == (endsConnection ? [41] : []))
    }

    @Test("an error row that ends the connection says so in the error's detail")
    func rows() {
        let row = VendorErrorRow.refused("Stuck", .unauthorized, "the connection is stuck", "test")
        let plain = PushError(row, VendorDetail(code: "Stuck"), of: "Acme")
        let ending = PushError(row.endingConnection(), VendorDetail(code: "Stuck"), of: "Acme")
        #expect(plain.vendor?.endsConnection == false)
        #expect(ending.vendor?.endsConnection == true)
    }
}
