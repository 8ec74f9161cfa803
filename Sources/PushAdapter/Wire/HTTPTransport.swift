/// Sends one HTTP request and returns the response, whatever its status.
///
/// A transport follows no redirect, interprets nothing, and sends each request at most once: only the client retries.
/// It throws a `PushError` whose `effect` is `notApplied` only when no byte of the request can have reached the server,
/// and one of kind `cancelled` when the task was cancelled.
public protocol HTTPTransport: Sendable {
    /// Sends one request and returns the whole response; throws `timeout` when the request's timeout expires first.
    func send(_ request: TransportRequest) async throws(PushError) -> WireResponse
    /// Sends one request like ``send(_:)``, but first asks whether it may leave, and throws what the caller throws, with
    /// nothing sent. A program that notes each request before it is sent does that there.
    ///
    /// A transport with a queue of its own asks when the request could leave at once: it has a connection, and room on it. It
    /// writes the request within five seconds after it asked, or asks again. Time that the caller takes counts against the
    /// request's timeout. Without an implementation, the transport asks before anything else; one around another
    /// transport passes the question on.
    func send(
        _ request: TransportRequest, beforeWriting mayLeave: @escaping @Sendable () async throws(PushError) -> Void
    ) async throws(PushError) -> WireResponse
    /// How many requests it carries at once before others wait; nil for no limit of its own.
    var concurrency: Int? { get }
    /// Where a client without layers of its caller's makes its requests: a thread of the transport's own, where a request costs
    /// no thread switch. Nil for none.
    var executor: (any TaskExecutor)? { get }
    /// Gives no further requests to a connection, by its number in a response, and closes it when those in flight have
    /// ended. Does nothing for a connection that is gone, and in a transport that does not number its connections; a
    /// transport around another one passes it on.
    func retire(_ connection: Int)
    /// Closes the connections of a group soon after their last request: none is expected there any more, for example because its
    /// key was replaced. Requests of the group may still come. Does nothing in a transport without groups; a
    /// transport around another one passes it on.
    func retire(group: String)
    /// Ends every call in flight with `cancelled` and releases what the transport holds.
    func shutdown() async
}

extension HTTPTransport {
    /// Asks, and then sends.
    public func send(
        _ request: TransportRequest, beforeWriting mayLeave: @escaping @Sendable () async throws(PushError) -> Void
    ) async throws(PushError) -> WireResponse {
        try await mayLeave()
        return try await send(request)
    }

    /// No limit.
    public var concurrency: Int? { nil }
    /// None.
    public var executor: (any TaskExecutor)? { nil }
    /// Nothing.
    public func retire(_ connection: Int) {}
    /// Nothing.
    public func retire(group: String) {}
}
