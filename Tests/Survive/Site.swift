import HostileServer
import PushAdapter
import PushCrypto

/// A hostile vendor on its server, and the destination of its redirects.
final class Site: Sendable {
    let vendor: HostileVendor
    let carrier: Carrier
    let origin: String
    private let server: HostileServer
    private let trap: HostileServer

    init(_ vendor: HostileVendor, _ carrier: Carrier, certificate: SelfSignedCertificate) throws {
        (self.vendor, self.carrier) = (vendor, carrier)
        let trap = try HostileServer { connection in
            vendor.facts.withLock { $0.trapped += 1 }
            _ = connection.request()
        }
        self.trap = trap
        let security: HostileServer.Security =
            carrier == .plain
            ? .plain
            : .tls(
                certificate: certificate.certificate, key: certificate.privateKey,
                protocols: carrier == .http1 ? ["http/1.1"] : ["h2", "http/1.1"])
        // With a small buffer, a request leaves in many pieces.
        server = try HostileServer(security, receiveBuffer: vendor.dice.happens(30) ? 4_096 : nil) { connection in
            if connection.chosenProtocol == "h2" {
                vendor.serveHTTP2(connection, trap: trap.port)
            } else {
                vendor.serveHTTP1(connection, trap: trap.port)
            }
        }
        origin = "\(carrier == .plain ? "http" : "https")://localhost:\(server.port)"
    }

    func stop() {
        server.stop()
        trap.stop()
    }
}
