import FoundationEssentials
import PushAdapter
import PushClient
import PushDevice
import PushPhone
import PushSimulation
import PushStyles
import TestSupport
import Testing

/// Calls of `Tests/Contract/calls.json` that the other suites do not use; each test carries their ids.
@Suite("Remaining calls of the guides")
struct RemainingCallTests {
    typealias Told = SequencedTests.Told
    static let mtpush = SequencedTests.mtpush

    // MARK: Completions

    @Test("J-14, M-18: a tag that the device does not have is no failure", arguments: SequencedTests.families)
    func otherTag(rules: SessionRules) async throws {
        let stage = try Stage.memory(rules)
        let told: Told = await answer { tell in
            let completion: MTPushTagValidOperationCompletion = { code, tags, seq, isBind in
                tell(Told(code: code, tags: tags, seq: seq, isBind: isBind))
            }
            stage.service.validTag("other", completion: completion, seq: 1)
        }
        #expect(told == Told(code: 0, tags: ["other"], seq: 1, isBind: false))
    }

    @Test("J-18, M-22: a device without an alias gets nil and no failure", arguments: SequencedTests.families)
    func noAlias(rules: SessionRules) async throws {
        let stage = try Stage.memory(rules)
        let told: Told = await answer { tell in
            let completion: MTPushAliasOperationCompletion = { code, alias, seq in
                tell(Told(code: code, alias: alias, seq: seq))
            }
            stage.service.getAlias(completion, seq: 2)
        }
        #expect(told == Told(code: 0, alias: nil, seq: 2))
    }

    @Test("M-54, M-56: a token that starts Live Activities reaches the phone; a missing type or token is 6001")
    func liveActivityStart() async throws {
        let stage = try Stage.memory(Self.mtpush, isRegistered: false)
        try await stage.session.start()
        func register(_ attributes: String?, _ token: Data?, _ seq: Int) async -> [Bool] {
            await answer { tell in
                let completion: MTPLiveActivityTokenCompletion = { code, type, data, number in
                    tell([code == 0, code == 6001, type == attributes, data == token, number == seq])
                }
                stage.service.registerLiveActivity(
                    attributes, pushToStartToken: token, completion: completion, seq: seq)
            }
        }
        #expect(await register("Match", Data([1, 2]), 1) == [true, false, true, true, true])
        #expect(await register(nil, Data([1, 2]), 2) == [false, true, true, true, true])
        #expect(await register("Match", nil, 3) == [false, true, true, true, true])
        #expect(stage.phone.tokens == [.liveActivityStart(attributes: "Match", [1, 2])])
    }

    // MARK: Receiving

    /// Shows notifications without sound, and keeps the payloads.
    private final class Screens: MTPushRegisterDelegate {
        private let heard = Locked<[[String: JSONValue]]>([])
        var payloads: [[String: JSONValue]] { heard.withLock { $0 } }

        func mtpNotificationCenter(
            _ center: any Phone, willPresent notification: PhoneNotification,
            withCompletionHandler completionHandler: @escaping @Sendable (Int) -> Void
        ) {
            heard.withLock { $0.append(notification.content.userInfo) }
            let presentation: PhoneNotification.Presentation = [.alert, .badge]
            completionHandler(presentation.rawValue)
        }

        func mtpNotificationCenter(
            _ center: any Phone, didReceive response: PhoneNotification.Response,
            withCompletionHandler completionHandler: @escaping @Sendable () -> Void
        ) {
            heard.withLock { $0.append(response.notification.content.userInfo) }
            completionHandler()
        }
    }

    @Test("M-26, M-27, M-30, J-33, L-16: the delegate gets the payload, aps and own keys, and decides what is shown")
    func payload() async throws {
        let stage = try Stage.memory(Self.mtpush)
        let phone = VirtualPhone(VirtualDevice("1", .ios), clock: stage.clock)
        let session = DeviceSession(stage.client, rules: Self.mtpush, host: phone)
        let service = SequencedPushService(session, queue: stage.queue)
        let screens = Screens()
        service.register(forRemoteNotificationConfig: nil, delegate: screens)
        try await session.start()
        var message = DeliveredMessage(
            messageID: "7", alert: "Text", title: "Title", badge: 4, extras: ["customizeExtras": "v"])
        message.sound = "bell"
        phone.receive(message)
        await until { phone.center.count == 1 }
        #expect(phone.icon == 4 && phone.sounds.isEmpty)
        await phone.tap("7")
        await until { screens.payloads.count == 2 }
        let payload: [String: JSONValue] = [
            "aps": ["alert": ["title": "Title", "body": "Text"], "badge": 4, "sound": "bell"],
            "customizeExtras": "v",
        ]
        #expect(screens.payloads == [payload, payload])
        withExtendedLifetime(service) {}
    }

    // MARK: Local notifications

    static let badges: [(badge: Int?, icon: Int)] = [(nil, 4), (0, 0), (7, 7)]

    @Test("J-49: the icon gets the badge of the content; without one it stays", arguments: badges)
    func contentBadge(sample: (badge: Int?, icon: Int)) throws {
        let stage = try PhoneStage()
        stage.phone.setIcon(4)
        var content = JPushNotificationContent()
        content.badge = sample.badge
        var request = JPushNotificationRequest()
        request.requestIdentifier = "r"
        request.content = content
        request.trigger = JPushNotificationTrigger()
        request.trigger?.timeInterval = 5
        stage.service.addNotification(request)
        stage.phone.fire("r")
        #expect(stage.phone.now.delivered.map(\.id) == ["r"] && stage.phone.now.icon == sample.icon)
    }

    @Test("M-43, M-44, M-45: EngageLab's names make the same notification, with its sound, data and region")
    func engageLabNames() async throws {
        let stage = try PhoneStage(Self.mtpush)
        let region = PhoneRegion(latitude: 37.3354, longitude: -122.009201, radius: 2000)
        var content = MTPushNotificationContent()
        content.body = "Text"
        content.sound = "bell"
        content.userInfo = ["k": "v"]
        var trigger = MTPushNotificationTrigger()
        trigger.region = region
        trigger.repeat = true
        let result: JPushNotificationResult? = await answer { tell in
            var request = MTPushNotificationRequest()
            request.requestIdentifier = "r"
            request.content = content
            request.trigger = trigger
            request.completionHandler = { tell($0) }
            stage.service.addNotification(request)
        }
        let request = try #require(stage.phone.now.pending.first)
        #expect(result == .pending(request) && request.trigger == .region(region, repeats: true))
        #expect(request.content.body == "Text" && request.content.sound == "bell")
        #expect(request.content.userInfo == ["k": "v"])
    }

    // MARK: Start and accounts

    @Test("M-06: a service starts with the app's key; with another key there is no id", arguments: [true, false])
    func start(isRight: Bool) async throws {
        let stage = try Stage.memory(Self.mtpush)
        var settings = VirtualPhone.Settings()
        settings.appKey = Secret("right")
        let phone = VirtualPhone(VirtualDevice("1", .ios), settings: settings, clock: stage.clock)
        let session = DeviceSession(stage.client, rules: Self.mtpush, host: phone)
        let key = Secret(isRight ? "right" : "wrong")
        var kind: PushError.Kind?
        do throws(SessionFault) {
            try await session.start(DeviceStart(appKey: key))
        } catch {
            kind = error.error.kind
        }
        let expected: PushError.Kind? = isRight ? nil : .unauthorized
        #expect(kind == expected && phone.starts.map(\.appKey) == [key])
        let service = SequencedPushService(session, queue: stage.queue)
        #expect(service.registrationID() == (isRight ? "1" : ""))
    }

    @Test("T-15: an account of the phone number's type is the phone number, and other types are accounts")
    func accountTypes() async throws {
        let stage = try Stage.memory(.tpns)
        let diary = Diary()
        stage.manager.delegate = diary
        let type = XGPushTokenAccountType.phoneNumber.rawValue
        #expect(type == 1002 && type == stage.session.rules.phoneAccountType)
        stage.manager.upsertAccounts(
            byDict: [XGPushTokenAccountType.unknown.rawValue: "ann", type: "+8613711112222"])
        _ = await diary.wait(for: 1)
        #expect(try await stage.client.readPhone(of: DeviceID(stage.device.id)) == "+8613711112222")
        stage.manager.delAccounts(byKeys: [type])
        #expect(await diary.wait(for: 2) == ["upsert 0=ann,1002=+8613711112222", "unbind 1002"])
        #expect(try await stage.client.readPhone(of: DeviceID(stage.device.id)) == nil)
        #expect(try await stage.snapshot().accounts == [Account(name: "ann", type: 0)])
    }
}
