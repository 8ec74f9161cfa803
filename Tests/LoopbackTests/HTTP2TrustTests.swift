import HostileServer
import PushAdapter
import PushCrypto
import PushHTTP2
import Testing

/// The transport's peers: the server's certificate, key and protocol, and the client's own certificate.
@Suite("HTTP/2 transport, trust", .timeLimit(.minutes(5)))
struct HTTP2TrustTests {
    /// A server that must get no request, and the error's reason.
    struct Stranger: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        var names = ["localhost", "127.0.0.1"]
        var protocols = ["h2"]
        var host = "localhost"
        var pin: String?
    }

    private static let strangers: [Stranger] = [
        Stranger(testDescription: "another host", text: "for another host", names: ["elsewhere.example"]),
        Stranger(testDescription: "a longer name", text: "for another host", names: ["localhost.example"]),
        Stranger(testDescription: "a part of the name", text: "for another host", names: ["host"]),
        Stranger(testDescription: "no name", text: "for another host", names: ["127.0.0.9"]),
        Stranger(testDescription: "another address", text: "for another host", names: ["127.0.0.9"], host: "127.0.0.1"),
        Stranger(
            testDescription: "a name, not an address", text: "for another host", names: ["localhost"], host: "127.0.0.1"
        ),
        Stranger(
            testDescription: "an address as a name", text: "for another host", names: ["127.0.0.1"], host: "localhost"),
        Stranger(
            testDescription: "another key than the pinned one", text: "pinned",
            pin: "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="),
        Stranger(testDescription: "no protocol", text: "HTTP/2", protocols: []),
        Stranger(testDescription: "HTTP/1.1 only", text: "HTTP/2", protocols: ["http/1.1"]),
        Stranger(testDescription: "another protocol", text: "HTTP/2", protocols: ["h3", "h2c", "h"]),
    ]

    @Test(
        "nothing is sent to a server that is not the right one, and a retry is not advised", arguments: Self.strangers)
    func eachStranger(stranger: Stranger) async throws {
        let arrived = Locked(0)
        let certificate = try SelfSignedCertificate(names: stranger.names)
        try await HostileWire.raw(
            .patient { $0.pinnedPublicKey = stranger.pin },
            security: .tls(
                certificate: certificate.certificate, key: certificate.privateKey, protocols: stranger.protocols),
            authority: certificate.certificate, host: stranger.host
        ) { connection in
            if connection.read() != nil { arrived.withLock { $0 += 1 } }
        } _: { (wire) async throws in
            let error = await wire.failure(wire.request())
            #expect(error?.kind == .transport && error?.retry == .never && error?.effect == .notApplied)
            #expect(error?.message.contains(stranger.text) == true, "\(String(describing: error))")
            #expect(wire.server.connections >= 1)
        }
        // By now, the server has read everything that arrived.
        #expect(arrived.withLock { $0 } == 0)
    }

    @Test("a server that speaks TLS 1.1 at most gets nothing")
    func outdated() async throws {
        let certificate = try #require(HostileWire.certificate)
        let arrived = Locked(0)
        try await HostileWire.raw(
            security: .tls(
                certificate: certificate.certificate, key: certificate.privateKey, protocols: ["h2"],
                options: TLSOptions(isOutdated: true))
        ) { connection in
            if connection.read() != nil { arrived.withLock { $0 += 1 } }
        } _: { (wire) async throws in
            let error = await wire.failure(wire.request(seconds: 5))
            #expect(error?.kind == .transport && error?.effect == .notApplied)
        }
        #expect(arrived.withLock { $0 } == 0)
    }

    @Test("the right key, alone or as one of several, and the right name or address pass")
    func friends() async throws {
        let certificate = try #require(HostileWire.certificate)
        let pin = try #require(HostileServer.pin(ofPEM: certificate.certificate))
        let other = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
        for pins in [nil, pin, "\(other);\(pin)", "\(pin);\(other)"] {
            for host in ["localhost", "127.0.0.1"] {
                let journal = HTTP2Journal()
                try await HostileWire.raw(.patient { $0.pinnedPublicKey = pins }, host: host, journal: journal) {
                    connection in
                    guard let http2 = HostileHTTP2(connection, journal: journal) else { return }
                    while let request = http2.request() { http2.echo(request) }
                } _: { (wire) async throws in
                    try await wire.echo()
                    #expect(journal.heads.first?.request.header(":authority") == "\(host):\(wire.server.port)")
                }
            }
        }
    }

    @Test("a pin does not take the place of a certificate that is trusted")
    func pinAlone() async throws {
        let certificate = try SelfSignedCertificate()
        let other = try SelfSignedCertificate()
        let pin = try #require(HostileServer.pin(ofPEM: certificate.certificate))
        try await HostileWire.raw(
            .patient { $0.pinnedPublicKey = pin },
            security: .tls(certificate: certificate.certificate, key: certificate.privateKey, protocols: ["h2"]),
            authority: other.certificate
        ) { connection in
            _ = connection.read()
        } _: { (wire) async throws in
            let error = await wire.failure(wire.request())
            #expect(error?.effect == .notApplied && error?.retry == .never)
            #expect(error?.message.contains("not trusted") == true)
        }
    }

    /// The certificate that the client presents to a server that asks for one.
    enum Shown: CaseIterable {
        case right, other, none
    }

    @Test("a server that asks for a certificate gets requests with the right one only", arguments: Shown.allCases)
    func clientCertificate(shown: Shown) async throws {
        let certificate = try #require(HostileWire.certificate)
        let own = try SelfSignedCertificate(names: ["client.example"], subject: "a client")
        let other = try SelfSignedCertificate(names: ["client.example"], subject: "another client")
        let journal = HTTP2Journal()
        let settings = HTTP2Configuration.patient { settings in
            guard shown != .none else { return }
            let identity = shown == .right ? own : other
            settings.clientCertificate = ClientCertificate(
                chain: identity.certificate, key: Secret(identity.privateKey))
        }
        try await HostileWire.raw(
            settings,
            security: .tls(
                certificate: certificate.certificate, key: certificate.privateKey, protocols: ["h2"],
                options: TLSOptions(clientCertificate: own.certificate)),
            journal: journal
        ) { connection in
            guard let http2 = HostileHTTP2(connection, journal: journal) else { return }
            while let request = http2.request() { http2.echo(request) }
        } _: { (wire) async throws in
            if shown == .right {
                try await wire.echo()
            } else {
                let error = await wire.failure(wire.request(seconds: 5))
                #expect(error?.kind == .transport && error?.effect == .notApplied)
                #expect(journal.heads.isEmpty)
            }
        }
    }
}
