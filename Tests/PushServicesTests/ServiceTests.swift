#if ServiceLifecycle
    import PushAdapter
    import PushClient
    import PushMemory
    import PushOutbox
    import PushRouter
    import PushServices
    import PushSimulation
    import ServiceLifecycle
    import ServiceLifecycleTestKit
    import TestSupport
    import Testing

    @Suite("Services of a group", .timeLimit(.minutes(20)))
    struct ServiceTests {
        private static let message = Message(notification: Notification(body: "Hello"))

        /// A client of a vendor in memory that knows the device `d`. With the virtual clock, no deadline passes while
        /// other tests keep the processor busy.
        private func makeClient(clock: any PushClock = VirtualClock()) -> PushClient {
            var configuration = ClientConfiguration()
            configuration.clock = clock
            let vendor = MemoryVendor(key: Secret("key"), devices: [VirtualDevice("d", .android)])
            return PushClient(
                MemoryProvider(key: Secret("key")),
                transport: InProcessTransport(SimulatorHost(vendor, clock: clock)), configuration: configuration)
        }

        @Test("a client works until the group stops, and refuses calls after it")
        func client() async throws {
            let client = makeClient()
            try await testGracefulShutdown { trigger in
                async let run: Void = ClientService(client).run()
                _ = try await client.send(Self.message, to: .devices(["d"]))
                trigger.triggerGracefulShutdown()
                try await run
            }
            let error = await #expect(throws: PushError.self) {
                try await client.send(Self.message, to: .devices(["d"]))
            }
            #expect(error?.kind == .stopped)
        }

        @Test("a cancelled service ends too")
        func cancelled() async throws {
            let client = makeClient()
            let task = Task { try await ClientService(client).run() }
            task.cancel()
            try await task.value
            await #expect(throws: PushError.self) { try await client.send(Self.message, to: .devices(["d"])) }
        }

        @Test("the clients of all routes of a router end with it")
        func router() async throws {
            let (one, two) = (makeClient(), makeClient())
            let router = try PushRouter(routes: ["one": one, "two": two], bindings: MemoryBindingStore())
            try await testGracefulShutdown { trigger in
                async let run: Void = ClientService(router).run()
                trigger.triggerGracefulShutdown()
                try await run
            }
            for client in [one, two] {
                await #expect(throws: PushError.self) { try await client.send(Self.message, to: .devices(["d"])) }
            }
        }

        @Test("an outbox carries out campaigns until the group stops, and its health says so")
        func outbox() async throws {
            let client = makeClient(clock: SystemClock())
            let outbox = PushOutbox(MemoryOutboxStore(), routes: ["memory": client])
            #expect(await outbox.health().isReady)
            #expect(await !outbox.health().isWorking)
            try await testGracefulShutdown { trigger in
                async let run: Void = OutboxService(outbox).run()
                try await outbox.enqueue(Self.message, to: [.audience(.devices(["d"]), at: "memory")], as: "sale")
                for try await progress in outbox.progress(of: "sale") where progress.accepted == 1 { break }
                await until { await outbox.health().lastAccepted != nil }
                let health = await outbox.health()
                #expect(health.isWorking && health.workers == 1 && health.restingRoutes.isEmpty)
                trigger.triggerGracefulShutdown()
                try await run
            }
            #expect(await !outbox.health().isWorking)
            await client.shutdown()
        }
    }
#endif
