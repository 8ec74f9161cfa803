import Foundation
import Glibc
import PushAdapter
import PushCurl
import PushHTTP2
import PushIO
import PushSimulation
import PushSimulationServer

/// The members that these tests need from either transport.
protocol CarrierTransport: HTTPTransport, AnyObject {
}

extension CurlTransport: CarrierTransport {}
extension HTTP2Transport: CarrierTransport {}

/// The transports of this package.
enum Carrier: CaseIterable, Sendable {
    /// libcurl, over HTTP/1.1.
    case curl
    case http2

    /// A transport with its own defaults and these changes.
    func makeTransport(_ settings: CarrierSettings = CarrierSettings()) throws(PushError) -> any CarrierTransport {
        switch self {
        case .curl: try CurlTransport(settings.curl())
        case .http2: try HTTP2Transport(settings.configuration())
        }
    }
}

/// The settings of both transports, and one of libcurl's. Nil keeps the transport's default.
struct CarrierSettings: Sendable {
    var maxInFlight: Int?
    var caFile: String?
    var pinnedPublicKey: String?
    var proxy: Secret?
    var proxyChecksAddresses = false
    var connectTimeout: Duration?
    var maxResponseBytes: Int?
    var maxHeaderBytes: Int?
    var userAgent: String?
    /// For libcurl: how long a transfer may be silent. HTTP/2 pings the server instead.
    var stallTimeout: Duration?
    /// Every duration of the transport.
    var durations: Duration?

    /// One request at a time. It may be silent for as long as an `EchoSimulator` holds it.
    static let holdable = with {
        $0.maxInFlight = 1
        $0.stallTimeout = .seconds(300)
    }

    /// The defaults, changed.
    static func with(_ edit: (inout CarrierSettings) -> Void) -> CarrierSettings {
        var settings = CarrierSettings()
        edit(&settings)
        return settings
    }

    fileprivate func curl() -> CurlConfiguration {
        var curl: CurlConfiguration = configuration()
        curl.stallTimeout = stallTimeout ?? curl.stallTimeout
        return curl
    }

    fileprivate func configuration<Configuration: NetworkConfiguration>() -> Configuration {
        var configuration = Configuration()
        configuration.caFile = caFile
        configuration.pinnedPublicKey = pinnedPublicKey
        configuration.proxy = proxy
        configuration.proxyChecksAddresses = proxyChecksAddresses
        configuration.maxInFlight = maxInFlight ?? configuration.maxInFlight
        configuration.connectTimeout = connectTimeout ?? configuration.connectTimeout
        if let durations {
            for path in Configuration.durations + [\.connectTimeout] { configuration[keyPath: path] = durations }
        }
        configuration.maxResponseBytes = maxResponseBytes ?? configuration.maxResponseBytes
        configuration.maxHeaderBytes = maxHeaderBytes ?? configuration.maxHeaderBytes
        configuration.userAgent = userAgent ?? configuration.userAgent
        return configuration
    }
}

/// A server that responds to everything, later if told to, and counts the requests in flight.
final class EchoSimulator: VendorSimulator {
    let vendor = "echo"
    let running = Locked((now: 0, most: 0))
    /// While true, no response leaves, for at most five minutes.
    let isHolding = Locked(false)

    func addresses(at origin: String) -> [String: String] { ["origin": origin] }

    func respond(to request: SimulatedRequest, at now: Date) async -> SimulatedResponse {
        running.withLock {
            $0.now += 1
            $0.most = max($0.most, $0.now)
        }
        for _ in 0..<60_000 where isHolding.withLock({ $0 }) { try? await Task.sleep(for: .milliseconds(5)) }
        running.withLock { $0.now -= 1 }
        let lines = request.headers.map { "\($0.name.rawName): \($0.value)" }.joined(separator: "\n")
        let text = "\(request.method.rawValue) \(request.path)?\(request.query)\n\(lines)\n\n"
        return SimulatedResponse(
            status: 200, headers: [.contentType: "text/plain"], body: Array(text.utf8) + request.body)
    }

    func throttled(reset: Int?, for request: SimulatedRequest) -> SimulatedResponse { SimulatedResponse(status: 429) }
    func failed(status: Int, for request: SimulatedRequest) -> SimulatedResponse { SimulatedResponse(status: status) }
}

/// A running echo server and a transport that trusts it.
struct Wire: Sendable {
    let server: SimulationServer
    let host: SimulatorHost
    let echo: EchoSimulator
    let transport: any CarrierTransport

    static func run(
        _ carrier: Carrier = .curl, security: SimulationServer.Security = .tls,
        settings: CarrierSettings = CarrierSettings(),
        _ body: @Sendable (Wire) async throws -> Void
    ) async throws {
        let echo = EchoSimulator()
        let host = SimulatorHost(echo)
        try await SimulationServer.withServer(host, security: security) { server in
            var settings = settings
            settings.caFile = server.caFile
            let transport = try carrier.makeTransport(settings)
            try await body(Wire(server: server, host: host, echo: echo, transport: transport))
            await transport.shutdown()
        }
    }

    func request(
        _ method: HTTPRequest.Method = .get, _ path: String = "/x", body: WireBody = .none, headers: HTTPFields = [:],
        timeout: Duration = .seconds(30)
    ) -> TransportRequest {
        TransportRequest(
            method: method, url: server.origin + path, headers: headers, body: body, timeout: timeout)
    }

    func text(_ request: TransportRequest) async throws -> String {
        String(decoding: try await transport.send(request).body, as: UTF8.self)
    }
}

extension CurlConfiguration {
    /// The defaults, changed.
    static func with(_ edit: (inout CurlConfiguration) -> Void) -> CurlConfiguration {
        var settings = CurlConfiguration()
        edit(&settings)
        return settings
    }
}

/// A connection that sends nothing.
final class SilentClient: Sendable {
    /// Whether the port accepted it.
    let isConnected: Bool
    private let descriptor: Int32

    init(port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.descriptor = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, length) == 0 }
        }
    }

    /// Whether the server has ended the connection. Waits up to a minute.
    var isEnded: Bool {
        var time = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, 0) == 0 || errno == ECONNRESET
    }

    deinit { close(descriptor) }
}

/// A port of this machine that accepts connections into its backlog and never sends anything; or a closed port.
final class SilentPort: Sendable {
    let port: Int
    private let descriptor: Int32

    init(isListening: Bool = true) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.descriptor = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        port = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length)
                getsockname(descriptor, pointer, &length)
            }
            return Int(UInt16(bigEndian: pointer.pointee.sin_port))
        }
        if isListening { listen(descriptor, 8) }
    }

    deinit { close(descriptor) }
}
