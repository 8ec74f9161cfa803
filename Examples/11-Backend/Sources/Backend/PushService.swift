public import PushBridge
public import ServiceLifecycle

/// Shuts the client down when the process is asked to stop, after the server: pushes in flight have 20 seconds to end.
public struct PushService: Service {
    private let client: PushClient

    public init(_ client: PushClient) { self.client = client }

    public func run() async throws {
        // Throws when the task is cancelled, which also ends the process.
        try? await gracefulShutdown()
        await client.shutdown(draining: .seconds(20))
    }
}
