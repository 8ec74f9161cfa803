/// Sends one HTTP request and returns the answer, whatever its status.
///
/// A transport follows no redirect, interprets nothing, and sends each request at most once: only the client retries.
/// It throws a `PushError` whose `effect` is `notApplied` only when no byte of the request can have reached the server,
/// and `cancelled` when the task was.
public protocol HTTPTransport: Sendable {
    /// Sends one request and returns the whole answer; throws `timeout` when the request's time is over before.
    func send(_ request: TransportRequest) async throws(PushError) -> WireResponse
    /// Answers every call that is still open with `cancelled` and releases what the transport holds.
    func shutdown() async
}
