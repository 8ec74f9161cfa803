import PushAdapter
import PushDevice
import PushStyles
import TestSupport
import Testing

/// The events that an app receives from its phone. The ids are those of `Tests/Contract/cases.json`.
@Suite("Calls from the phone")
struct PhoneStyleTests {
    /// An app with both delegates of JPush. It records its events.
    private final class JPushApp: JPUSHRegisterDelegate, PhoneApplicationDelegate {
        private let heard = Locked<[String]>([])
        var lines: [String] { heard.withLock { $0 } }
        private func note(_ line: String) { heard.withLock { $0.append(line) } }

        func jpushNotificationCenter(
            _ center: any Phone, willPresent notification: PhoneNotification,
            withCompletionHandler completionHandler: @escaping @Sendable (Int) -> Void
        ) {
            note("present \(notification.id)")
            completionHandler(PhoneNotification.Presentation.alert.rawValue)
        }

        func jpushNotificationCenter(
            _ center: any Phone, didReceive response: PhoneNotification.Response,
            withCompletionHandler completionHandler: @escaping @Sendable () -> Void
        ) {
            note("respond \(response.notification.id)")
            completionHandler()
        }

        func application(
            _ application: any Phone, didFinishLaunchingWithOptions launchOptions: [String: JSONValue]?
        ) -> Bool {
            let push = launchOptions?[LaunchOptionsKey.remoteNotification]?["k"]?.stringValue
            let local = launchOptions?[LaunchOptionsKey.localNotification]?["identifier"]?.stringValue
            note("launch \(push ?? "-") \(local ?? "-") \(launchOptions == nil)")
            return true
        }

        func application(_ application: any Phone, didReceiveRemoteNotification userInfo: [String: JSONValue]) {
            note("old push \(userInfo["k"]?.stringValue ?? "-")")
        }

        func application(
            _ application: any Phone, didReceiveRemoteNotification userInfo: [String: JSONValue],
            fetchCompletionHandler completionHandler: @escaping @Sendable (FetchResult) -> Void
        ) {
            note("wake \(userInfo["k"]?.stringValue ?? "-")")
            completionHandler(.newData)
        }

        func application(_ application: any Phone, didReceive notification: PhoneNotification) {
            note("old local \(notification.id)")
        }

        func pushRegistry(
            _ registry: any Phone, didReceiveIncomingPushWith payload: [String: JSONValue],
            completion: @escaping @Sendable () -> Void
        ) {
            note("call")
            completion()
        }
    }

    private final class MTPushApp: MTPushRegisterDelegate {
        private let heard = Locked<[String]>([])
        var lines: [String] { heard.withLock { $0 } }

        func mtpNotificationCenter(
            _ center: any Phone, willPresent notification: PhoneNotification,
            withCompletionHandler completionHandler: @escaping @Sendable (Int) -> Void
        ) { completionHandler(3) }

        func mtpNotificationCenter(
            _ center: any Phone, didReceive response: PhoneNotification.Response,
            withCompletionHandler completionHandler: @escaping @Sendable () -> Void
        ) { completionHandler() }

        func mtpNotificationCenter(_ center: any Phone, openSettingsFor notification: PhoneNotification?) {
            heard.withLock { $0.append(notification.map { "from \($0.id)" } ?? "from the settings") }
        }
    }

    private func app(of stage: PhoneStage) throws -> any PhoneApp { try #require(stage.phone.now.app) }

    @Test("the delegates hear every call of the phone in its order, and their answers go back")
    func jpush() async throws {
        let stage = try PhoneStage()
        let delegate = JPushApp()
        var config = JPUSHRegisterEntity()
        config.categories = [NotificationCategory(identifier: "c", actions: [])]
        stage.service.register(forRemoteNotificationConfig: config, delegate: delegate)
        stage.service.applicationDelegate = delegate
        #expect(stage.phone.now.categories.map(\.identifier) == ["c"] && stage.phone.now.isAllowed == true)
        let app = try app(of: stage)
        app.didFinishLaunching(LaunchOptions())
        app.didFinishLaunching(LaunchOptions(remoteNotification: ["k": "v"]))
        app.didFinishLaunching(LaunchOptions(localNotification: .sample("l", isPush: false)))
        let shown = await answer { tell in app.willPresent(.sample("p")) { tell($0) } }
        #expect(shown == .alert)
        let response = PhoneNotification.Response(.sample("p"), action: .open)
        #expect(await answer { tell in app.didReceive(response) { tell(true) } })
        #expect(await answer { tell in app.didReceiveRemoteNotification(["k": "w"]) { tell($0) } } == .newData)
        app.didReceiveRemoteNotification(["k": "o"])
        app.didReceiveLocalNotification(.sample("l", isPush: false))
        #expect(await answer { tell in app.didReceiveCall([:]) { tell(true) } })
        #expect(
            delegate.lines == [
                "launch - - true", "launch v - false", "launch - l false", "present p", "respond p", "wake w",
                "old push o", "old local l", "call",
            ])
    }

    @Test("G-188: EngageLab's delegate hears where the settings were opened from")
    func openSettings() async throws {
        let stage = try PhoneStage(.mtpush(SDKVersion(5, 2, 0)))
        let delegate = MTPushApp()
        stage.service.register(forRemoteNotificationConfig: nil, delegate: delegate)
        let app = try app(of: stage)
        app.openSettings(for: .sample("p"))
        app.openSettings(for: nil)
        let shown = await answer { tell in app.willPresent(.sample("p")) { tell($0) } }
        #expect(shown == [.badge, .sound])
        let response = PhoneNotification.Response(.sample("p"), action: .open)
        #expect(await answer { tell in app.didReceive(response) { tell(true) } })
        #expect(delegate.lines == ["from p", "from the settings"])
    }

    @Test("without delegates, nothing is shown in the foreground and every completion is called")
    func noDelegates() async throws {
        let stage = try PhoneStage()
        stage.service.register(forRemoteNotificationConfig: nil, delegate: JPushApp())
        let app = try app(of: stage)
        let shown = await answer { tell in app.willPresent(.sample("p")) { tell($0) } }
        #expect(shown == [])
        let response = PhoneNotification.Response(.sample("p"), action: .open)
        #expect(await answer { tell in app.didReceive(response) { tell(true) } })
        #expect(await answer { tell in app.didReceiveRemoteNotification([:]) { tell($0) } } == .noData)
    }

    @Test("custom messages come with their id, except in JPush's old generation", arguments: [true, false])
    func customMessages(isOld: Bool) async throws {
        let stage = try PhoneStage(isOld ? .jpushLegacy : .jpush)
        let seen = Locked<[[String: JSONValue]]>([])
        stage.service.networkDidReceiveMessage { userInfo in seen.withLock { $0.append(userInfo) } }
        try app(of: stage).didReceiveCustomMessage(["content": "hi", "messageID": "7", "extras": ["k": "v"]])
        await stage.flush()
        var expected: [String: JSONValue] = ["content": "hi", "extras": ["k": "v"]]
        if !isOld { expected["_j_msgid"] = "7" }
        #expect(seen.withLock { $0 } == [expected])
    }

    @Test("a login is reported, and the id can be read then")
    func login() async throws {
        let stage = try PhoneStage(isRegistered: false)
        let seen = Locked<[String]>([])
        let service = stage.service
        service.networkDidLogin { [weak service] in
            let id = service?.registrationID() ?? "-"
            seen.withLock { $0.append(id) }
        }
        try await stage.session.start()
        await stage.flush()
        #expect(seen.withLock { $0 } == ["190e35f7e0a1b2c3d4e"])
    }

    @Test("payloads that are handed to the SDK are kept")
    func handled() throws {
        let stage = try PhoneStage()
        stage.service.handleRemoteNotification(["a": 1])
        stage.service.handleVoipNotification(["b": 2])
        #expect(stage.phone.now.records == [.handled(["a": 1]), .handled(["b": 2])])
    }

    @Test("without a phone, calls do nothing and completions are still called")
    func noPhone() async throws {
        let stage = try PhoneStage(isRegistered: true, hasPhone: false)
        let service = stage.service
        service.register(forRemoteNotificationConfig: nil, delegate: JPushApp())
        service.handleRemoteNotification([:])
        service.startLogPageView("p")
        service.stopLogPageView("p")
        service.crashLogON()
        #expect(service.applicationDelegate == nil && service.serviceExtension == nil)
        #expect(await answer { tell in stage.manager.deviceNotificationIsAllowed { tell($0) } } == false)
        let message: String? = await answer { tell in
            stage.manager.uploadLogCompletionHandler { isDone, message in tell(isDone ? nil : message) }
        }
        #expect(message?.contains("9001") == true)
        #expect(stage.phone.now.records.isEmpty)
    }
}
