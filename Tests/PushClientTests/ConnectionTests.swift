import PushClient
import PushCore
import PushSimulation
import Testing

/// What the client tells the transport about connections.
@Suite("Connections")
struct ConnectionTests {
    private func client(_ acme: Acme, _ transport: ScriptedTransport) -> PushClient {
        var configuration = ClientConfiguration()
        configuration.clock = VirtualClock()
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
