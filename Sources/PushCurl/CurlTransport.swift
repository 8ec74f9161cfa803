public import PushAdapter
import PushIO

/// Sends requests through libcurl: one I/O thread, kept connections, HTTP/1.1.
///
/// Uses HTTPS with TLS 1.2 or later and verifies peer and host; plain HTTP goes to this machine only, and to the hosts
/// that its configuration names. Follows no redirect, and reads no `.netrc` and no proxy variable. Sends each request
/// at most once. A response that cannot belong to its request fails with effect `unknown`: it arrives before the
/// request is out, is cut off, or has more bytes after it. A request that requires a public address connects to no
/// other, see `TransportRequest.requiresPublicAddress`. A call waits while `maxInFlight` others are in flight; the
/// wait counts against its timeout.
public final class CurlTransport: HTTPTransport {
    private let thread: IOThread
    private let check: RequestCheck
    /// `maxInFlight` of its configuration, a million at most.
    public let concurrency: Int?

    /// Throws `misconfigured` for a setting that libcurl refuses, such as a CA file that cannot be read.
    public init(_ configuration: CurlConfiguration = CurlConfiguration()) throws(PushError) {
        let configuration = configuration.bounded
        let (hasProxy, plainHosts) = (configuration.proxy != nil, configuration.plainHosts)
        check = RequestCheck(configuration) { origin in
            if hasProxy { return "plain HTTP does not go through a proxy; use https" }
            return origin.isLoopback || plainHosts.contains(origin.host)
                ? nil : "plain HTTP is for this machine only; use https for \(origin.host)"
        }
        concurrency = configuration.maxInFlight
        thread = try IOThread(CurlEngine(configuration))
    }

    /// Runs tasks on the I/O thread, where a request costs no thread switch: for tasks that do little but send.
    ///
    /// ```swift
    /// try await withTaskExecutorPreference(transport.executor) { try await client.send(message, to: audience) }
    /// ```
    ///
    /// Work in such a task delays the requests of all others, so keep it short, and never let it block. Without the
    /// transport, and after its shutdown, such tasks run on the global executor.
    public var executor: (any TaskExecutor)? { thread }

    /// Open requests fail with `cancelled`; the thread ends on its own.
    deinit { thread.stop() }

    /// Sends one request. Refuses an invalid address with `invalidArgument`, also one that must be public and is not.
    /// Refuses every request after shutdown with `stopped`.
    public func send(_ request: TransportRequest) async throws(PushError) -> WireResponse {
        try await thread.send(request, to: try origin(of: request))
    }

    /// Sends one request, but asks first, when it has a connection.
    public func send(
        _ request: TransportRequest, beforeWriting mayLeave: @escaping @Sendable () async throws(PushError) -> Void
    ) async throws(PushError) -> WireResponse {
        try await thread.send(request, to: try origin(of: request), beforeWriting: mayLeave)
    }

    private func origin(of request: TransportRequest) throws(PushError) -> Origin {
        let origin = try check.check(request)
        guard !request.requiresHTTP2 else {
            throw PushError(.misconfigured, "\(origin.host) speaks HTTP/2 only; use HTTP2Transport")
        }
        return origin
    }

    public func shutdown() async {
        thread.stop()
        await thread.finished()
    }
}
