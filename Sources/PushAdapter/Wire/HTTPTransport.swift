/// Sends one HTTP request and returns the response, whatever its status.
///
/// A transport follows no redirect, interprets nothing, and sends each request at most once: only the client retries.
/// It throws a `PushError` of kind `cancelled` when the task was cancelled. An error's `effect` is `notApplied` only
/// when no byte of the request can have reached the server.
public protocol HTTPTransport: Sendable {
    /// Sends one request and returns the whole response; throws `timeout` when the request's timeout expires first.
    func send(_ request: TransportRequest) async throws(PushError) -> WireResponse
    /// Sends one request like ``send(_:)``, but calls `mayLeave` first. If that throws, throws the same error and sends
    /// nothing. A program that records each request before it is sent does so there.
    ///
    /// A transport with a queue of its own asks when the request could leave at once: it has a connection, and room on
    /// it. It writes the request within five seconds after it asked, or asks again. The time that `mayLeave` takes
    /// counts against the request's timeout. Without an implementation, the transport asks before anything else. A
    /// transport around another one passes the question on.
    func send(
        _ request: TransportRequest, beforeWriting mayLeave: @escaping @Sendable () async throws(PushError) -> Void
    ) async throws(PushError) -> WireResponse
    /// How many requests it carries at once before others wait; nil for no limit of its own.
    var concurrency: Int? { get }
    /// The transport's own thread, on which a client makes its requests if its caller adds no layers. There, a request
    /// costs no thread switch. Nil if there is none.
    var executor: (any TaskExecutor)? { get }
    /// Gives no further requests to a connection, by its number in a response, and closes it when those in flight have
    /// ended. Does nothing for a connection that is gone, and in a transport that does not number its connections; a
    /// transport around another one passes it on.
    func retire(_ connection: Int)
    /// Closes the connections of a group soon after their last request, because no more are expected there, for example
    /// after its key was replaced. Requests of the group may still come. Does nothing in a transport without groups; a
    /// transport around another one passes it on.
    func retire(group: String)
    /// Ends every call in flight with `cancelled` and releases the transport's resources.
    func shutdown() async
}

extension HTTPTransport {
    /// Calls `mayLeave`, and then sends.
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
    /// Does nothing.
    public func retire(_ connection: Int) {}
    /// Does nothing.
    public func retire(group: String) {}
}
