#if ServiceLifecycle
    import PushCore
    public import PushClient
    public import PushOutbox
    public import PushRouter
    public import ServiceLifecycle

    /// Shuts a client down when its group stops.
    ///
    /// ```swift
    /// let services: [any Service] = [ClientService(client), OutboxService(outbox), server]
    /// try await ServiceGroup(services: services, gracefulShutdownSignals: [.sigterm], logger: logger).run()
    /// ```
    ///
    /// A group stops its services in the reverse order. So put clients first, then the services that use them,
    /// and the server last: it stops taking requests while the others still work.
    public struct ClientService: Service {
        private let shutdown: @Sendable () async -> Void

        /// A service for a client.
        /// - Parameters:
        ///   - client: shut down when the group stops.
        ///   - time: how long calls in flight may continue then.
        public init(_ client: PushClient, draining time: Duration = .seconds(20)) {
            shutdown = { await client.shutdown(draining: time) }
        }

        /// A service for the clients of all routes of a router.
        /// - Parameters:
        ///   - router: its clients are shut down when the group stops, all at once.
        ///   - time: how long calls in flight may continue then.
        public init(_ router: PushRouter, draining time: Duration = .seconds(20)) {
            shutdown = {
                await withTaskGroup(of: Void.self) { group in
                    for client in router.routes.values {
                        group.addTask { await client.shutdown(draining: time) }
                    }
                }
            }
        }

        /// Waits until the group stops or the task is cancelled, and shuts down.
        public func run() async throws {
            // Throws when the task is cancelled, which also ends the process.
            try? await gracefulShutdown()
            await shutdown()
        }
    }

    /// Carries out the campaigns of an outbox until its group stops.
    public struct OutboxService: Service {
        private let outbox: PushOutbox

        /// A service for the worker of an outbox. Put it behind the services of its clients.
        public init(_ outbox: PushOutbox) { self.outbox = outbox }

        /// Works until the group stops or the task is cancelled. Then it leases nothing more, and waits for requests in
        /// flight, as long as `OutboxSettings.drain`. Throws what `PushOutbox.run` throws.
        public func run() async throws {
            try await cancelWhenGracefulShutdown { [outbox] in try await outbox.run() }
        }
    }
#endif
