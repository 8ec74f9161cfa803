import FoundationEssentials
import Glibc
import HostileServer
import PushCore
import PushCrypto
import PushCurl

/// Bad certificates of every kind, and broken handshakes: the client sends nothing to such a server.
struct Handshakes {
    let dice: Dice
    let findings: Findings
    let caFile: String

    func run() async throws {
        let good = try SelfSignedCertificate()
        let bad: [(name: String, certificate: SelfSignedCertificate, isTrusted: Bool)] = [
            ("a certificate of nobody", good, false),
            ("a certificate for another name", try SelfSignedCertificate(names: ["elsewhere.example"]), true),
            ("an expired certificate", try SelfSignedCertificate(lifetime: .seconds(-60)), true),
            ("a certificate for an address", try SelfSignedCertificate(names: ["127.0.0.9"]), true),
        ]
        for (name, certificate, isTrusted) in bad {
            let file = isTrusted ? try FileManager.default.temporaryFile(certificate.certificate) : caFile
            defer { if isTrusted { unlink(file) } }
            let arrived = Locked(0)
            let server = try HostileServer(
                .tls(certificate: certificate.certificate, key: certificate.privateKey, protocols: ["http/1.1"])
            ) { connection in
                if connection.read() != nil { arrived.withLock { $0 += 1 } }
            }
            await expectRefusal(name, "https://localhost:\(server.port)/v3/push", trusting: file)
            server.stop()
            if arrived.withLock({ $0 }) > 0 { findings.violate("\(name): bytes arrived") }
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
    }

    private func expectRefusal(_ name: String, _ url: String, trusting file: String) async {
        do throws(PushError) {
            var settings = CurlConfiguration()
            settings.caFile = file
            let transport = try CurlTransport(settings)
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
            findings.count("handshake refused")
            await transport.shutdown()
        } catch {
            findings.violate("\(name): \(error)")
        }
    }
}
