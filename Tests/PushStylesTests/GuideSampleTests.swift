import Dispatch
import EngageLabConformance
import JPushConformance
import PushAdapter
import PushClient
import PushConformance
import PushDevice
import PushPhone
import PushSimulation
import PushStyles
import TPNSConformance
import TestSupport
import Testing

/// The behavior that the guides' own samples rely on, from the backend's message to the app's code.
@Suite("The guides' samples")
struct GuideSampleTests {
    private static let mtpush = SessionRules.mtpush(SDKVersion(5, 2, 0))

    // MARK: Custom messages

    @Test("J-34, J-35: a custom message comes with its own title, type and extras, also beside a notification")
    func customMessage() async throws {
        let stage = try Stage(JPushHarness(), .jpush, isRegistered: false)
        let seen = Locked<[[String: JSONValue]]>([])
        stage.service.networkDidReceiveMessage { userInfo in seen.withLock { $0.append(userInfo) } }
        try await stage.session.start()
        let message = Message(
            notification: Notification(title: "shown", body: "text", extras: ["of": "the notification"]),
            custom: CustomMessage(content: "hi", title: "own", contentType: "json", extras: ["customizeField1": "v"]))
        let report = try await stage.client.send(message, to: .devices([DeviceID(stage.device.id)]))
        await until { !seen.withLock { $0.isEmpty } }
        let id = try #require(report.messageIDs.first)
        let expected: [String: JSONValue] = [
            "content": "hi", "title": "own", "content_type": "json", "extras": ["customizeField1": "v"],
            "_j_msgid": .string(id.rawValue),
        ]
        #expect(seen.withLock { $0 } == [expected])
        let delivered = try #require(try await stage.snapshot().inbox.last)
        #expect(delivered.title == "shown" && delivered.extras == ["of": "the notification"])
    }

    @Test("M-32: EngageLab's custom message has its title too")
    func engageLabMessage() async throws {
        let stage = try Stage(EngageLabHarness(), Self.mtpush, isRegistered: false)
        let seen = Locked<[[String: JSONValue]]>([])
        stage.service.networkDidReceiveMessage { userInfo in seen.withLock { $0.append(userInfo) } }
        try await stage.session.start()
        let custom = CustomMessage(content: "hi", title: "own", contentType: "json", extras: ["k": "v"])
        _ = try await stage.client.send(Message(custom: custom), to: .devices([DeviceID(stage.device.id)]))
        await until { !seen.withLock { $0.isEmpty } }
        let userInfo = seen.withLock { $0.first }
        #expect(userInfo?["title"] == "own" && userInfo?["content_type"] == "json" && userInfo?["extras"] == ["k": "v"])
        #expect(try await stage.snapshot().inbox.last?.title == nil)
    }

    // MARK: Connections

    /// The badge sample, as in an app.
    private final class BadgeSample: XGPushDelegate {
        private let state = Locked((manager: XGTokenManager?.none, launchTag: false, lines: [String]()))
        var lines: [String] { state.withLock { $0.lines } }
        func setUp(_ manager: XGTokenManager?) { state.withLock { $0.manager = manager } }
        func willEnterForeground() { state.withLock { $0.launchTag = true } }

        func xgPushDidRegisteredDeviceToken(_ deviceToken: String?, xgToken: String?, error: (any Error)?) {
            if error == nil { reset() }
        }
        func xgPushNetworkConnected() {
            let (isTagged, _) = state.withLock { state in
                defer { state.launchTag = false }
                state.lines.append("connected")
                return (state.launchTag, ())
            }
            if isTagged { reset() }
        }
        func xgPushDidSetBadge(_ isSuccess: Bool, error: (any Error)?) {
            state.withLock { $0.lines.append("badge \(isSuccess)") }
        }
        private func reset() {
            let manager = state.withLock { $0.manager }
            manager?.xgApplicationBadgeNumber = -1
            manager?.setBadge(0)
        }
    }

    @Test("T-27, T-29: the badge is reset after a cold start, and again when the app comes back to its connection")
    func badgeSample() async throws {
        let stage = try Stage(TPNSHarness(), .tpns, isRegistered: false)
        let sample = BadgeSample()
        sample.setUp(stage.manager)
        stage.manager.startXG(withAccessID: 1_600_999_001, accessKey: "key", delegate: sample)
        await until { sample.lines.sorted() == ["badge true", "connected"] }
        await stage.phone.leaveApp()
        try await stage.phone.setBadge(5)
        sample.willEnterForeground()
        await stage.phone.openApp()
        await until { sample.lines.count == 4 }
        #expect(stage.phone.badge == 0 && stage.phone.icon == 0)
        sample.setUp(nil)
    }

    @Test("J-39: a login is reported again when the network is back")
    func logins() async throws {
        let stage = try Stage(JPushHarness(), .jpush, isRegistered: false)
        let count = Locked(0)
        stage.service.networkDidLogin { count.withLock { $0 += 1 } }
        try await stage.session.start()
        await until { count.withLock { $0 } == 1 }
        await stage.phone.setReachable(false)
        await stage.phone.setReachable(true)
        await until { count.withLock { $0 } == 2 }
    }

    // MARK: Credentials

    @Test("T-03: an AccessId that the vendor does not have is not registered", arguments: [true, false])
    func accessID(isRight: Bool) async throws {
        let stage = try Stage(TPNSHarness(), .tpns, isRegistered: false)
        let diary = Diary()
        stage.manager.startXG(withAccessID: isRight ? 1_600_999_001 : 1, accessKey: "key", delegate: diary)
        let lines = await diary.wait(for: isRight ? 2 : 1)
        #expect(lines.first == (isRight ? "registered a1b2c3d4e5f60718 token" : "not registered unauthorized"))
        #expect((stage.manager.xgTokenString != nil) == isRight)
    }

    @Test("an app key that the vendor does not have is not registered", arguments: [0, 1])
    func appKey(vendor: Int) async throws {
        let harnesses: [any ConformanceHarness] = [JPushHarness(), EngageLabHarness()]
        let stage = try Stage(harnesses[vendor], vendor == 0 ? .jpush : Self.mtpush, isRegistered: false)
        let fault = await #expect(throws: SessionFault.self) {
            try await stage.session.start(DeviceStart(appKey: Secret("another")))
        }
        #expect(fault?.error.kind == .unauthorized && stage.session.device == nil)
        try await stage.session.start()
        #expect(stage.session.device != nil)
    }

    // MARK: Versions

    @Test("calls on the device that the version does not have are refused and logged")
    func versions() async throws {
        let old = try PhoneStage(.mtpush(SDKVersion(3, 2, 9)), isRegistered: false)
        old.service.setTcpSSL(true)
        old.service.setAppGroupId("group")
        #expect(old.phone.lines.count == 2 && old.phone.now.records.count == 2)
        let first = try PhoneStage(.mtpush(SDKVersion(4, 3, 4)), isRegistered: false)
        first.service.setTcpSSL(true)
        first.service.setAppGroupId("group")
        #expect(first.phone.now.records == [.encryption(true), .appGroup("group")])
        let jpush = try PhoneStage(.jpush(SDKVersion(1, 6, 9)))
        jpush.service.startLogPageView("p")
        jpush.service.setLatitude(100, longitude: 100)
        jpush.service.crashLogON()
        #expect(jpush.phone.lines.count == 3)
        let code = await answer { tell in jpush.service.registrationIDCompletionHandler { code, _ in tell(code) } }
        #expect(code == 9001)
        #expect(jpush.service.registrationID() == "" && jpush.phone.lines.count == 4)
    }

    @Test("tags and alias with a block need JPush 2.1.0; the older calls do not")
    func block() async throws {
        let old = try Stage.memory(.jpush(SDKVersion(2, 0, 9)))
        let refused = await answer { tell in
            old.service.setTags(["a"], alias: "u", fetchCompletionHandle: { code, _, _ in tell(code) })
        }
        #expect(refused == 9001)
        let made = await answer { tell in
            old.service.setTags(["a"], alias: "u", callbackSelector: { code, _, _ in tell(code) }, object: old.phone)
        }
        #expect(made == 0)
        #expect(try await old.snapshot().tags == ["a"])
    }

    @Test("custom messages need JPush 1.2.5, and the filter of tags 1.4.0", arguments: [4, 5])
    func messages(patch: Int) async throws {
        let stage = try PhoneStage(.jpush(SDKVersion(1, 2, patch)))
        let seen = Locked(0)
        stage.service.networkDidReceiveMessage { _ in seen.withLock { $0 += 1 } }
        stage.phone.now.app?.didReceiveCustomMessage(["content": "c"])
        await stage.flush()
        #expect(seen.withLock { $0 } == (patch == 5 ? 1 : 0))
        #expect(stage.service.filterValidTags(["a"]).isEmpty)
        let lines = ["networkDidReceiveMessage", "filterValidTags"].suffix(patch == 5 ? 1 : 2)
        #expect(stage.phone.lines.map { String($0.prefix { $0 != ":" }) } == Array(lines))
    }

    /// Records registrations and failures.
    private final class Registrations: XGPushDelegate {
        private let heard = Locked<[String]>([])
        var lines: [String] { heard.withLock { $0 } }
        func xgPushDidRegisteredDeviceToken(_ deviceToken: String?, xgToken: String?, error: (any Error)?) {
            heard.withLock { $0.append(error == nil ? "registered" : "not registered") }
        }
        func xgPushDidFailToRegisterDeviceToken(withError error: (any Error)?) {
            heard.withLock { $0.append("failed") }
        }
    }

    @Test(
        "TPNS starts with an access ID and tells failures in a call of their own since 1.2.7.2",
        arguments: [(1, "not registered"), (2, "failed")])
    func accessID(last: Int, failure: String) async throws {
        let stage = try PhoneStage(.tpns(SDKVersion(1, 2, 7, last)), isRegistered: false)
        let events = Registrations()
        stage.manager.startXG(withAccessID: 1, accessKey: "key", delegate: events)
        await until { events.lines.count == 1 }
        #expect(events.lines == [last == 1 ? failure : "registered"])
        #expect((stage.session.device == nil) == (last == 1))
        stage.manager.startXG(withAppID: 1, appKey: "key", delegate: events)
        await until { events.lines.last == "registered" && stage.session.device != nil }
        let wrong = try Stage.memory(.tpns(SDKVersion(1, 2, 7, last)), isRegistered: false, registering: .hasNoID)
        wrong.manager.startXG(withAppID: 1, appKey: "key", delegate: events)
        await until { events.lines.last == failure }
    }

    @Test("receipts under rules that have none are refused, and the completion is called", arguments: [0, 1, 2])
    func receipts(index: Int) async throws {
        let rules = [SessionRules.jpush(SDKVersion(3, 0, 6)), .jpushLegacy, .tpns][index]
        let stage = try PhoneStage(rules)
        let sdk = NotificationExtensionService(stage.service)
        sdk.jpushSetAppkey("key")
        let request = PhoneNotification.sample("p").request
        #expect(await answer { tell in sdk.jpushReceive(request) { tell(true) } })
        #expect(stage.phone.now.receipts.isEmpty && stage.phone.lines.count == 1)
    }

    /// Records where the settings were opened from.
    private final class Settings: MTPushRegisterDelegate {
        private let heard = Locked(0)
        var count: Int { heard.withLock { $0 } }
        func mtpNotificationCenter(
            _ center: any Phone, willPresent notification: PhoneNotification,
            withCompletionHandler completionHandler: @escaping @Sendable (Int) -> Void
        ) { completionHandler(0) }
        func mtpNotificationCenter(
            _ center: any Phone, didReceive response: PhoneNotification.Response,
            withCompletionHandler completionHandler: @escaping @Sendable () -> Void
        ) { completionHandler() }
        func mtpNotificationCenter(_ center: any Phone, openSettingsFor notification: PhoneNotification?) {
            heard.withLock { $0 += 1 }
        }
    }

    @Test(
        "G-188: the settings are the delegate's since iOS 12 and MTPush 3.1.1",
        arguments: [(12, SDKVersion(3, 1, 1), 1), (11, SDKVersion(3, 1, 1), 0), (12, SDKVersion(3, 1, 0), 0)])
    func openSettings(system: Int, version: SDKVersion, expected: Int) async throws {
        let stage = try Stage.memory(.mtpush(version))
        var settings = VirtualPhone.Settings()
        settings.systemVersion = system
        let phone = VirtualPhone(VirtualDevice("1", .ios), settings: settings, clock: stage.clock)
        let session = DeviceSession(stage.client, rules: .mtpush(version), host: phone)
        let service = SequencedPushService(session, queue: stage.queue)
        let delegate = Settings()
        service.register(forRemoteNotificationConfig: nil, delegate: delegate)
        await phone.openSettings()
        for _ in 0..<3 { await withCheckedContinuation { done in stage.queue.async { done.resume() } } }
        #expect(delegate.count == expected)
        withExtendedLifetime(service) {}
    }
}
