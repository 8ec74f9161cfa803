import PushAdapter
import PushClient
import PushDevice
import PushSimulation
import Testing

/// Reading through a session, and a vendor whose accounts stand for aliases.
@Suite("Reading from a session")
struct ReadingTests {
    @Test("tags, alias and one tag are read with their types")
    func typed() async throws {
        let stage = Stage(.jpush)
        _ = try await stage.session.run(.addTags(["a", "b"]))
        #expect(try await stage.session.tags() == ["a", "b"])
        #expect(try await stage.session.hasTag("a"))
        #expect(try await stage.session.hasTag("c") == false)
        #expect(try await stage.session.alias() == nil)
        _ = try await stage.session.run(.setAlias("u"))
        #expect(try await stage.session.alias() == "u")
    }

    @Test("under rules that only query pages, the pages are put together")
    func pages() async throws {
        var rules = SessionRules.tpns
        rules.largestPage = 2
        let stage = Stage(rules)
        #expect(try await stage.session.tags() == [])
        _ = try await stage.session.run(.addTags(["a", "b", "c", "d", "e"]))
        #expect(try await stage.session.tags() == ["a", "b", "c", "d", "e"])
        let fault = await #expect(throws: SessionFault.self) { _ = try await stage.session.alias() }
        #expect(fault?.error.kind == .unsupported)
    }
}
