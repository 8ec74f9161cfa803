import Foundation
import HostileServer
import PushAdapter
import PushCrypto
import PushIO
import TestSupport
import Testing

/// Both transports report a failure to connect in the same way. The table has one row for each cause.
@Suite("Failures to connect", .timeLimit(.minutes(5)))
struct ConnectionFailureTests {
    /// A broken path to a server, and both transports' error for it.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let failure: ConnectionFailure
        /// Words that the error's message must contain.
        let words: String
        let way: Way

        init(_ name: String, _ failure: ConnectionFailure, _ words: String, _ way: Way) {
            (testDescription, self.failure, self.words, self.way) = (name, failure, words, way)
        }
    }

    static let rows: [Row] = [
        Row("an unknown name", .unknownName(.server), "name server", .address("https://nowhere.invalid")),
        Row("a closed port", .refused(.server), "refuses the connection", .closed),
        // TCP has no route to the broadcast address.
        Row("no route", .noRoute(.server), "no route", .address("https://255.255.255.255")),
        Row("silence", .late, "in time", .silent),
        Row("an expired certificate", .expired(.server), "expired", .tls { $0.lifetime = .seconds(-60) }),
        Row("a certificate of tomorrow", .notYetValid(.server), "clock", .tls { $0.start = .seconds(3_600) }),
        Row(
            "another host's certificate", .otherHost(.server), "another host", .tls { $0.names = ["elsewhere.example"] }
        ),
        Row(
            "a certificate with the host as its common name only", .otherHost(.server), "another host",
            .tls { ($0.names, $0.subject) = ([], "localhost") }),
        Row("an unknown issuer", .unknownIssuer(.server), "CA file", .tls { $0.isTrusted = false }),
        Row("another key", .otherKey, "pinnedPublicKey", .tls { $0.isPinned = false }),
        Row("TLS 1.1", .oldTLS(.server), "TLS 1.2", .tls { $0.options.isOutdated = true }),
        Row(
            "HTTP without TLS", .noTLS(.server), "not speak TLS", .plain("HTTP/1.1 400 x\r\nContent-Length: 0\r\n\r\n")),
        Row("SSH", .noTLS(.server), "not speak TLS", .plain("SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3\r\n")),
        Row("an end within the handshake", .brokenHandshake(.server), "ended within", .plain("")),
        Row("a proxy's unknown name", .unknownName(.proxy), "of the proxy", .unknownProxy),
        Row("a proxy's closed port", .refused(.proxy), "the proxy refuses", .closedProxy),
        Row("407", .proxyStatus(407), "user and the password", .proxy("HTTP/1.1 407 x\r\nContent-Length: 0\r\n\r\n")),
        Row("403", .proxyStatus(403), "forbids", .proxy("HTTP/1.1 403 x\r\nContent-Length: 5\r\n\r\nsorry")),
        Row("502", .proxyStatus(502), "cannot reach", .proxy("HTTP/1.1 502 x\r\nContent-Length: 0\r\n\r\n")),
        Row("503 and an end", .proxyStatus(503), "cannot reach", .proxy("HTTP/1.1 503 x\r\n\r\n", isEnd: true)),
        Row("302", .proxyStatus(302), "forbids", .proxy("HTTP/1.1 302 x\r\nLocation: http://127.0.0.1:1/\r\n\r\n")),
        Row("a proxy's end", .noProxyResponse, "HTTP proxy", .proxy("", isEnd: true)),
        Row("no HTTP from a proxy", .noProxyResponse, "HTTP proxy", .proxy("SSH-2.0-x\r\n\r\n", isEnd: true)),
        Row("an expired server behind a proxy", .expired(.server), "expired", .tunnel { $0.lifetime = .seconds(-60) }),
    ]

    @Test(
        "each failure to connect reads alike over both transports, and nothing was sent", arguments: rows,
        Carrier.allCases)
    func alike(row: Row, carrier: Carrier) async throws {
        try await row.way.run(carrier) { (place) async throws in
            let error = await place.failure()
            let expected = row.failure.error()
            #expect(error?.message == expected.message)
            #expect(error?.kind == .transport && error?.effect == .notApplied)
            #expect(error?.retry == expected.retry)
            #expect(expected.message.contains(row.words), "\(expected.message)")
            #expect(expected.message.contains("CA file") == (row.failure == .unknownIssuer(.server)))
            #expect(place.arrived == 0)
        }
    }

    @Test("a failure that only a person can end is not retried, and one that may pass is")
    func retries() {
        let waits: Set<ConnectionFailure> = [
            .late, .unknownName(.server), .refused(.server), .noRoute(.proxy), .noConnection(.server, 1),
            .noProxyResponse,
            .proxyStatus(502), .proxyStatus(504), .proxyStatus(429), .noTLS(.server), .brokenHandshake(.server),
        ]
        let ends: Set<ConnectionFailure> = [
            .proxyStatus(407), .proxyStatus(403), .proxyStatus(404), .proxyStatus(501), .expired(.server),
            .notYetValid(.proxy), .otherHost(.server), .unknownIssuer(.server), .badCertificate(.server, "x"),
            .otherKey,
            .oldTLS(.server), .clientCertificate(.server), .otherProtocol(wanted: .http2), .notPublic(host: "x"),
        ]
        #expect(waits.allSatisfy { $0.error().retry == .backoff })
        #expect(ends.allSatisfy { $0.error().retry == .never })
        #expect(waits.union(ends).allSatisfy { $0.error().effect == .notApplied })
    }

    @Test(
        "a server that speaks only the other version of HTTP is named with the transport for it",
        arguments: Carrier.allCases)
    func otherVersion(carrier: Carrier) async throws {
        let way = Way.tls {
            $0.protocols = [carrier == .curl ? "h2" : "http/1.1"]
            $0.options.insistsOnProtocol = true
        }
        try await way.run(carrier) { (place) async throws in
            let error = await place.failure()
            let expected = ConnectionFailure.otherProtocol(wanted: carrier == .curl ? .http1 : .http2).error()
            #expect(error?.message == expected.message && error?.retry == .never && error?.effect == .notApplied)
            #expect(expected.message.contains(carrier == .curl ? "use HTTP2Transport" : "use CurlTransport"))
        }
    }

    @Test("a server that wants a certificate of the client is named", arguments: Carrier.allCases)
    func clientCertificate(carrier: Carrier) async throws {
        let wanted = try SelfSignedCertificate(subject: "a client")
        let way = Way.tls { $0.options.clientCertificate = wanted.certificate }
        try await way.run(carrier) { (place) async throws in
            let error = await place.failure()
            #expect(error?.kind == .transport && error?.retry == .never)
            #expect(
                error?.message.contains("wants one; check clientCertificateFile") == true,
                "\(String(describing: error))")
            // With TLS 1.3, the server refuses after the handshake. By then libcurl has begun to send; HTTP/2 still
            // waits for the server's settings.
            if carrier == .http2 { #expect(error?.effect == .notApplied) }
            #expect(place.arrived == 0)
        }
    }

    @Test(
        "an HTTPS proxy, which only libcurl can use, is who its certificate names",
        arguments: [(["localhost"], nil), ([], ConnectionFailure.otherHost(.proxy))])
    func httpsProxy(_ names: [String], _ failure: ConnectionFailure?) async throws {
        let certificate = try SelfSignedCertificate(names: names, subject: "localhost")
        let file = FileManager.default.temporaryDirectory.appending(path: "pushbridge-\(UUID().uuidString).pem")
        try Data(certificate.certificate.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let arrivals = Locked(0)
        let proxy = try HostileServer(
            .tls(certificate: certificate.certificate, key: certificate.privateKey, protocols: ["http/1.1"])
        ) { connection in
            guard connection.read() != nil else { return }
            arrivals.withLock { $0 += 1 }
            connection.write("HTTP/1.1 403 x\r\nContent-Length: 0\r\n\r\n")
        }
        defer { proxy.stop() }
        let transport = try Carrier.curl.makeTransport(
            .with {
                $0.caFile = file.path
                $0.proxy = Secret("https://localhost:\(proxy.port)")
            })
        let error = await Place(transport: transport, origin: "https://127.0.0.1:1").failure()
        #expect(error?.message == (failure ?? .proxyStatus(403)).error().message)
        #expect(arrivals.withLock { $0 } == (failure == nil ? 1 : 0))
        await transport.shutdown()
    }

    @Test("what one request met is not said of the next", arguments: Carrier.allCases)
    func fresh(carrier: Carrier) async throws {
        let count = Locked(0)
        let proxy = try HostileServer { connection in
            guard connection.head() != nil else { return }
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number != 2 { connection.write("HTTP/1.1 \(number == 1 ? 407 : 502) x\r\nContent-Length: 0\r\n\r\n") }
        }
        defer { proxy.stop() }
        let transport = try carrier.makeTransport(
            .with {
                $0.maxInFlight = 1
                $0.proxy = Secret("http://127.0.0.1:\(proxy.port)")
            })
        let place = Place(transport: transport, origin: "https://127.0.0.1:1")
        for failure in [ConnectionFailure.proxyStatus(407), .noProxyResponse, .proxyStatus(502)] {
            #expect(await place.failure()?.message == failure.error().message)
        }
        await transport.shutdown()
    }

    @Test("the reason of one broken handshake is not that of the next", arguments: Carrier.allCases)
    func freshHandshake(carrier: Carrier) async throws {
        let isFirst = Locked(true)
        let server = try HostileServer { connection in
            guard connection.read() != nil, isFirst.withLock({ $0 }) else { return }
            isFirst.withLock { $0 = false }
            connection.write("HTTP/1.1 400 x\r\n\r\n")
            _ = connection.read()
        }
        defer { server.stop() }
        let transport = try carrier.makeTransport(.with { $0.maxInFlight = 1 })
        let place = Place(transport: transport, origin: "https://127.0.0.1:\(server.port)")
        for failure in [ConnectionFailure.noTLS(.server), .brokenHandshake(.server)] {
            #expect(await place.failure()?.message == failure.error().message)
        }
        await transport.shutdown()
    }
}
