import FoundationEssentials
import PushAdapter
import PushSimulation
import PushSimulationTesting
import TestSupport
import Testing

@testable import PushOutbox

@Suite("Changes that are committed together", .timeLimit(.minutes(20)))
struct CommitLoopTests {
    /// A store that takes every change, but cannot hold some slices. Its first call waits for the gate.
    private struct ChoosyStore: ForwardingOutboxStore {
        let base: any OutboxStore = MemoryOutboxStore()
        let refused: Set<Int>
        let kind: PushError.Kind
        let isOpen = Locked(false)
        let groups = Locked<[Int]>([])

        func forward<Value: Sendable>(
            _ call: OutboxCall, _ body: @escaping @Sendable (any OutboxStore) async throws -> Value
        ) async throws -> Value { try await body(base) }

        func apply(_ changes: [SliceChange]) async throws -> [Bool] {
            groups.withLock { $0.append(changes.count) }
            while !isOpen.withLock({ $0 }) { await Task.yield() }
            if changes.contains(where: { refused.contains($0.slice.id.number) }) { throw PushError(kind, "no") }
            return changes.map { _ in true }
        }
    }

    /// Commits a change, and others while the store still works on it. Returns the slices that failed.
    private func failures(_ store: ChoosyStore, among count: Int) async throws -> Set<Int> {
        let loop = CommitLoop(PushOutbox(store, routes: [:], clock: VirtualClock()))
        return try await withThrowingTaskGroup(of: Int?.self) { group in
            func commit(_ number: Int) {
                let id = SliceRow.ID(campaign: 1, part: 0, number: number)
                let change = SliceChange(SliceRow(id: id, notBefore: .distantPast, outcomes: [.open]), from: [.ready])
                group.addTask {
                    do throws(PushError) { return try await loop.commit(change) ? nil : number } catch { return number }
                }
            }
            commit(0)
            while store.groups.withLock({ $0.isEmpty }) { await Task.yield() }
            for number in 1...count { commit(number) }
            while await loop.waiting.count < count { await Task.yield() }
            store.isOpen.withLock { $0 = true }
            return try await group.reduce(into: []) { failed, number in if let number { failed.insert(number) } }
        }
    }

    @Test("a change that the store cannot hold fails alone", arguments: [[7], [1, 20], []])
    func refused(_ refused: Set<Int>) async throws {
        let store = ChoosyStore(refused: refused, kind: .invalidArgument)
        #expect(try await failures(store, among: 20) == refused)
        #expect(store.groups.withLock { $0.prefix(2) } == [1, 20])
    }

    @Test("a store that fails is asked once for a group", arguments: [PushError.Kind.transport, .invalidState, .busy])
    func failing(_ kind: PushError.Kind) async throws {
        let store = ChoosyStore(refused: [7], kind: kind)
        #expect(try await failures(store, among: 20) == Set(1...20))
        #expect(store.groups.withLock { $0 } == [1, 20])
    }
}
