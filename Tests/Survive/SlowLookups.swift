import Glibc
import HostileServer
import PushCore
import PushCrypto
import PushCurl

/// A name server that does not answer delays only the calls that need it, and its threads stay few.
struct SlowLookups {
    let findings: Findings
    let certificate: SelfSignedCertificate
    let caFile: String

    func run() async throws {
        let server = try HostileServer(
            .tls(certificate: certificate.certificate, key: certificate.privateKey, protocols: ["http/1.1"])
        ) { connection in
            while connection.request() != nil {
                guard connection.write(HostileConnection.answer(200, "{}")) else { return }
            }
        }
        var settings = CurlConfiguration()
        settings.caFile = caFile
        let transport = try CurlTransport(settings)
        @Sendable func send(_ host: String, _ timeout: Duration) async -> (
            result: Result<Int, PushError>, time: Duration
        ) {
            let start = ContinuousClock.now
            let request = TransportRequest(method: .get, url: "https://\(host):\(server.port)/", timeout: timeout)
            do throws(PushError) {
                let status = try await transport.send(request).status
                return (.success(status), ContinuousClock.now - start)
            } catch {
                return (.failure(error), ContinuousClock.now - start)
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                for _ in 0..<20 {
                    group.addTask {
                        let (result, time) = await send("names\(SlowNames.suffix)", .seconds(1))
                        findings.count("slow lookup")
                        guard case .failure(let error) = result, error.effect == .notApplied else {
                            return findings.violate("a lookup without an answer gave \(result)")
                        }
                        if time > .seconds(2) { findings.violate("a slow lookup took \(time) instead of 1 s") }
                    }
                }
                for _ in 0..<20 {
                    let (result, time) = await send("localhost", .seconds(3))
                    findings.count("call beside slow lookups")
                    if case .failure(let error) = result { findings.violate("beside slow lookups: \(error)") }
                    if time > .seconds(2) { findings.violate("beside slow lookups a call took \(time)") }
                }
                // Wait until the lookups of this wave are abandoned.
                try? await Task.sleep(for: .milliseconds(1_200))
            }
        }
        let lookups = SlowNames.running.withLock { $0 }
        // The first wave, all at once; then one a second, because too many are abandoned.
        if lookups < 20 || lookups > 28 { findings.violate("\(lookups) lookups are under way") }
        Findings.say("\(lookups) lookups were left to their threads")
        await transport.shutdown()
        server.stop()
        while SlowNames.running.withLock({ $0 }) > 0 { usleep(20_000) }
    }
}
