import EngageLabConformance
import JPushConformance
import PushAdapter
import PushClient
import PushConformance
import PushDevice
import PushSimulation
import PushStyles
import TPNSConformance
import Testing

/// Both styles over the vendors' simulators; the ids are those of `Tests/Contract/cases.json`.
@Suite("The styles over every vendor")
struct VendorTests {
    /// TPNS with an account type that stands for aliases.
    static let aliased = TPNSHarness(platform: .ios, aliasAccountType: 2)
    static let vendors: [any ConformanceHarness] = [JPushHarness(), EngageLabHarness(), TPNSHarness(), aliased]

    /// The fault of a call; nil for a success.
    private func fault(of call: SessionCall, on stage: Stage) async -> SessionFault? {
        do throws(SessionFault) {
            if case .halves(let halves) = try await stage.session.run(call) { return halves.failure }
            return nil
        } catch {
            return error
        }
    }

    private func registered(_ harness: any ConformanceHarness, _ rules: SessionRules, losses: Set<Feature> = [])
        async throws -> Stage
    {
        let stage = try Stage(harness, rules, isRegistered: false, losses: losses, hasLedger: true)
        try await stage.session.start()
        return stage
    }

    @Test("what the table says of a call is what happens", arguments: vendors.indices, StyleCall.all.indices)
    func table(vendor: Int, index: Int) async throws {
        let row = StyleCall.all[index]
        let settings: [(Bool, Set<Feature>)] = [(false, []), (true, [.setAlias, .replaceTags])]
        for (hasLedger, losses) in settings {
            let stage = try Stage(
                Self.vendors[vendor], row.rules, isRegistered: false, losses: losses, hasLedger: hasLedger)
            try await stage.session.start()
            let support = stage.session.support(of: row.call)
            // A call can unbind by name only accounts and aliases that were bound before.
            switch row.call {
            case .deleteAccounts: _ = try? await stage.session.run(.upsertAccounts([1: "a"]))
            case .deleteAlias: _ = try? await stage.session.run(.setAlias("a"))
            default: break
            }
            let before = stage.host.journal.count
            let fault = await fault(of: row.call, on: stage)
            switch support {
            case .native, .emulated(_, needsConsent: false):
                #expect(fault == nil, "\(row.name): \(fault?.description ?? "")")
            case .emulated(_, needsConsent: true), .refused:
                #expect(fault?.error.kind == .unsupported, "\(row.name): \(fault?.description ?? "done")")
                #expect(fault?.error.effect == .notApplied && stage.host.journal.count == before)
            case .needsHost: Issue.record("the session has a host")
            }
        }
    }

    @Test("without a device, what only a device can do is refused")
    func hostless() async throws {
        let stage = try Stage(JPushHarness(), .jpush)
        let session = DeviceSession(stage.client, device: DeviceID(stage.device.id), rules: .jpush)
        #expect(session.support(of: .setBadge(1)) == .needsHost)
        let service = SequencedPushService(session, queue: stage.queue)
        #expect(service.setBadge(1))
        await #expect(throws: SessionFault.self) { _ = try await session.run(.setBadge(1)) }
    }

    @Test("an alias that only the ledger could name stops the tags before they are set")
    func unknownAlias() async throws {
        let tpns = try Stage(Self.aliased, .jpush, losses: [.setAlias], hasLedger: true)
        let fault = await fault(of: .overlay(tags: ["a"], alias: ""), on: tpns)
        #expect(fault?.subject == .alias && fault?.error.kind == .invalidState)
        #expect(tpns.host.journal.count == 0)
        #expect(await self.fault(of: .overlay(tags: ["a"], alias: "ann"), on: tpns) == nil)
        #expect(await self.fault(of: .overlay(tags: [], alias: ""), on: tpns) == nil)
        let kept = try await tpns.snapshot()
        #expect(kept.tags.isEmpty && kept.accounts.isEmpty)
    }

    // MARK: JPush and EngageLab

    @Test("G-036: ten more tags for a device that has 990")
    func room() async throws {
        let stage = try await registered(JPushHarness(), .jpush)
        let tags = (0..<1000).map { "t\($0)" }
        // The server API takes a hundred at a time.
        for start in stride(from: 0, to: 990, by: 90) {
            stage.clock.advance(by: .seconds(10))
            #expect(await fault(of: .addTags(Array(tags[start..<(start + 90)])), on: stage) == nil)
        }
        #expect(await fault(of: .addTags(Array(tags[990...])), on: stage) == nil)
        #expect(try await stage.snapshot().tags.count == 1000)
    }

    @Test("G-048, G-049: an alias of two users reaches both", arguments: [SessionRules.jpush, .jpushLegacy])
    func sharedAlias(rules: SessionRules) async throws {
        let stage = try await registered(JPushHarness(), rules)
        let other = JPushHarness().device(1)
        let second = DeviceSession(stage.client, device: DeviceID(other.id), rules: rules)
        for session in [stage.session, second] { _ = try await session.run(.overlayAlias("x")) }
        _ = try await stage.client.send(Message(notification: Notification(body: "Hello")), to: .aliases(["x"]))
        for id in [stage.device.id, other.id] {
            #expect(await stage.simulator.snapshot(of: id)?.inbox.count == 1)
        }
    }

    @Test("G-050: an alias is for one user where the vendor says so")
    func exclusiveAlias() async throws {
        let rules = SessionRules.mtpush(SDKVersion(5, 2, 0))
        let stage = try await registered(EngageLabHarness(), rules)
        #expect(stage.client.capabilities.aliasSharing == .one)
        let other = EngageLabHarness().device(1)
        let second = DeviceSession(stage.client, device: DeviceID(other.id), rules: rules)
        _ = try await stage.session.run(.setAlias("x"))
        _ = try? await second.run(.setAlias("x"))
        var owners = 0
        for id in [stage.device.id, other.id] where await stage.simulator.snapshot(of: id)?.alias == "x" { owners += 1 }
        #expect(owners == 1)
    }

    @Test("G-166: a push to a tag whose setting was refused finds nobody")
    func nobody() async throws {
        let stage = try await registered(JPushHarness(), .jpush)
        #expect(await fault(of: .setTags(["bad tag", "ok"]), on: stage)?.reason == .characters)
        let error = await #expect(throws: PushError.self) {
            try await stage.client.send(
                Message(notification: Notification(body: "Hello")), to: .tagged(anyOf: ["ok"]))
        }
        #expect(error?.kind == .noTarget && error?.vendor?.code == 1011)
    }

    // MARK: TPNS

    @Test("G-104: binding a phone number is the same request as binding an account of type 1002")
    func phoneRequest() async throws {
        let stage = try await registered(TPNSHarness(), .tpns)
        let diary = Diary()
        stage.manager.delegate = diary
        stage.manager.upsertPhoneNumber("+8613711112222")
        _ = await diary.wait(for: 1)
        #expect(try await stage.snapshot().accounts == [Account(name: "+8613711112222", type: 1002)])
        stage.manager.upsertAccounts(byDict: [1002: "+8613711112222"])
        #expect(await diary.wait(for: 2) == ["upsert 1002=+8613711112222", "upsert 1002=+8613711112222"])
        let requests = stage.host.journal.entries.map(\.request)
        try #require(requests.count == 2)
        #expect(requests[0].path == requests[1].path && requests[0].body == requests[1].body)
        let body = try JSONValue(parsing: requests[0].body)
        let accounts: JSONValue = [["account": "+8613711112222", "account_type": 1002]]
        #expect(body["token_accounts"]?.arrayValue?.first?["account_list"] == accounts)
    }

    @Test("G-106: unbinding the phone number, by its type or as such, unbinds the account that it is")
    func phone() async throws {
        let stage = try await registered(TPNSHarness(), .tpns)
        #expect(await fault(of: .setPhone("+8613711112222"), on: stage) == nil)
        #expect(try await stage.snapshot().accounts == [Account(name: "+8613711112222", type: 1002)])
        #expect(await fault(of: .deleteAccounts([1002]), on: stage) == nil)
        #expect(try await stage.snapshot().accounts.isEmpty)
        #expect(await fault(of: .setPhone("+8613711112222"), on: stage) == nil)
        #expect(await fault(of: .setPhone(nil), on: stage) == nil)
        #expect(try await stage.snapshot().accounts.isEmpty)
    }

    @Test("G-120, G-121: tags are replaced, taken off and cleared")
    func tags() async throws {
        let stage = try await registered(TPNSHarness(), .tpns)
        #expect(await fault(of: .addTags(["a", "b"]), on: stage) == nil)
        #expect(await fault(of: .deleteTags(["b"]), on: stage) == nil)
        #expect(try await stage.snapshot().tags == ["a"])
        #expect(await fault(of: .setTags(["c"]), on: stage) == nil)
        #expect(try await stage.snapshot().tags == ["c"])
        #expect(await fault(of: .cleanTags, on: stage) == nil)
        #expect(try await stage.snapshot().tags.isEmpty)
    }

    @Test("G-127, G-128: the hundredth tag fits, and a ledger knows that one more does not, before anything is sent")
    func hundred() async throws {
        let stage = try await registered(TPNSHarness(), .tpns)
        let tags = (0..<100).map { "t\($0)" }
        #expect(await fault(of: .addTags(Array(tags.prefix(99))), on: stage) == nil)
        #expect(await fault(of: .addTags([tags[99]]), on: stage) == nil)
        let before = stage.host.journal.count
        let refusal = try #require(await fault(of: .addTags(["more"]), on: stage))
        #expect(refusal.error.kind == .limitExceeded && refusal.error.effect == .notApplied)
        #expect(ResultCodes.code(for: refusal, of: .addTags) == 6018)
        #expect(stage.host.journal.count == before)
        // A tag that the device already has needs no room.
        #expect(await fault(of: .addTags([tags[0]]), on: stage) == nil)
        #expect(try await stage.snapshot().tags == Set(tags))
        // Without a ledger, the vendor refuses the tag, and has no number for the reason.
        let plain = try Stage(TPNSHarness(), .tpns)
        #expect(await fault(of: .addTags(tags), on: plain) == nil)
        #expect(await fault(of: .addTags(["more"]), on: plain)?.error.vendor?.code == 1_008_007)
        #expect(try await plain.snapshot().tags == Set(tags))
    }

    @Test("G-129, G-130, G-132: names and values of attributes have 50 characters, and neither blanks nor tabs")
    func attributeTexts() async throws {
        let longest = String(repeating: "a", count: 50)
        let stage = try Stage(TPNSHarness(), .tpns)
        // The vendor takes both, and names the attribute that the console does not have.
        guard
            case .rejected(let names) = try await stage.session.run(
                .upsertAttributes(["nickname": longest, longest: longest]))
        else {
            Issue.record("the console does not have both")
            return
        }
        #expect(names == [longest])
        #expect(try await stage.snapshot().attributes == ["nickname": longest])
        // Each character has three bytes.
        let chinese = String(repeating: "字", count: 50)
        #expect(await self.fault(of: .upsertAttributes(["nickname": chinese]), on: stage) == nil)
        #expect(try await stage.snapshot().attributes == ["nickname": chinese])
        #expect(stage.host.journal.count == 2)
        for attributes in [[longest + "a": "v"], ["k": longest + "a"], ["k": chinese + "a"]] {
            #expect(await fault(of: .upsertAttributes(attributes), on: stage)?.error.kind == .tooLong)
        }
        for attributes in [["a b": "v"], ["a\tb": "v"], ["k": "a b"], ["k": "a\tb"]] {
            #expect(await self.fault(of: .upsertAttributes(attributes), on: stage)?.error.kind == .invalidArgument)
        }
        #expect(stage.host.journal.count == 2)
    }

    @Test("G-133, G-134, G-135, G-136: attributes are set one by one, replaced, taken off and cleared")
    func attributes() async throws {
        let stage = try await registered(TPNSHarness(), .tpns)
        func attributes() async throws -> [String: String] { try await stage.snapshot().attributes }
        #expect(await fault(of: .upsertAttributes(["ghost": "x"]), on: stage)?.error.kind == .misconfigured)
        _ = try await stage.session.run(.upsertAttributes(["nickname": "F", "tier": "29"]))
        _ = try await stage.session.run(.upsertAttributes(["tier": "30"]))
        #expect(try await attributes() == ["nickname": "F", "tier": "30"])
        _ = try await stage.session.run(.deleteAttributes(["tier"]))
        #expect(try await attributes() == ["nickname": "F"])
        _ = try await stage.session.run(.replaceAttributes(["city": "X"]))
        #expect(try await attributes() == ["city": "X"])
        _ = try await stage.session.run(.clearAttributes)
        #expect(try await attributes().isEmpty)
    }

    @Test("G-138, G-139: accounts are bound by type, unbound by type as a ledger knows them, and cleared")
    func accounts() async throws {
        let stage = try await registered(TPNSHarness(), .tpns)
        let diary = Diary()
        let manager = stage.manager
        manager.delegate = diary
        func accounts(after lines: Int) async throws -> Set<Account> {
            _ = await diary.wait(for: lines)
            return try await stage.snapshot().accounts
        }
        let both: Set = [Account(name: "b", type: 0), Account(name: "c", type: 1)]
        manager.upsertAccounts(byDict: [0: "a", 1: "c"])
        manager.upsertAccounts(byDict: [0: "b"])
        #expect(try await accounts(after: 2) == both)
        manager.delAccounts(byKeys: [0])
        #expect(try await accounts(after: 3) == [Account(name: "c", type: 1)])
        manager.upsertAccounts(byDict: [0: "b"])
        #expect(try await accounts(after: 4) == both)
        manager.clearAccounts()
        #expect(try await accounts(after: 5).isEmpty)
        #expect(diary.all == ["upsert 0=a,1=c", "upsert 0=b", "unbind 0", "upsert 0=b", "clear accounts"])
    }

    @Test("G-190: without a type of account that stands for aliases there are none")
    func noAliases() async throws {
        let stage = try await registered(TPNSHarness(), .jpush)
        for call: SessionCall in [.setAlias("u"), .getAlias, .deleteAlias, .overlay(tags: ["a"], alias: "u")] {
            #expect(await fault(of: call, on: stage)?.error.kind == .unsupported)
        }
        #expect(stage.host.journal.count == 0)
    }
}
