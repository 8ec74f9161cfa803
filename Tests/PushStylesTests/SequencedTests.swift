import Dispatch
import FoundationEssentials
import PushAdapter
import PushClient
import PushConformance
import PushDevice
import PushPhone
import PushSimulation
import PushStyles
import TestSupport
import Testing

/// The calls with a completion. The ids are those of `Tests/Contract/cases.json`.
@Suite("Sequenced calls")
struct SequencedTests {
    static let mtpush = SessionRules.mtpush(SDKVersion(5, 2, 0))
    static let families: [SessionRules] = [.jpush, mtpush]
    static let generations: [SessionRules] = [.jpush, .jpushLegacy, mtpush]

    /// A target for callbacks, as the SDK's oldest calls require.
    private final class Target: Sendable {}
    private let target = Target()

    struct Told: Sendable, Equatable {
        var code: Int
        var tags: Set<String>?
        var alias: String?
        var seq: Int?
        var isBind: Bool?
    }

    @Test("G-001, G-018, G-020, G-028: tags, their code and the number come back", arguments: families)
    func tags(rules: SessionRules) async throws {
        let stage = try Stage.memory(rules)
        let tag = String(repeating: "字", count: 13) + "a"
        #expect(
            await answer { tell in
                stage.service.addTags([tag], completion: { tell(Told(code: $0, tags: $1, seq: $2)) }, seq: 1)
            } == Told(code: 0, tags: [tag], seq: 1))
        #expect(
            await answer { tell in
                stage.service.addTags(nil, completion: { tell(Told(code: $0, tags: $1, seq: $2)) }, seq: 2)
            } == Told(code: 6001, tags: nil, seq: 2))
        #expect(
            await answer { tell in
                stage.service.setTags([], completion: { tell(Told(code: $0, tags: $1, seq: $2)) }, seq: 3)
            } == Told(code: 6001, tags: [], seq: 3))
        #expect(
            await answer { tell in stage.service.getAllTags({ tell(Told(code: $0, tags: $1, seq: $2)) }, seq: 4) }
                == Told(code: 0, tags: [tag], seq: 4))
        #expect(
            await answer { tell in
                stage.service.validTag(tag, completion: { tell(Told(code: $0, tags: $1, seq: $2, isBind: $3)) }, seq: 5)
            } == Told(code: 0, tags: [tag], seq: 5, isBind: true))
        #expect(
            await answer { tell in
                stage.service.deleteTags([tag], completion: { tell(Told(code: $0, tags: $1, seq: $2)) }, seq: 6)
            } == Told(code: 0, tags: [tag], seq: 6))
        #expect(try await stage.snapshot().tags.isEmpty)
        #expect(
            await answer { tell in
                stage.service.setTags(["y"], completion: { tell(Told(code: $0, tags: $1, seq: $2)) }, seq: 7)
            } == Told(code: 0, tags: ["y"], seq: 7))
        #expect(try await stage.snapshot().tags == ["y"])
        #expect(
            await answer { tell in stage.service.cleanTags({ tell(Told(code: $0, tags: $1, seq: $2)) }, seq: 9) }
                == Told(code: 0, tags: nil, seq: 9))
        #expect(try await stage.snapshot().tags.isEmpty)
    }

    @Test("G-046: an alias is set, read, and taken off; nil comes back then", arguments: families)
    func alias(rules: SessionRules) async throws {
        let stage = try Stage.memory(rules)
        #expect(
            await answer { tell in
                stage.service.setAlias("u1", completion: { tell(Told(code: $0, alias: $1, seq: $2)) }, seq: 3)
            } == Told(code: 0, alias: "u1", seq: 3))
        #expect(
            await answer { tell in stage.service.getAlias({ tell(Told(code: $0, alias: $1, seq: $2)) }, seq: 3) }
                == Told(code: 0, alias: "u1", seq: 3))
        #expect(
            await answer { tell in stage.service.deleteAlias({ tell(Told(code: $0, alias: $1, seq: $2)) }, seq: 4) }
                == Told(code: 0, alias: nil, seq: 4))
        #expect(try await stage.snapshot().alias == nil)
    }

    @Test("G-051, G-060, G-061, G-062: the oldest calls, one half alone or both, with a callback or without")
    func oldest() async throws {
        let stage = try Stage.memory(.jpush)
        #expect(
            await answer { tell in
                stage.service.setTags(
                    ["a"], alias: "u1", fetchCompletionHandle: { tell(Told(code: $0, tags: $1, alias: $2)) })
            } == Told(code: 0, tags: ["a"], alias: "u1"))
        // A bad alias fails a call for both. A call without an alias sets the tags.
        #expect(
            await answer { tell in
                stage.service.setTags(
                    ["b"], alias: "no good", callbackSelector: { code, _, _ in tell(code) }, object: self.target)
            } == 6003)
        #expect(
            await answer { tell in
                stage.service.setTags(["b"], callbackSelector: { code, _, _ in tell(code) }, object: self.target)
            } == 0)
        #expect(
            await answer { tell in
                stage.service.setAlias("", callbackSelector: { code, _, _ in tell(code) }, object: self.target)
            } == 0)
        let snapshot = try await stage.snapshot()
        #expect(snapshot.tags == ["b"] && snapshot.alias == nil)
        // Without a target or without a callback, the call is made anyway.
        for rules: SessionRules in [.jpush, .jpushLegacy] {
            let unheard: SequencedPushService.TagsAliasCallback = { _, _, _ in Issue.record("told") }
            for (object, callback) in [(nil, unheard), (target, nil)] as [(Target?, _)] {
                let silent = try Stage.memory(rules)
                silent.service.setTags(["c"], alias: "u2", callbackSelector: callback, object: object)
                await until { await silent.simulator.snapshot(of: silent.device.id)?.alias == "u2" }
                #expect(try await silent.snapshot().tags == ["c"])
            }
        }
    }

    @Test("G-093: a setting in the background, in the SDK's words")
    func background() async throws {
        let stage = try Stage.memory(.jpush)
        stage.host.faults.add(.serverError(status: 503), times: 5)
        stage.service.setTags(["a"], aliasInbackground: "u")
        stage.service.setTags(["b"], aliasInbackground: "v")
        await until { await stage.simulator.snapshot(of: stage.device.id)?.alias == "v" }
        #expect(try await stage.snapshot().tags == ["b"])
    }

    @Test(
        "G-072, G-073: the number comes back, on the queue, and never from inside the call",
        arguments: [7, 0, -1, .max, .min])
    func sequence(seq: Int) async throws {
        let stage = try Stage.memory(.jpush)
        let key = DispatchSpecificKey<Bool>()
        stage.queue.setSpecific(key: key, value: true)
        // The call runs on the queue itself. An answer from inside the call would arrive while `isInside` is still set.
        for tags: Set<String>? in [["a"], nil] {
            let isInside = Locked(true)
            let told: [Bool] = await answer { tell in
                stage.queue.async {
                    stage.service.addTags(
                        tags,
                        completion: { _, _, back in
                            tell([
                                back == seq, DispatchQueue.getSpecific(key: key) == true,
                                isInside.withLock { !$0 },
                            ])
                        }, seq: seq)
                    isInside.withLock { $0 = false }
                }
            }
            #expect(told == [true, true, true])
        }
    }

    @MainActor
    @Test("G-073: without another queue, completions run on the main one")
    func mainQueue() async throws {
        let stage = try Stage.memory(.jpush)
        let service = SequencedPushService(stage.session)
        let isMain: Bool = await answer { tell in
            DispatchQueue.global().async {
                service.addTags(
                    ["a"],
                    completion: { _, _, _ in
                        dispatchPrecondition(condition: .onQueue(.main))
                        tell(true)
                    }, seq: 1)
            }
        }
        #expect(isMain)
    }

    @Test("G-075: a tag call and an alias call with the same number each have their own answer")
    func sameNumber() async throws {
        let stage = try Stage.memory(.jpush)
        let told = Locked<[Told]>([])
        stage.service.addTags(
            ["a"],
            completion: { code, tags, seq in told.withLock { $0.append(Told(code: code, tags: tags, seq: seq)) } },
            seq: 5)
        stage.service.setAlias(
            "u",
            completion: { code, alias, seq in told.withLock { $0.append(Told(code: code, alias: alias, seq: seq)) } },
            seq: 5)
        await until { told.withLock { $0.count } == 2 }
        #expect(told.withLock { $0.contains(Told(code: 0, tags: ["a"], seq: 5)) })
        #expect(told.withLock { $0.contains(Told(code: 0, alias: "u", seq: 5)) })
    }

    @Test("every call may be made without a completion")
    func noCompletions() async throws {
        let stage = try Stage.memory(
            Self.mtpush, consent: SessionConsent(calls: [.overlay, .overlayTags, .overlayAlias]))
        let service = stage.service
        service.addTags(["a"], completion: nil, seq: 1)
        service.setTags(nil, completion: nil, seq: 1)
        service.deleteTags(["a"], completion: nil, seq: 1)
        service.cleanTags(nil, seq: 1)
        service.getAllTags(nil, seq: 1)
        service.validTag(nil, completion: nil, seq: 1)
        service.setAlias("u", completion: nil, seq: 1)
        service.deleteAlias(nil, seq: 1)
        service.getAlias(nil, seq: 1)
        service.setTags(["a"], alias: nil, fetchCompletionHandle: nil)
        service.setTags(["a"], callbackSelector: nil, object: nil)
        service.setAlias("a", callbackSelector: nil, object: nil)
        service.setMobileNumber("1", completion: nil)
        service.setUserLanguage("en", completionHandler: nil)
        service.registerLiveActivity("a", pushToken: Data([1]), completion: nil, seq: 1)
        service.registerLiveActivity("a", pushToStartToken: Data([1]), completion: nil, seq: 1)
        service.registrationIDCompletionHandler(nil)
        await until { try! await stage.client.readPhone(of: DeviceID(stage.device.id)) == "1" }
    }

    @Test("G-037, G-038, G-039, G-040: tags are filtered at once and without a request, in the order of their bytes")
    func filter() async throws {
        let stage = try Stage.memory(.jpush)
        let valid = stage.service.filterValidTags(["ok", "bad tag"])
        #expect(valid == ["ok"])
        let many = (10_000...11_000).map { "t\($0)" }
        #expect(stage.service.filterValidTags(Set(many)) == Set(many.prefix(1000)))
        let legacy = try Stage.memory(.jpushLegacy)
        #expect(legacy.service.filterValidTags(Set(many.prefix(101))) == Set(many.prefix(100)))
        #expect(stage.host.journal.count == 0 && legacy.host.journal.count == 0)
        #expect(
            await answer { tell in stage.service.setTags(valid, completion: { code, _, _ in tell(code) }, seq: 1) }
                == 0)
        #expect(try await stage.snapshot().tags == ["ok"])
    }

    @Test(
        "G-163, G-165: the device's id is empty until it is registered, and told once it is", arguments: generations)
    func registration(rules: SessionRules) async throws {
        let stage = try Stage.memory(rules, isRegistered: false)
        let seen = Locked<[[String: String]]>([])
        stage.service.networkDidRegister { userInfo in seen.withLock { $0.append(userInfo) } }
        #expect(stage.service.registrationID() == "")
        try await stage.session.start()
        #expect(stage.service.registrationID() == stage.device.id)
        // The old generation does not have this call.
        let hasHandler = rules.calls.contains(.registration)
        #expect(
            await answer { tell in
                stage.service.registrationIDCompletionHandler { tell(Told(code: $0, alias: $1)) }
            } == Told(code: hasHandler ? 0 : 9001, alias: hasHandler ? stage.device.id : nil))
        // The observer was called before, on the same queue, and only once.
        #expect(seen.withLock { $0 } == [["RegistrationID": stage.device.id]])
    }

    @Test("G-164: where there never is an id, asking for it is answered with 1011", arguments: families)
    func noID(rules: SessionRules) async throws {
        let stage = try Stage.memory(rules, isRegistered: false, registering: .hasNoID)
        stage.service.networkDidRegister { _ in Issue.record("there is no id") }
        stage.session.start(on: stage.queue) { _ in }
        #expect(
            await answer { tell in
                stage.service.registrationIDCompletionHandler { tell(Told(code: $0, alias: $1)) }
            } == Told(code: 1011, alias: nil))
        #expect(stage.service.registrationID() == "")
    }

    @Test("G-108, G-109, G-110: a badge is told to be in its range, and resetting it is 0", arguments: families)
    func badge(rules: SessionRules) async throws {
        let stage = try Stage.memory(rules, isRegistered: false)
        try await stage.session.start()
        #expect(stage.service.setBadge(0))
        await until { stage.phone.badge == 0 }
        #expect(stage.service.setBadge(99_999))
        await until { stage.phone.badge == 99_999 }
        #expect(!stage.service.setBadge(100_000) && !stage.service.setBadge(-1))
        stage.service.resetBadge()
        await until { stage.phone.badge == 0 }
    }

    @Test("G-157, G-158, G-159, G-160, G-187: language and tokens of EngageLab, by their versions")
    func tokens() async throws {
        let stage = try Stage.memory(Self.mtpush, isRegistered: false)
        try await stage.session.start()
        #expect(
            await answer { tell in
                stage.service.setUserLanguage("zh_Hans") { tell([$0 == 0, $1 == nil]) }
            } == [true, true])
        #expect(stage.phone.language == "zh_Hans")
        let id = String(repeating: "字", count: 8)
        func register(_ stage: Stage, _ id: String?, _ seq: Int) async -> Told {
            await answer { tell in
                stage.service.registerLiveActivity(
                    id, pushToken: Data([1, 2]),
                    completion: { code, id, _, seq in tell(Told(code: code, alias: id, seq: seq)) },
                    seq: seq)
            }
        }
        #expect(await register(stage, id, 8) == Told(code: 0, alias: id, seq: 8))
        #expect(await register(stage, id + "a", 9) == Told(code: 9009, alias: id + "a", seq: 9))
        #expect(await register(stage, nil, 10) == Told(code: 6001, alias: nil, seq: 10))
        stage.service.registerVoipToken(Data([3]))
        await until { stage.phone.tokens.count == 2 }
        #expect(stage.phone.tokens == [.liveActivityUpdate(id: id, [1, 2]), .voip([3])])
        let older = try Stage.memory(.mtpush(SDKVersion(4, 3, 9)), isRegistered: false)
        try await older.session.start()
        #expect(await register(older, "a", 1) == Told(code: ResultCodes.unsupported, alias: "a", seq: 1))
    }

    @Test("G-096, G-099: the error of a phone number carries the number", arguments: families)
    func phone(rules: SessionRules) async throws {
        let stage = try Stage.memory(rules)
        #expect(await answer { tell in stage.service.setMobileNumber("138-0000-0000") { tell($0 == nil) } })
        let error: ResultError? = await answer { tell in
            stage.service.setMobileNumber("+12345678901234567890") { tell($0) }
        }
        #expect(error?.code == 6025 && error?.error.kind == .tooLong)
    }

    @Test("what cannot be told apart by the SDK's numbers has one of this library's, after a shutdown as well")
    func endings() async throws {
        let stage = try Stage.memory(.jpush)
        await stage.client.shutdown()
        #expect(
            await answer { tell in stage.service.addTags(["a"], completion: { code, _, _ in tell(code) }, seq: 1) }
                == 6012)
        try await stage.session.stop()
        #expect(
            await answer { tell in stage.service.addTags(nil, completion: { code, _, _ in tell(code) }, seq: 1) }
                == 6012)
        let legacy = try Stage.memory(.jpushLegacy)
        #expect(
            await answer { tell in legacy.service.addTags(["a"], completion: { code, _, _ in tell(code) }, seq: 1) }
                == ResultCodes.unsupported)
    }
}
