package import Configuration
package import PushAdapter
import PushCurl
import PushHTTP2

/// The transport that a configuration asks for.
package enum ConfiguredTransport {
    /// Reads `httpVersion`, `plainHosts`, and the settings of the transport's own configuration.
    /// - Parameter needsHTTP2: for a vendor that has services without HTTP/1.1.
    package static func make(
        reading config: ConfigReader, needsHTTP2: Bool = false
    ) async throws(PushError) -> any HTTPTransport {
        let settings = SettingsReader(config)
        do throws(PushError) {
            switch try await settings.text("httpVersion") ?? (needsHTTP2 ? "2" : "1.1") {
            case "1.1" where needsHTTP2:
                throw settings.wrong("httpVersion", "is 1.1, and the vendor speaks HTTP/2 only", "2 for this vendor")
            case "1.1":
                for name in ["clientCertificateFile", "clientKeyFile"] where try await settings.text(name) != nil {
                    throw settings.wrong(name, "is for HTTP/2", "it with httpVersion 2, or neither")
                }
                return try CurlTransport(await CurlConfiguration(reading: config))
            case "2":
                let http2 = try HTTP2Transport(await HTTP2Configuration(reading: config))
                let curl = try await CurlConfiguration(reading: config)
                return curl.plainHosts.isEmpty ? http2 : MixedTransport(http2: http2, plain: try CurlTransport(curl))
            case let other: throw settings.wrong("httpVersion", "is \(Redaction.quoted(other))", "1.1 or 2")
            }
        } catch {
            throw settings.placed(error)
        }
    }
}

/// Encrypted addresses over HTTP/2, plain ones over HTTP/1.1.
private struct MixedTransport: HTTPTransport {
    let http2: HTTP2Transport
    let plain: CurlTransport

    var concurrency: Int? { http2.concurrency }
    var executor: (any TaskExecutor)? { http2.executor }

    func send(_ request: TransportRequest) async throws(PushError) -> WireResponse {
        try await transport(for: request).send(request)
    }

    func send(
        _ request: TransportRequest, beforeWriting mayLeave: @escaping @Sendable () async throws(PushError) -> Void
    ) async throws(PushError) -> WireResponse {
        try await transport(for: request).send(request, beforeWriting: mayLeave)
    }

    private func transport(for request: TransportRequest) -> any HTTPTransport {
        request.url.prefix(5).lowercased() == "http:" ? plain : http2
    }

    func retire(_ connection: Int) { http2.retire(connection) }
    func retire(group: String) { http2.retire(group: group) }

    func shutdown() async {
        await http2.shutdown()
        await plain.shutdown()
    }
}
