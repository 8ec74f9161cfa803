public import PushCore

/// Sends requests through libcurl: one I/O thread, kept connections, HTTP/1.1, and HTTP/2 by a setting.
///
/// HTTPS with TLS 1.2 or later, peer and host verified; plain HTTP to this machine only. No redirect is followed, no
/// `.netrc` and no proxy variable is read. Each request is sent at most once, and an answer that cannot be its own fails
/// with effect `unknown`: one that comes before the request is out, is cut off, or has more behind it. A call waits while
/// `maxInFlight` others are under way; the wait counts against its time-out.
public final class CurlTransport: HTTPTransport {
    private let engine: CurlEngine
    private let check: RequestCheck

    /// Throws `misconfigured` for a setting that libcurl refuses, such as a CA file that cannot be read.
    public init(_ configuration: CurlConfiguration = CurlConfiguration()) throws(PushError) {
        check = RequestCheck(hasProxy: configuration.proxy != nil)
        engine = try CurlEngine(configuration)
        try engine.start()
    }

    /// Runs tasks on the I/O thread, where a request costs no change of threads: for tasks that do little but send.
    ///
    /// ```swift
    /// try await withTaskExecutorPreference(transport.executor) { try await client.send(message, to: audience) }
    /// ```
    ///
    /// What such a task computes holds up the requests of all others, so keep it short, and never let it block. Without
    /// the transport, and after its shutdown, such tasks run where others do.
    public var executor: any TaskExecutor { engine }

    /// Answers what is open with `cancelled`; the thread ends by itself.
    deinit { engine.stop() }

    /// Sends one request. Refuses an unfit address with `invalidArgument`, and any after a shutdown with `stopped`.
    public func send(_ request: TransportRequest) async throws(PushError) -> WireResponse {
        try check.check(request)
        let transfer = CurlTransfer(request)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { engine.submit(transfer, $0) }
        } onCancel: {
            engine.cancel(transfer)
        }
        return try result.get()
    }

    public func shutdown() async {
        engine.stop()
        await engine.finished()
    }
}
