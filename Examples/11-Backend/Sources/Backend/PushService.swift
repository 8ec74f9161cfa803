public import PushBridge
public import ServiceLifecycle

/// Shuts the client down when the process is asked to stop. The server stops first, after it has answered the accepted
/// requests. Pushes still in flight then have 20 seconds.
public struct PushService: Service {
    private let client: PushClient

    public init(_ client: PushClient) { self.client = client }

    public func run() async throws {
        // Throws when the task is cancelled, which also ends the process.
        try? await gracefulShutdown()
        await client.shutdown(draining: .seconds(20))
    }
}
