import FoundationEssentials
import Glibc
import HostileServer
import PushAdapter
import PushCrypto

/// Bad certificates of every kind, broken handshakes, and servers without HTTP/2 where the client needs it. The client
/// must send no request to such a server.
struct Handshakes {
    let dice: Dice
    let findings: Findings
    let carrier: Carrier
    let caFile: String

    func run() async throws {
        let good = try SelfSignedCertificate()
        var bad: [(name: String, certificate: SelfSignedCertificate, isTrusted: Bool)] = [
            ("a certificate of nobody", good, false),
            ("a certificate for another name", try SelfSignedCertificate(names: ["elsewhere.example"]), true),
            ("an expired certificate", try SelfSignedCertificate(lifetime: .seconds(-60)), true),
            ("a certificate for an address", try SelfSignedCertificate(names: ["127.0.0.9"]), true),
        ]
        if carrier == .http2 { bad.append((Self.withoutHTTP2, good, true)) }
        for (name, certificate, isTrusted) in bad {
            let file = isTrusted ? try FileManager.default.temporaryFile(certificate.certificate) : caFile
            defer { if isTrusted { unlink(file) } }
            let arrived = Locked(0)
            let protocols = name == Self.withoutHTTP2 ? ["http/1.1"] : ["h2", "http/1.1"]
            let server = try HostileServer(
                .tls(certificate: certificate.certificate, key: certificate.privateKey, protocols: protocols)
            ) { connection in
                if connection.read() != nil { arrived.withLock { $0 += 1 } }
            }
            await expectRefusal(name, "https://localhost:\(server.port)/v3/push", trusting: file)
            server.stop()
            if arrived.withLock({ $0 }) > 0 { findings.violate("\(carrier.text), \(name): bytes arrived") }
        }
        let broken: [(name: String, bytes: [UInt8])] = [
            ("a handshake that is none", Array("HTTP/1.1 200 x\r\n\r\n".utf8)),
            ("an alert", [21, 3, 3, 0, 2, 2, 40]), ("a handshake that ends", []),
            ("noise", (0..<400).map { _ in UInt8(dice.roll(0...255)) }),
        ]
        for (name, bytes) in broken {
            let server = try HostileServer { connection in
                _ = connection.read()
                connection.write(bytes)
            }
            await expectRefusal(name, "https://localhost:\(server.port)/v3/push", trusting: caFile)
            server.stop()
        }
        if carrier == .http2 { try await expectNoRequest(before: good) }
    }

    private static let withoutHTTP2 = "a server without HTTP/2"

    /// Servers that choose HTTP/2 but do not begin with their settings. The client must send no request.
    private func expectNoRequest(before certificate: SelfSignedCertificate) async throws {
        let file = try FileManager.default.temporaryFile(certificate.certificate)
        defer { unlink(file) }
        let greetings: [(name: String, bytes: [UInt8], isLast: Bool)] = [
            ("an end instead of settings", [], true), ("silence instead of settings", [], false),
            ("a ping instead of settings", HTTP2Frames.repeated(1, 0x6, 0, 0, [0, 0, 0, 0, 0, 0, 0, 0]), false),
            ("HTTP/1.1 instead of settings", HostileConnection.answer(400, "no"), false),
            ("settings that end too early", [0, 0, 6, 4, 0, 0, 0, 0, 0, 0], true),
        ]
        for (name, bytes, isLast) in greetings {
            let requests = Locked(0)
            let server = try HostileServer(
                .tls(certificate: certificate.certificate, key: certificate.privateKey, protocols: ["h2"])
            ) { connection in
                connection.write(bytes)
                guard !isLast, connection.read(24) != nil else { return }
                while let head = connection.read(9) {
                    if head[3] == 0x1 { requests.withLock { $0 += 1 } }
                    let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
                    guard length == 0 || connection.read(length) != nil else { return }
                }
            }
            await expectRefusal(name, "https://localhost:\(server.port)/v3/push", trusting: file)
            server.stop()
            if requests.withLock({ $0 }) > 0 { findings.violate("\(carrier.text), \(name): a request arrived") }
        }
    }

    private func expectRefusal(_ name: String, _ url: String, trusting file: String) async {
        let name = "\(carrier.text), \(name)"
        do throws(PushError) {
            let transport = try carrier.transport(trusting: file)
            let request = TransportRequest(
                method: .post, url: url, headers: [.authorization: "Basic NTFjM2U3Y3JldA"], body: .json([0x7B, 0x7D]),
                timeout: .seconds(3))
            do throws(PushError) {
                _ = try await transport.send(request)
                findings.violate("\(name): the request was sent")
            } catch {
                if error.effect != .notApplied { findings.violate("\(name): the effect is \(error.effect)") }
                findings.inspect("\(error)", "an error of the transport")
            }
            findings.count("handshake refused", by: carrier)
            await transport.shutdown()
        } catch {
            findings.violate("\(name): \(error)")
        }
    }
}
