import FoundationEssentials
import PushAdapter
import PushRouter
import PushStoreConformance
import Testing

@Suite("Stores of bindings")
struct StoreTests {
    /// A way to create an empty store.
    struct Maker: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable () async throws -> any BindingStore
    }

    private static var makers: [Maker] {
        let memory = Maker(testDescription: "in memory") { MemoryBindingStore() }
        #if SQLite
            return [memory, Maker(testDescription: "in a file") { try TemporaryStore() }]
        #else
            return [memory]
        #endif
    }

    @Test("each store does what the protocol says", arguments: Self.makers, BindingStoreCheck.all)
    func store(maker: Maker, check: BindingStoreCheck) async throws {
        try await check.run(try await maker.make())
    }

    @Test("each store keeps ids with a zero byte", arguments: Self.makers)
    func zeroBytes(maker: Maker) async throws {
        let store = try await maker.make()
        let texts = ["", "\0", "a", "a\0b"]
        let bindings = texts.map { Plans.binding(UserID($0), InstallationID($0), "a", $0) }
        for binding in bindings { try await store.bind(binding) }
        let found = try await store.bindings(of: texts.map { UserID($0) })
        #expect(Set(found) == Set(bindings) && found.count == bindings.count)
        #expect(Set(try await store.bindings(at: bindings.map(\.way))) == Set(bindings))
    }

    @Test("a store in memory takes bindings at its start, a later one in place of an earlier one")
    func initial() async {
        let new = Plans.binding("bob", "phone", "a", "device-1")
        let store = MemoryBindingStore([Plans.binding("ann", "phone", "a", "device-1", age: 60), new])
        let found = await store.bindings(of: ["ann", "bob"])
        #expect(found == [new])
    }
}
