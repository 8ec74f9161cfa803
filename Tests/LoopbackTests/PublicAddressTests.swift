import HostileServer
import PushAdapter
import PushSimulation
import TestSupport
import Testing

/// Requests whose addresses strangers choose. They must not reach this machine, a private network, or a cloud's metadata.
@Suite("Requests that require a public address", .timeLimit(.minutes(5)))
struct PublicAddressTests {
    /// Names and spellings of addresses that are not public.
    private static let hosts = [
        "127.0.0.1", "localhost", "127.1", "2130706433", "0.0.0.0", "[::1]", "[::]", "[::ffff:127.0.0.1]",
        "169.254.169.254", "10.0.0.1", "192.168.0.1", "[fe80::1]", "[fd00:ec2::254]",
    ]

    private static func outcome(
        _ transport: any HTTPTransport, _ request: TransportRequest, asking count: Locked<Int>? = nil
    ) async -> PushError? {
        do throws(PushError) {
            if let count {
                _ = try await transport.send(request) { count.withLock { $0 += 1 } }
            } else {
                _ = try await transport.send(request)
            }
            return nil
        } catch {
            return error
        }
    }

    @Test("reach no other one, by whatever name, and their callers are not asked", arguments: Carrier.allCases)
    func refused(carrier: Carrier) async throws {
        let server = try HostileServer { _ in }
        defer { server.stop() }
        let transport = try carrier.makeTransport(.with { $0.connectTimeout = .seconds(60) })
        let asked = Locked(0)
        func request(to host: String) -> TransportRequest {
            TransportRequest(
                method: .post, url: "https://\(host):\(server.port)/secret", body: .json([0x7B, 0x7D]),
                timeout: .seconds(60))
        }
        for host in Self.hosts {
            var strange = request(to: host)
            strange.requiresPublicAddress = true
            for count in [nil, asked] {
                let error = await Self.outcome(transport, strange, asking: count)
                #expect(error?.kind == .invalidArgument, "\(host): \(String(describing: error))")
                #expect(error?.effect == .notApplied && error?.retry == .never)
                #expect(error?.message.contains("no public address") == true)
                #expect(error?.message.contains("secret") == false)
            }
        }
        #expect(asked.withLock { $0 } == 0)
        // Any other request may go there. Connections arrive in order, so the server would have counted earlier ones.
        #expect(await Self.outcome(transport, request(to: "127.0.0.1"))?.kind == .transport)
        #expect(server.connections == 1)
        await transport.shutdown()
    }

    @Test("libcurl: a kept connection of other requests is not for them")
    func keptCurlConnection() async throws {
        let arrived = Locked(0)
        try await HostileTests().with(tls: true) { connection in
            while connection.request() != nil {
                arrived.withLock { $0 += 1 }
                connection.write(HostileConnection.answer(200, "ok"))
            }
        } _: { (setup) async throws in
            let asked = Locked(0)
            for number in 1...3 {
                #expect(try await setup.text(setup.request()) == "ok")
                var strange = setup.request()
                strange.requiresPublicAddress = true
                // The first finds no claim to the connection; libcurl chooses the connection for the second.
                for count in [asked, nil] {
                    let error = await Self.outcome(setup.transport, strange, asking: count)
                    #expect(error?.kind == .invalidArgument, "\(String(describing: error))")
                    #expect(error?.effect == .notApplied)
                }
                #expect(arrived.withLock { $0 } == number)
            }
            #expect(asked.withLock { $0 } == 0)
        }
    }

    @Test("HTTP/2: a connection of other requests is not for them, and serves these on")
    func keptConnection() async throws {
        try await HostileWire.run { http2, _ in
            while let request = http2.request() { http2.echo(request) }
        } _: { (wire) async throws in
            let first = try await wire.echo()
            var strange = wire.request()
            strange.requiresPublicAddress = true
            let error = await wire.failure(strange)
            #expect(error?.kind == .invalidArgument && error?.effect == .notApplied, "\(String(describing: error))")
            #expect(try await wire.echo() == first)
            #expect(wire.server.connections == 1 && wire.journal.heads.count == 2)
        }
    }

    @Test("go through a proxy only if it checks addresses", arguments: Carrier.allCases, [false, true])
    func proxy(carrier: Carrier, checksAddresses: Bool) async throws {
        let proxy = try HostileServer { connection in
            guard let head = connection.head() else { return }
            connection.write("HTTP/1.1 200 OK\r\n\r\n")
            connection.tunnel(to: head.target.split(separator: ":").last.flatMap { Int($0) } ?? 0)
        }
        defer { proxy.stop() }
        let settings = CarrierSettings.with {
            $0.proxy = Secret("http://127.0.0.1:\(proxy.port)")
            $0.proxyChecksAddresses = checksAddresses
        }
        try await Wire.run(carrier, settings: settings) { wire in
            var strange = wire.request()
            strange.requiresPublicAddress = true
            let error = await Self.outcome(wire.transport, strange)
            if checksAddresses {
                #expect(error == nil)
            } else {
                #expect(error?.kind == .misconfigured && error?.effect == .notApplied)
                #expect(error?.message.contains("proxyChecksAddresses") == true)
            }
            #expect(proxy.connections == (checksAddresses ? 1 : 0))
            #expect(await Self.outcome(wire.transport, wire.request()) == nil)
            #expect(wire.host.journal.count == (checksAddresses ? 2 : 1))
        }
    }
}
