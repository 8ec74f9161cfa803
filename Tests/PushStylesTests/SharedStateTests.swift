import PushAdapter
import PushDevice
import PushPhone
import PushSimulation
import PushStyles
import TestSupport
import Testing

/// All objects over a session share the state that an SDK keeps once per app.
@Suite("What an app has once")
struct SharedStateTests {
    /// Records its events, and shows notifications as configured.
    private final class Screens: JPUSHRegisterDelegate, PhoneApplicationDelegate {
        private let heard = Locked<[String]>([])
        let ways: PhoneNotification.Presentation
        init(_ ways: PhoneNotification.Presentation = []) { self.ways = ways }
        var lines: [String] { heard.withLock { $0 } }

        func jpushNotificationCenter(
            _ center: any Phone, willPresent notification: PhoneNotification,
            withCompletionHandler completionHandler: @escaping @Sendable (Int) -> Void
        ) {
            heard.withLock { $0.append("present \(notification.id)") }
            completionHandler(ways.rawValue)
            // Only the first answer counts.
            completionHandler(7)
        }

        func jpushNotificationCenter(
            _ center: any Phone, didReceive response: PhoneNotification.Response,
            withCompletionHandler completionHandler: @escaping @Sendable () -> Void
        ) {
            heard.withLock { $0.append("respond \(response.notification.id)") }
            completionHandler()
        }

        func application(
            _ application: any Phone, didReceiveRemoteNotification userInfo: [String: JSONValue],
            fetchCompletionHandler completionHandler: @escaping @Sendable (FetchResult) -> Void
        ) {
            heard.withLock { $0.append("wake") }
            completionHandler(.failed)
        }
    }

    private final class Events: XGPushDelegate, XGPushTokenManagerDelegate, XGInAppMessageActionDelegate {
        private let heard = Locked<[String]>([])
        var lines: [String] { heard.withLock { $0.filter { !$0.hasPrefix("log") } } }
        var log: [String] { heard.withLock { $0.filter { $0.hasPrefix("log") } } }
        private func note(_ line: String) { heard.withLock { $0.append(line) } }

        func xgPushDidReceiveRemoteNotification(
            _ notification: Any, withCompletionHandler completionHandler: (@Sendable (UInt) -> Void)?
        ) {
            if let notification = notification as? PhoneNotification {
                note("present \(notification.id)")
                completionHandler?(UInt(PhoneNotification.Presentation.sound.rawValue))
            } else {
                note("wake")
                completionHandler?(UInt(FetchResult.newData.rawValue))
            }
        }
        func xgPushDidReceiveNotificationResponse(
            _ response: Any, withCompletionHandler completionHandler: @escaping @Sendable () -> Void
        ) {
            note("respond")
            completionHandler()
        }
        func xgPushLog(_ logInfo: String?) { note("log \(logInfo ?? "")") }
        func xgPushDidAppendTags(_ tags: [String], error: (any Error)?) { note("append") }
        func onClick(withCustomAction action: [String: JSONValue]?) { note("click") }
    }

    private func app(of stage: PhoneStage) throws -> any PhoneApp { try #require(stage.phone.now.app) }

    /// The phone's results when it asks its app about a notification, a tap and a push that wakes it.
    private func ask(_ app: any PhoneApp) async -> (ways: PhoneNotification.Presentation, fetch: FetchResult) {
        let ways = await answer { tell in app.willPresent(.sample("p")) { tell($0) } }
        let response = PhoneNotification.Response(.sample("p"), action: .open)
        #expect(await answer { tell in app.didReceive(response) { tell(true) } })
        return (ways, await answer { tell in app.didReceiveRemoteNotification([:]) { tell($0) } })
    }

    @Test("a second service takes nothing from the first: delegates, custom messages, extension")
    func secondService() async throws {
        let stage = try PhoneStage()
        let screens = Screens([.alert])
        stage.service.register(forRemoteNotificationConfig: nil, delegate: screens)
        stage.service.applicationDelegate = screens
        let messages = Locked(0)
        stage.service.networkDidReceiveMessage { _ in messages.withLock { $0 += 1 } }
        let second = SequencedPushService(stage.session, queue: SequencedPushService.privateQueue())
        second.networkDidReceiveMessage { _ in messages.withLock { $0 += 1 } }
        second.serviceExtension = nil
        let told = await ask(try app(of: stage))
        #expect(told.ways == [.alert] && told.fetch == .failed)
        #expect(screens.lines == ["present p", "respond p", "wake"])
        try app(of: stage).didReceiveCustomMessage(["content": "hi"])
        await until { messages.withLock { $0 } == 2 }
        #expect(second.applicationDelegate === screens)
    }

    @Test("G-233: two services share the app group with the extension")
    func sharedGroup() async throws {
        let stage = try PhoneStage(.mtpush(SDKVersion(5, 2, 0)))
        let second = SequencedPushService(stage.session, queue: stage.queue)
        second.setAppGroupId("group")
        let sdk = NotificationExtensionService(stage.service)
        NotificationExtensionService(second).mtpushSetAppGroupId("group")
        let request = PhoneNotification.sample("p").request
        #expect(await answer { tell in sdk.handleVoice(request) { tell($0) } } == "voice-p")
    }

    @Test("G-233: two services share pages and log level")
    func sharedSettings() async throws {
        let stage = try PhoneStage()
        let second = SequencedPushService(stage.session, queue: stage.queue)
        stage.service.startLogPageView("page")
        stage.clock.advance(by: .seconds(2))
        second.stopLogPageView("page")
        #expect(stage.phone.now.records == [.page(name: "page", seconds: 2)])
        second.setDebugMode()
        #expect(
            await answer { tell in stage.service.addTags(nil, completion: { code, _, _ in tell(code) }, seq: 1) }
                == 6001)
        #expect(stage.phone.lines.last == "addTags: 6001")
        #expect(stage.manager.isEnableDebug)
    }

    @Test("the app keeps what a service has set when the service is gone")
    func gone() async throws {
        let stage = try PhoneStage()
        let screens = Screens([.badge])
        SequencedPushService(stage.session, queue: stage.queue)
            .register(forRemoteNotificationConfig: nil, delegate: screens)
        #expect(await ask(try app(of: stage)).ways == [.badge])
    }

    @Test("G-234: a manager beside a service takes nothing from it: both hear, and what one of them wants is shown")
    func manager() async throws {
        let stage = try PhoneStage(.jpush, isRegistered: false)
        let (screens, events) = (Screens([.alert]), Events())
        stage.service.register(forRemoteNotificationConfig: nil, delegate: screens)
        stage.service.applicationDelegate = screens
        let manager = XGTokenManager(stage.session, queue: SequencedPushService.privateQueue())
        manager.startXG(withAppID: 1, appKey: "key", delegate: events)
        manager.actionDelegate = events
        await until { stage.manager.xgTokenString != nil }
        let told = await ask(try app(of: stage))
        #expect(told.ways == [.alert, .sound] && told.fetch == .newData)
        #expect(screens.lines == ["present p", "respond p", "wake"])
        #expect(events.lines == ["present p", "respond", "wake"])
        // A released delegate has no influence.
        manager.startXG(withAppID: 1, appKey: "key", delegate: Events())
        #expect(await ask(try app(of: stage)).ways == [.alert])
    }

    @Test("managers share their delegates, and each delegate is called on the queue where it was set")
    func managers() async throws {
        let stage = try PhoneStage(.tpns)
        let events = Events()
        stage.manager.delegate = events
        stage.manager.actionDelegate = events
        stage.manager.xgApplicationBadgeNumber = 3
        let second = XGTokenManager(stage.session, queue: SequencedPushService.privateQueue())
        #expect(second.delegate === events && second.actionDelegate === events)
        #expect(second.xgApplicationBadgeNumber == 3)
        second.appendTags(["a b"])
        await until { events.lines == ["append"] }
        // A log line of the service reaches TPNS's delegate too: there is only one log.
        second.startXG(withAccessID: 1, accessKey: "key", delegate: events)
        stage.service.setLocation(nil)
        await until { events.log.contains("log setLocation: there is no location") }
    }
}
