import Glibc
import HostileServer
import PushAdapter
import PushCrypto

/// A name server that does not respond delays only the calls that need it, and its threads stay few.
struct SlowLookups {
    let findings: Findings
    let carrier: Carrier
    let certificate: SelfSignedCertificate
    let caFile: String
    /// How late a call may end.
    let slack: Duration

    func run() async throws {
        let begin = ContinuousClock.now
        let longest = Duration.seconds(1) + max(slack, .seconds(1))
        let server = try HostileServer(
            .tls(certificate: certificate.certificate, key: certificate.privateKey, protocols: ["h2", "http/1.1"])
        ) { connection in
            guard connection.chosenProtocol == "h2" else {
                while connection.request() != nil, connection.write(HostileConnection.answer(200, "{}")) {}
                return
            }
            let http2 = HostileHTTP2(connection)
            while let request = http2?.request(), http2?.answer(request.stream, 200, [0x7B, 0x7D]) == true {}
        }
        let transport = try carrier.transport(trusting: caFile)
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
                        findings.count("slow lookup", by: carrier)
                        guard case .failure(let error) = result, error.effect == .notApplied else {
                            return findings.violate("a lookup without an answer gave \(result)")
                        }
                        if time > longest { findings.violate("a slow lookup took \(time) instead of 1 s") }
                    }
                }
                for _ in 0..<20 {
                    let (result, time) = await send("localhost", .seconds(10))
                    findings.count("call beside slow lookups", by: carrier)
                    if case .failure(let error) = result { findings.violate("beside slow lookups: \(error)") }
                    if time > longest { findings.violate("beside slow lookups a call took \(time)") }
                }
                // Wait until the lookups of this wave are abandoned.
                try? await Task.sleep(for: .milliseconds(1_200))
            }
        }
        let lookups = SlowNames.running.withLock { $0 }
        // libcurl: the first wave, all at once, or the most that may be abandoned if it began slowly; then one per
        // second, because too many are abandoned. HTTP2Transport: one for all requests to a host.
        let seconds = Int((ContinuousClock.now - begin) / .seconds(1))
        let allowed = carrier == .http2 ? 1...1 : 16...(22 + seconds)
        if !allowed.contains(lookups) { findings.violate("\(carrier.text): \(lookups) lookups are under way") }
        Findings.say("\(lookups) lookups were left to their threads")
        await transport.shutdown()
        server.stop()
        SlowNames.areAnswered.withLock { $0 = true }
        while SlowNames.running.withLock({ $0 }) > 0 { usleep(20_000) }
        SlowNames.areAnswered.withLock { $0 = false }
    }
}
