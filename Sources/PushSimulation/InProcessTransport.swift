import FoundationEssentials
public import PushAdapter

/// Passes requests straight to a simulator: in microseconds, without sockets, and with the failures of a network.
///
/// An ``HTTP2Simulator`` gets a connection for each group of requests, and responses have its number. It gets a new one
/// after ``retire(_:)``, after a GOAWAY, and after a fault that breaks the connection.
public struct InProcessTransport: HTTPTransport {
    /// The origin of all addresses for this transport.
    public static let origin = "https://" + host
    private static let host = "simulator.invalid"

    private let host: SimulatorHost
    private let clock: any PushClock
    private let maxResponseBytes: Int
    /// Nil for a simulator that does not look at connections.
    private let connections: InProcessConnections?

    /// A transport to this host; refuses a longer response body with `malformedResponse`.
    public init(_ host: SimulatorHost, maxResponseBytes: Int = 1 << 20) {
        self.host = host
        self.maxResponseBytes = maxResponseBytes
        clock = host.clock
        connections = host.http2Simulator.map { InProcessConnections($0, clock: host.clock) }
    }

    /// Returns the host's response. Throws `transport` for another origin, and the errors that the host's faults cause.
    public func send(_ request: TransportRequest) async throws(PushError) -> WireResponse {
        try await send(request, beforeWriting: {})
    }

    /// Sends a request like ``send(_:)``, but asks first, when it has a connection.
    public func send(
        _ request: TransportRequest, beforeWriting mayLeave: @escaping @Sendable () async throws(PushError) -> Void
    ) async throws(PushError) -> WireResponse {
        guard !Task.isCancelled else { throw PushError(.cancelled, "cancelled before anything was sent") }
        var simulated = try Self.simulated(request)
        guard let connections else {
            try await mayLeave()
            return try await receive(await host.handle(simulated), within: request.timeout)
        }
        guard let connection = await connections.begin(request.connectionGroup) else { throw Self.goAway }
        simulated.connection = connection
        do throws(PushError) {
            try await mayLeave()
            let delivery = await host.handle(simulated)
            if delivery.endsConnection { connections.retire(connection.id) }
            var response = try await receive(delivery, within: request.timeout)
            response.connection = connection.id
            await connections.end(connection)
            return response
        } catch {
            await connections.end(connection)
            throw error
        }
    }

    /// Gives no further requests to a connection, by its number in a response. Those in flight finish, then it closes.
    public func retire(_ connection: Int) { connections?.retire(connection) }

    /// Closes the connections of a group when their requests have ended.
    public func retire(group: String) { connections?.retire(group: group) }

    /// Closes the connections that an ``HTTP2Simulator`` got. A later request gets a new one.
    public func shutdown() async { await connections?.retireAll() }

    private static func simulated(_ request: TransportRequest) throws(PushError) -> SimulatedRequest {
        guard request.url.hasPrefix(Self.origin + "/") else {
            throw PushError(.transport, "no simulator at this address; nothing was sent", retry: .backoff)
        }
        let target = request.url.dropFirst(Self.origin.count).split(separator: "?", maxSplits: 1)
        var headers = request.headers
        var body: [UInt8] = []
        switch request.body {
        case .none: break
        case .bytes(let bytes, let contentType):
            headers[.contentType] = contentType
            body = bytes
        case .multipart(let parts):
            let boundary = "in-process-boundary"
            headers[.contentType] = "multipart/form-data; boundary=\(boundary)"
            body = try Self.form(parts, boundary)
        }
        return SimulatedRequest(
            method: request.method, host: Self.host, path: String(target[0]),
            query: target.count == 2 ? String(target[1]) : "",
            headers: headers, body: body)
    }

    private func receive(
        _ delivery: SimulatorHost.Delivery, within timeout: Duration
    ) async throws(PushError) -> WireResponse {
        switch delivery {
        case .whole(let response):
            guard response.body.count <= maxResponseBytes else {
                throw PushError(
                    .malformedResponse, "the response body is longer than \(maxResponseBytes) bytes", retry: .backoff,
                    effect: .unknown)
            }
            return WireResponse(status: response.status, headers: response.headers, body: response.body)
        case .drip(let response, let pause):
            return try await receive(.late(response, pause * response.body.count), within: timeout)
        case .late(let response, let time):
            try await sleep(min(time, timeout))
            guard time < timeout else { throw Self.timedOut }
            return try await receive(.whole(response), within: timeout - time)
        case .broken:
            throw PushError(
                .transport, "the server closed the connection before the response was complete", retry: .backoff,
                effect: .unknown)
        case .silence:
            try await sleep(timeout)
            throw Self.timedOut
        case .refusedStream:
            throw PushError(.transport, "the server refused the stream", retry: .after(.zero), effect: .notApplied)
        case .goAway: throw Self.goAway
        }
    }

    private static func form(_ parts: [WirePart], _ boundary: String) throws(PushError) -> [UInt8] {
        var body: [UInt8] = []
        for part in parts {
            var head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(part.name)\""
            if let name = part.fileName { head += "; filename=\"\(name)\"" }
            if let type = part.contentType { head += "\r\nContent-Type: \(type)" }
            body += Array((head + "\r\n\r\n").utf8)
            switch part.content {
            case .bytes(let bytes): body += bytes
            case .file(let path):
                guard let data = try? Data(contentsOf: URL(filePath: path)) else {
                    throw PushError(.misconfigured, "a file of the form cannot be read; nothing was sent")
                }
                body += Array(data)
            }
            body += Array("\r\n".utf8)
        }
        return body + Array("--\(boundary)--\r\n".utf8)
    }

    private func sleep(_ time: Duration) async throws(PushError) {
        do {
            try await clock.sleep(for: time)
        } catch {
            throw PushError(.cancelled, "cancelled after sending had started", effect: .unknown)
        }
    }

    private static var goAway: PushError {
        PushError(
            .transport, "the server closed the connection and did not process the request", retry: .after(.zero),
            effect: .notApplied)
    }

    private static var timedOut: PushError {
        PushError(.timeout, "no response in time", retry: .backoff, effect: .unknown)
    }
}
