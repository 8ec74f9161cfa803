public import PushAdapter
import PushIO

/// Sends requests over HTTP/2 through nghttp2 and OpenSSL: one I/O thread, few connections, each stream read to its end.
///
/// Uses HTTPS with TLS 1.2 or later, verifies peer and host, and refuses a server that does not choose HTTP/2. Follows no
/// redirect, decompresses nothing, and reads no proxy variable. Sends each request at most once. Before its first request, a
/// connection waits for the server's settings, and it never has more streams than these allow. A request that requires a
/// public address connects to no other, see `TransportRequest.requiresPublicAddress`.
///
/// A request has no effect if nothing of it left, or if the server refused its stream. It also has none if the server
/// closes the connection and says that it stopped before this stream. After any other failure the effect is `unknown`.
public final class HTTP2Transport: HTTPTransport {
    private let engine: HTTP2Engine
    private let thread: IOThread
    private let check: RequestCheck
    /// `maxInFlight` of its configuration, a million at most.
    public let concurrency: Int?

    /// Throws `misconfigured` for a setting that cannot work, such as a CA file that cannot be read.
    public init(_ configuration: HTTP2Configuration = HTTP2Configuration()) throws(PushError) {
        let configuration = configuration.bounded
        check = RequestCheck(configuration) { _ in "plain HTTP is not supported; use https, or CurlTransport" }
        concurrency = configuration.maxInFlight
        engine = try HTTP2Engine(configuration)
        thread = try IOThread(engine)
    }

    /// Runs tasks on the I/O thread, where a request costs no thread switch: for tasks that do little but send.
    ///
    /// Work in such a task delays the requests of all others, so keep it short, and never let it block. Without the
    /// transport, and after its shutdown, such tasks run on the global executor.
    public var executor: (any TaskExecutor)? { thread }

    /// Open requests fail with `cancelled`; the thread ends on its own.
    deinit { thread.stop() }

    /// Sends one request. Refuses with `invalidArgument` an invalid address, one that must be public and is not, and a
    /// header field that HTTP/2 does not have. Refuses every request after shutdown with `stopped`.
    public func send(_ request: TransportRequest) async throws(PushError) -> WireResponse {
        try await thread.send(request, to: try origin(of: request))
    }

    /// Sends one request, but asks first, when a connection has room for it.
    public func send(
        _ request: TransportRequest, beforeWriting mayLeave: @escaping @Sendable () async throws(PushError) -> Void
    ) async throws(PushError) -> WireResponse {
        try await thread.send(request, to: try origin(of: request), beforeWriting: mayLeave)
    }

    private func origin(of request: TransportRequest) throws(PushError) -> Origin {
        let origin = try check.check(request)
        for field in request.headers where Self.foreignFields.contains(field.name.canonicalName) {
            throw PushError(
                .invalidArgument,
                "the header field \(field.name.canonicalName) is not for HTTP/2, or the transport's own")
        }
        return origin
    }

    /// Fields about one connection of HTTP/1.1, which RFC 9113 forbids, and those that the transport writes.
    private static let foreignFields: Set<String> = [
        "connection", "content-length", "host", "keep-alive", "proxy-connection", "te", "transfer-encoding",
        "upgrade",
    ]

    public func retire(_ connection: Int) { engine.retire(connection) }

    public func retire(group: String) { engine.retire(group: group) }

    public func shutdown() async {
        thread.stop()
        await thread.finished()
    }
}
