import PushAdapter
import PushOutbox
import PushSimulation
import PushSimulationTesting
import TestSupport
import Testing

@Suite("What a probe asks", .timeLimit(.minutes(20)))
struct HealthTests {
    /// A store that answers a call only after the test.
    private struct HangingStore: ForwardingOutboxStore {
        let base: any OutboxStore = MemoryOutboxStore()
        let call: OutboxCall
        let isOver = Locked(false)

        func forward<Value: Sendable>(
            _ call: OutboxCall, _ body: @escaping @Sendable (any OutboxStore) async throws -> Value
        ) async throws -> Value {
            while call == self.call, !isOver.withLock({ $0 }) { await Task.yield() }
            return try await body(base)
        }
    }

    @Test("a store that does not answer is a result after five seconds", arguments: [OutboxCall.campaigns, .workers])
    func hanging(_ call: OutboxCall) async throws {
        let (store, clock) = (HangingStore(call: call), VirtualClock())
        defer { store.isOver.withLock { $0 = true } }
        let outbox = PushOutbox(store, routes: [:], clock: clock)
        let asking = Task { await outbox.health() }
        while clock.expiries == 0 { await Task.yield() }
        clock.advance(by: .seconds(5))
        let health = await asking.value
        #expect(!health.isReady && health.storeFailure == "timeout: the store did not answer in time")
        #expect(health.workers == 0)
    }

    @Test("a store that answers leaves no wait behind")
    func answering() async throws {
        let clock = VirtualClock()
        let health = await PushOutbox(MemoryOutboxStore(), routes: [:], clock: clock).health()
        #expect(health.isReady && health.workers == 1)
        while clock.expiries > 0 { await Task.yield() }
    }
}
