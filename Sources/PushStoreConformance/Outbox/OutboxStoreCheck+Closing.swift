import PushCore
import PushOutbox

extension OutboxStoreCheck {
    /// The rule for a store that can be closed: later calls throw `stopped`, so that its workers end. `all` does not
    /// have it, because the protocol has no call that closes a store.
    /// - Parameter close: closes the store that the check runs on.
    public static func closing(_ close: @escaping @Sendable () async throws -> Void) -> OutboxStoreCheck {
        OutboxStoreCheck("the calls of a closed store throw stopped") { store in
            try await stored(store)
            guard let row = try await lease(store).first else { throw Failure(description: "a slice is leased") }
            try await close()
            try await expectStopped("claim") { _ = try await store.claim(1) }
            try await expectStopped("renew") { _ = try await store.renew(1) }
            try await expectStopped("orphans") { _ = try await store.orphans(of: 1) }
            try await expectStopped("lease") { _ = try await lease(store) }
            try await expectStopped("apply") { _ = try await store.apply([SliceChange(row.slice, from: [.leased])]) }
            try await expectStopped("endFinished") { _ = try await store.endFinished(at: start) }
            try await expectStopped("prune") { _ = try await store.prune(at: start, limit: 1) }
            try await expectStopped("campaigns") { _ = try await store.campaigns(.named("c")) }
            try await expectStopped("create") { _ = try await store.create(campaign("d")) }
        }
    }

    private static func expectStopped(_ name: String, _ call: () async throws -> Void) async throws {
        do { try await call() } catch let error as PushError where error.kind == .stopped { return } catch {
            throw Failure(description: "after the store was closed, `\(name)` throws \(error) instead of `stopped`")
        }
        throw Failure(description: "after the store was closed, `\(name)` does not throw `stopped`")
    }
}
