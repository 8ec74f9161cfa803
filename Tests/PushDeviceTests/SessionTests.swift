import Dispatch
import PushAdapter
import PushClient
import PushDevice
import PushMemory
import PushSimulation
import PushStyles
import TestSupport
import Testing

/// The effects of calls at the vendor, and the limits on calls. The ids are those of `Tests/Contract/cases.json`.
@Suite("Device sessions")
struct SessionTests {
    static let families: [SessionRules] = [.jpush, ArgumentTests.mtpush]

    @Test(
        "G-016, G-022, G-024, G-025, G-028: tags are added, taken off, cleared, and told by case", arguments: families)
    func tags(rules: SessionRules) async throws {
        let stage = Stage(rules)
        for call: SessionCall in [.addTags(["a", "b"]), .addTags(["b", "c"])] { _ = try await stage.session.run(call) }
        #expect(await stage.tags == ["a", "b", "c"])
        _ = try await stage.session.run(.deleteTags(["b"]))
        #expect(await stage.tags == ["a", "c"])
        _ = try await stage.session.run(.deleteTags(["x"]))
        #expect(await stage.tags == ["a", "c"])
        _ = try await stage.session.run(.setTags(["Game"]))
        _ = try await stage.session.run(.addTags(["game"]))
        guard case .tags(let listed) = try await stage.session.run(.getAllTags) else {
            Issue.record("a list is answered with tags")
            return
        }
        #expect(listed == ["Game", "game"])
        _ = try await stage.session.run(.cleanTags)
        #expect(await stage.tags.isEmpty)
    }

    @Test("G-030, G-031: one tag is asked for", arguments: families, [("a", true), ("b", false)])
    func validTag(rules: SessionRules, sample: (tag: String, isBound: Bool)) async throws {
        let stage = Stage(rules)
        _ = try await stage.session.run(.addTags(["a"]))
        guard case .hasTag(let answer) = try await stage.session.run(.validTag(sample.tag)) else {
            Issue.record("a question is answered")
            return
        }
        #expect(answer == sample.isBound)
    }

    @Test("G-045: an alias takes the place of the one before", arguments: families)
    func alias(rules: SessionRules) async throws {
        let stage = Stage(rules)
        for alias in ["u1", "u2"] { _ = try await stage.session.run(.setAlias(alias)) }
        guard case .alias("u2") = try await stage.session.run(.getAlias) else {
            Issue.record("the last one counts")
            return
        }
    }

    @Test(
        "G-054, G-055, G-056: nil leaves a half, empty clears it, a value takes its place",
        arguments: [SessionRules.jpush, .jpushLegacy],
        [
            ([], nil, [], "u1"), (nil, "", ["a"], nil), ([], "", [], nil), (["b"], nil, ["b"], "u1"),
            (["b"], "u2", ["b"], "u2"),
        ] as [([String]?, String?, Set<String>, String?)])
    func overlay(rules: SessionRules, sample: ([String]?, String?, Set<String>, String?)) async throws {
        let stage = Stage(rules)
        _ = try await stage.session.run(.overlay(tags: ["a"], alias: "u1"))
        guard case .halves(let halves) = try await stage.session.run(.overlay(tags: sample.0, alias: sample.1)) else {
            Issue.record("both halves are reported")
            return
        }
        #expect(halves.failure == nil)
        switch halves.tags {
        case .untouched: #expect(sample.0 == nil)
        case .done: #expect(sample.0 != nil)
        case .failed, .notAttempted: Issue.record("the tags are \(halves.tags)")
        }
        #expect(await stage.tags == sample.2)
        #expect(await stage.alias == sample.3)
    }

    @Test(
        "G-182, G-183, G-184: where an overlay is made from two calls, each half is told, and what is wrong stops both")
    func halves() async throws {
        let rules = ArgumentTests.mtpush
        #expect(await Stage(rules).fault(of: .overlay(tags: [], alias: nil))?.reason == .unsupported)
        let stage = Stage(rules, consent: SessionConsent(calls: [.overlay]))
        _ = try await stage.session.run(.setTags(["a"]))
        _ = try await stage.session.run(.setAlias("u1"))
        var before = stage.requests
        _ = try await stage.session.run(.overlay(tags: [], alias: nil))
        #expect(stage.requests == before + 1)
        #expect(await stage.tags.isEmpty)
        #expect(await stage.alias == "u1")
        stage.host.faults.add(.serverError(status: 500), path: "\(MemoryProvider.devicePath)/alias")
        guard case .halves(let halves) = try await stage.session.run(.overlay(tags: ["b"], alias: "u2")) else {
            Issue.record("both halves are reported")
            return
        }
        guard case .done = halves.tags, case .failed(let error) = halves.alias else {
            Issue.record("the tags are set, the alias is not: \(halves)")
            return
        }
        #expect(error.kind == .server && halves.failure?.subject == .alias)
        before = stage.requests
        let refused = await stage.fault(of: .overlay(tags: ["c"], alias: "bad alias"))
        #expect(refused?.reason == .characters && refused?.subject == .alias)
        #expect(stage.requests == before)
        #expect(await stage.tags == ["b"])
    }

    @Test("a half that the vendor would refuse stops the other before it is made")
    func vendorsLimits() async throws {
        let stage = Stage(
            .jpush, edit: { $0.limits[.aliasLength] = Limit(10, .utf8Bytes, .reject, source: "test") })
        let fault = await stage.fault(of: .overlay(tags: ["a"], alias: String(repeating: "u", count: 11)))
        #expect(fault?.reason == .failed && fault?.subject == .alias && fault?.error.kind == .tooLong)
        let lacking = Stage(.jpush, edit: { $0.support[.setAlias] = .unsupported("no aliases here") })
        #expect(await lacking.fault(of: .overlay(tags: ["a"], alias: "u"))?.error.kind == .unsupported)
        #expect(stage.requests == 0 && lacking.requests == 0)
        // The refused call uses no place in the window: all ten are left.
        for _ in 0..<10 { #expect(await lacking.fault(of: .addTags(["a"])) == nil) }
    }

    @Test("the alias is not tried when the tags failed")
    func notAttempted() async throws {
        let stage = Stage(.jpush)
        stage.host.faults.add(.serverError(status: 500))
        guard case .halves(let halves) = try await stage.session.run(.overlay(tags: ["b"], alias: "u2")) else {
            Issue.record("both halves are reported")
            return
        }
        guard case .failed = halves.tags, case .notAttempted = halves.alias else {
            Issue.record("the tags failed: \(halves)")
            return
        }
        #expect(stage.requests == 1)
    }

    @Test("a change that stopped half-way has done something")
    func halfWay() async throws {
        let counter = Locked(0)
        let stage = Stage(
            .jpush,
            edit: {
                $0.support[.replaceTags] = .unsupported("no")
                $0.limits[.tagsPerCall] = Limit(1, .count, .split, source: "test")
            }, over: { ThirdFails($0, counter) })
        let fault = await stage.fault(of: .setTags(["a", "b"]))
        #expect(fault?.error.effect == .applied)
        #expect(await stage.tags == ["a"])
    }

    /// A transport that fails the third request.
    private struct ThirdFails: HTTPTransport {
        let base: any HTTPTransport
        let counter: Locked<Int>
        init(_ base: any HTTPTransport, _ counter: Locked<Int>) { (self.base, self.counter) = (base, counter) }

        func send(_ request: TransportRequest) async throws(PushError) -> WireResponse {
            let number = counter.withLock { count in
                count += 1
                return count
            }
            guard number != 3 else { throw PushError(.transport, "the connection could not be made") }
            return try await base.send(request)
        }

        func shutdown() async { await base.shutdown() }
    }

    /// The result numbers of concurrent calls, in the order of the answers.
    private final class Answers: Sendable {
        private let lines = Locked<[String]>([])
        private let queue = DispatchQueue(label: "answers")

        func submit(_ calls: SessionCall..., to session: DeviceSession) {
            for call in calls {
                session.submit(call, on: queue) { [lines] result in
                    let code =
                        switch result {
                        case .success: ResultCodes.success
                        case .failure(let fault): ResultCodes.code(for: fault, of: call.kind)
                        }
                    lines.withLock { $0.append("\(call.kind): \(code)") }
                }
            }
        }

        func wait(for count: Int) async -> [String] {
            await until { lines.withLock { $0.count } >= count }
            return lines.withLock { $0 }
        }
    }

    @Test("G-076: a second call about tags is refused as busy while one is under way, which then succeeds")
    func busy() async {
        let (stage, barrier) = Stage.held(.jpush)
        let answers = Answers()
        answers.submit(.addTags(["a"]), to: stage.session)
        await until { barrier.waiting == 1 }
        for call: SessionCall in [.addTags(["b"]), .setTags(["b"]), .deleteTags(["a"]), .cleanTags, .overlayTags([])] {
            let fault = await stage.fault(of: call)
            #expect(fault.map { ResultCodes.code(for: $0, of: call.kind) } == 6021)
            #expect(fault?.error.kind == .busy && fault?.error.effect == .notApplied)
        }
        barrier.open()
        #expect(await answers.wait(for: 1) == ["addTags: 0"])
        #expect(await stage.tags == ["a"])
        #expect(stage.requests == 1)
    }

    @Test("G-075, G-078, G-080: one request about tags and one about the alias at a time")
    func slots() async throws {
        let (stage, barrier) = Stage.held(.jpush)
        let answers = Answers()
        answers.submit(
            .getAllTags, .addTags(["a"]), .setAlias("u"), .getAlias, .overlay(tags: ["a"], alias: "u"),
            .overlayAlias("u"), .setPhone("1"), to: stage.session)
        // A refusal does not wait for calls in flight.
        #expect(
            await answers.wait(for: 4) == [
                "addTags: 6021", "getAlias: 6022", "overlay: 6021", "overlayAlias: 6022",
            ])
        barrier.open()
        #expect(Set(await answers.wait(for: 7).suffix(3)) == ["getAllTags: 0", "setAlias: 0", "setPhone: 0"])
    }

    @Test("G-079, G-081: an overlay takes both slots, and who hears of its end finds them free")
    func overlaySlots() async throws {
        let (stage, barrier) = Stage.held(.jpush)
        let answers = Answers()
        answers.submit(.overlay(tags: ["a"], alias: "u"), .addTags(["b"]), .setAlias("v"), to: stage.session)
        #expect(await answers.wait(for: 2) == ["addTags: 6021", "setAlias: 6022"])
        barrier.open()
        #expect(await answers.wait(for: 3).last == "overlay: 0")
        #expect(await stage.fault(of: .addTags(["b"])) == nil)
        #expect(await stage.tags == ["a", "b"])
    }

    @Test("who hears of an answer can make the next call at once")
    func next() async {
        let stage = Stage(.jpush)
        let session = stage.session
        let queue = DispatchQueue(label: "answers")
        let count = Locked(0)
        let refused = Locked(0)
        @Sendable func go() {
            stage.clock.advance(by: .seconds(1))
            session.submit(.addTags(["a"]), on: queue) { result in
                if case .failure = result { refused.withLock { $0 += 1 } }
                let made = count.withLock { count in
                    count += 1
                    return count
                }
                if made < 200 { go() }
            }
        }
        go()
        await until { count.withLock { $0 } == 200 }
        #expect(refused.withLock { $0 } == 0)
    }

    @Test("G-082, G-088: ten calls about tags in 9.9 seconds leave no place at 9.95, but one for a phone number")
    func tenTags() async throws {
        let stage = Stage(.jpush)
        for number in 0..<10 {
            _ = try await stage.session.run(.addTags(["t\(number)"]))
            stage.clock.advance(by: .milliseconds(number < 9 ? 1100 : 50))
        }
        #expect(stage.clock.elapsed == .milliseconds(9950))
        let fault = try #require(await stage.fault(of: .addTags(["more"])))
        #expect(fault.reason == .tooFrequent && fault.error.kind == .rateLimited)
        #expect(ResultCodes.code(for: fault, of: .addTags) == 6011)
        #expect(stage.requests == 10)
        #expect(await stage.tags.count == 10)
        #expect(await stage.fault(of: .setPhone("1")) == nil)
    }

    @Test("G-084, G-085, G-086: ten settings in ten seconds, of tags and aliases together")
    func window() async {
        let stage = Stage(.jpush)
        for number in 0..<10 {
            #expect(await stage.fault(of: .addTags([]))?.reason == .missing)
            #expect(await stage.fault(of: number < 6 ? .addTags(["t"]) : .setAlias("u")) == nil)
            stage.clock.advance(by: .milliseconds(number < 9 ? 500 : 5450))
        }
        // 9.95 s after the first call.
        let fault = await stage.fault(of: .addTags(["t"]))
        #expect(fault?.reason == .tooFrequent && fault?.error.retry == .after(.milliseconds(50)))
        #expect(fault.map { ResultCodes.code(for: $0) } == 6011)
        #expect(await stage.fault(of: .getAllTags) == nil)
        #expect(await stage.fault(of: .setPhone("1")) == nil)
        // Ten seconds after the first call, it has left the window.
        stage.clock.advance(by: .milliseconds(50))
        #expect(await stage.fault(of: .addTags(["t"])) == nil)
        #expect(await stage.fault(of: .addTags(["t"]))?.reason == .tooFrequent)
    }

    @Test("G-087: three settings of the phone number in ten seconds", arguments: families)
    func phones(rules: SessionRules) async throws {
        let stage = Stage(rules)
        for _ in 0..<3 { #expect(await stage.fault(of: .setPhone("138")) == nil) }
        let fault = try #require(await stage.fault(of: .setPhone("138")))
        #expect(fault.reason == .tooFrequent && fault.error.kind == .rateLimited)
        guard case .after(let wait) = fault.error.retry else {
            Issue.record("when there is room again is known")
            return
        }
        stage.clock.advance(by: wait)
        #expect(await stage.fault(of: .setPhone("138")) == nil)
    }

    @Test("G-100: nil and nothing unbind the phone number", arguments: families, [nil, ""] as [String?])
    func unbind(rules: SessionRules, number: String?) async throws {
        let stage = Stage(rules)
        _ = try await stage.session.run(.setPhone("138"))
        #expect(try await stage.client.readPhone(of: Stage.device)?.rawValue == "138")
        _ = try await stage.session.run(.setPhone(number))
        #expect(try await stage.client.readPhone(of: Stage.device) == nil)
    }

    @Test("a number for a vendor whose phone numbers are accounts loses its hyphens and needs its country's code")
    func conversion() async throws {
        let stage = Stage(
            .jpush, consent: SessionConsent(phoneAccountType: 1002),
            edit: { $0.support[.setPhone] = .unsupported("accounts") },
            configure: {
                $0.retry = .none
                $0.ledger = MemoryLedger()
            })
        _ = try await stage.session.run(.setPhone("+86-137-1111-2222"))
        #expect(await stage.snapshot.accounts == [Account(name: "+8613711112222", type: 1002)])
        let fault = await stage.fault(of: .setPhone("137-1111-2222"))
        #expect(fault?.reason == .characters && fault?.subject == .phone)
        _ = try await stage.session.run(.setPhone(""))
        #expect(await stage.snapshot.accounts.isEmpty)
    }

    @Test("an account stands for the alias only where that is asked for, and only one type")
    func accountAsAlias() async throws {
        func noAccounts(_ capabilities: inout Capabilities) {
            for feature: Feature in [.addAccounts, .removeAccounts, .clearAccounts] {
                capabilities.support[feature] = .unsupported("aliases only")
            }
        }
        let refusing = Stage(.tpns, edit: noAccounts)
        #expect(await refusing.fault(of: .upsertAccounts([1: "u"]))?.error.kind == .unsupported)
        #expect(await refusing.fault(of: .deleteAccounts([1]))?.error.kind == .unsupported)
        #expect(refusing.requests == 0)
        let stage = Stage(.tpns, consent: SessionConsent(aliasAccountType: 1), edit: noAccounts)
        _ = try await stage.session.run(.upsertAccounts([1: "u", 1002: "+861"]))
        #expect(await stage.alias == "u")
        #expect(try await stage.client.readPhone(of: Stage.device) == "+861")
        #expect(await stage.fault(of: .upsertAccounts([1: "u", 2: "v"]))?.reason == .unsupported)
        _ = try await stage.session.run(.deleteAccounts([1002]))
        #expect(try await stage.client.readPhone(of: Stage.device) == nil)
        #expect(await stage.alias == "u")
        _ = try await stage.session.run(.clearAccounts)
        #expect(await stage.alias == nil)
        #expect(await stage.fault(of: .deleteAccounts([1, 2]))?.reason == .unsupported)
        // A vendor that keeps several accounts per type would keep the old one.
        let several = Stage(.tpns, edit: { $0.limits[.accountsPerType] = nil })
        #expect(await several.fault(of: .upsertAccounts([1: "u"]))?.reason == .unsupported)
    }

    @Test("G-090: a vendor that never answers frees the slot at the time-out")
    func silence() async throws {
        let stage = Stage(.jpush)
        stage.host.faults.add(.silence)
        let fault = try #require(await stage.fault(of: .addTags(["a"])))
        #expect(fault.reason == .failed && fault.error.kind == .timeout && fault.error.retry.isAdvised)
        #expect(ResultCodes.code(for: fault, of: .addTags) == 6002)
        #expect(await stage.fault(of: .addTags(["a"])) == nil)
    }

    @Test("calls about the same thing reach the vendor in their order where nothing refuses the second")
    func lanes() async throws {
        let stage = Stage(.tpns)
        let queue = DispatchQueue(label: "answers")
        let answers = Locked<[Int]>([])
        for number in 0..<50 {
            stage.session.submit(number % 2 == 0 ? .setTags(["t\(number)"]) : .addTags(["u\(number)"]), on: queue) {
                _ in
                answers.withLock { $0.append(number) }
            }
        }
        await until { answers.withLock { $0.count } == 50 }
        #expect(answers.withLock { $0 } == Array(0..<50))
        #expect(await stage.tags == ["t48", "u49"])
    }

    @Test("G-189: pages are cut out of a list that is in order", arguments: families)
    func pages(rules: SessionRules) async throws {
        var rules = rules
        rules.calls.insert(.queryTags)
        let stage = Stage(rules)
        _ = try await stage.session.run(.setTags(["e", "c", "a", "d", "b"]))
        var pages: [TagPage] = []
        for offset in [0, 2, 4] {
            if case .page(let page) = try await stage.session.run(.queryTags(offset: offset, limit: 2)) {
                pages.append(page)
            }
        }
        #expect(pages.map { $0.tags.map(\.rawValue) } == [["a", "b"], ["c", "d"], ["e"]])
        #expect(pages.map(\.total) == [5, 5, 5])
    }

    @Test("G-124: the pages of three tags")
    func twoPages() async throws {
        let stage = Stage(.tpns)
        _ = try await stage.session.run(.addTags(["a", "b", "c"]))
        var counts: [[Int]] = []
        for offset in [0, 2] {
            if case .page(let page) = try await stage.session.run(.queryTags(offset: offset, limit: 2)) {
                counts.append([page.tags.count, page.total])
            }
        }
        #expect(counts == [[2, 3], [1, 3]])
    }

    @Test(
        "a call that is cancelled ends as such and frees its slot, and a client that was shut down is a stopped service"
    )
    func endings() async throws {
        let (stage, barrier) = Stage.held(.jpush)
        let task = Task { await stage.fault(of: .addTags(["a"])) }
        await until { barrier.waiting == 1 }
        // This call changes the same thing, so it waits for the first.
        let second = Task { await stage.fault(of: .setPhone("1")) }
        await until { barrier.waiting == 2 }
        let third = Task { await stage.fault(of: .setPhone("2")) }
        task.cancel()
        third.cancel()
        barrier.open()
        #expect(await task.value?.error.kind == .cancelled)
        #expect(await second.value == nil)
        let fault = await third.value
        #expect(fault?.error.kind == .cancelled && fault?.error.effect == .notApplied)
        #expect(try await stage.client.readPhone(of: Stage.device) == "1")
        #expect(await stage.fault(of: .addTags(["a"])) == nil)
        await stage.client.shutdown()
        #expect(await stage.fault(of: .addTags(["a"]))?.error.kind == .stopped)
        #expect(await stage.fault(of: .setAlias("a"))?.error.kind == .stopped)
    }
}
