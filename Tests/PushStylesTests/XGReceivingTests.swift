import PushAdapter
import PushDevice
import PushPhone
import PushSimulation
import PushStyles
import TestSupport
import Testing

/// The notification events of TPNS's delegate, on a virtual phone.
@Suite("XG notifications")
struct XGReceivingTests {
    private final class Events: XGPushDelegate {
        private let heard = Locked<[String]>([])
        var lines: [String] { heard.withLock { $0 } }
        private func note(_ line: String) { heard.withLock { $0.append(line) } }

        func xgPushDidReceiveRemoteNotification(
            _ notification: Any, withCompletionHandler completionHandler: (@Sendable (UInt) -> Void)?
        ) {
            if let notification = notification as? PhoneNotification {
                note("notification \(notification.id) \(notification.request.isPush)")
                let ways: PhoneNotification.Presentation = [.alert, .badge]
                completionHandler?(UInt(ways.rawValue))
            } else if let payload = notification as? [String: JSONValue] {
                note("payload \(payload["k"]?.stringValue ?? "-")")
                completionHandler?(UInt(FetchResult.newData.rawValue))
            }
        }

        func xgPushDidReceiveNotificationResponse(
            _ response: Any, withCompletionHandler completionHandler: @escaping @Sendable () -> Void
        ) {
            guard let response = response as? PhoneNotification.Response else { return }
            note("response \(response.notification.id) \(response.action)")
            completionHandler()
        }

        func xgPushDidRegisteredDeviceToken(_ deviceToken: String?, xgToken: String?, error: (any Error)?) {
            note("registered")
        }
        func xgPushDidFailToRegisterDeviceToken(withError error: (any Error)?) {
            note("failed \((error as? ResultError)?.code ?? 0)")
        }
    }

    private func stage(_ edit: (inout VirtualPhone.Settings) -> Void = { _ in }) throws -> (
        VirtualPhone, XGTokenManager
    ) {
        let stage = try Stage.memory(.tpns)
        var settings = VirtualPhone.Settings()
        edit(&settings)
        let phone = VirtualPhone(VirtualDevice("1", .ios), settings: settings, clock: stage.clock)
        let session = DeviceSession(stage.client, rules: .tpns, host: phone)
        return (phone, XGTokenManager(session, queue: stage.queue))
    }

    @Test("G-235: pushes in the foreground, taps, actions and pushes that wake the app reach the delegate")
    func notifications() async throws {
        let (phone, manager) = try stage()
        let events = Events()
        manager.startXG(withAccessID: 1, accessKey: "key", delegate: events)
        await until { events.lines == ["registered"] }
        let action = XGNotificationAction.action(withIdentifier: "reply", title: "Reply", on: phone)
        let category = XGNotificationCategory.category(
            withIdentifier: "c", actions: [action].compactMap(\.self), intentIdentifiers: nil, on: phone)
        manager.notificationConfigure = XGNotificationConfigure(
            notificationWithCategories: Set([category].compactMap(\.self)), types: [.alert], on: phone)
        var message = DeliveredMessage(messageID: "a", alert: "Text", badge: 4)
        message.sound = "bell"
        message.category = "c"
        phone.receive(message)
        await until { phone.center.map(\.id) == ["a"] }
        #expect(phone.icon == 4 && phone.sounds.isEmpty)
        await phone.tap("a", action: "reply")
        phone.receive(DeliveredMessage(messageID: "b", alert: "Text"))
        await until { phone.center.map(\.id) == ["b"] }
        await phone.tap("b")
        var silent = DeliveredMessage(messageID: "s", extras: ["k": "v"])
        silent.wakesApp = true
        phone.receive(silent)
        await until { phone.wakes == [.newData] }
        let expected = [
            "registered", "notification a true", #"response a action("reply")"#, "notification b true",
            "response b open", "payload v",
        ]
        await until { events.lines.count >= expected.count }
        #expect(events.lines == expected)
    }

    @Test("a delegate without these methods shows nothing in the foreground and finds nothing new")
    func defaults() async throws {
        final class Quiet: XGPushDelegate {}
        let stage = try PhoneStage(.tpns, isRegistered: false)
        let quiet = Quiet()
        stage.manager.startXG(withAccessID: 1, accessKey: "key", delegate: quiet)
        let app = try #require(stage.phone.now.app)
        #expect(await answer { tell in app.willPresent(.sample("p")) { tell($0) } } == [])
        #expect(await answer { tell in app.didReceiveRemoteNotification([:]) { tell($0) } } == .noData)
        let response = PhoneNotification.Response(.sample("p"), action: .open)
        #expect(await answer { tell in app.didReceive(response) { tell(true) } })
    }

    static let credentials: [(id: UInt32, key: String)] = [(1, "right"), (2, "right"), (1, "wrong"), (1, "")]

    @Test("G-145, G-236: wrong credentials do not register", arguments: credentials)
    func wrongCredentials(sample: (id: UInt32, key: String)) async throws {
        let (phone, manager) = try stage {
            $0.appID = "1"
            $0.appKey = Secret("right")
        }
        let events = Events()
        manager.startXG(withAccessID: sample.id, accessKey: sample.key, delegate: events)
        await until { !events.lines.isEmpty }
        let isRight = sample == (1, "right")
        #expect(events.lines == [isRight ? "registered" : "failed 1008"])
        #expect(manager.xgTokenString == (isRight ? "1" : nil) && phone.isRegistered == isRight)
    }
}
