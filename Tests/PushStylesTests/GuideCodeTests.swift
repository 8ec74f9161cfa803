import Dispatch
import FoundationEssentials
import PushAdapter
import PushDevice
import PushPhone
import PushSimulation
import PushStyles
import TestSupport
import Testing

private typealias UIApplication = any Phone
private typealias UNUserNotificationCenter = any Phone
private typealias UNNotification = PhoneNotification
private typealias UNNotificationResponse = PhoneNotification.Response

/// The guides' code, with the names that docs/Styles.md gives.
@Suite("Code of the guides")
struct GuideCodeTests {
    /// The delegate from docs/Styles.md. It keeps the lines that the original prints.
    private final class AppDelegate: JPUSHRegisterDelegate, PhoneApplicationDelegate {
        // This is the name of the SDK's class, so that the calls read as before.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let JPUSHService: SequencedPushService
        let heard = Locked<[String]>([])

        init(_ session: DeviceSession, queue: DispatchQueue = .main) {
            JPUSHService = SequencedPushService(session, queue: queue)
            JPUSHService.applicationDelegate = self
        }

        func application(
            _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [String: JSONValue]?
        ) -> Bool {
            JPUSHService.register(forRemoteNotificationConfig: JPUSHRegisterEntity(), delegate: self)
            JPUSHService.networkDidReceiveMessage { [heard] userInfo in
                heard.withLock { $0.append(userInfo["content"]?.stringValue ?? "") }
            }
            return true
        }

        func jpushNotificationCenter(
            _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
            withCompletionHandler completionHandler: @escaping (Int) -> Void
        ) {
            if notification.request.isPush {
                JPUSHService.handleRemoteNotification(notification.request.content.userInfo)
            }
            completionHandler(PhoneNotification.Presentation.alert.rawValue)
        }

        func jpushNotificationCenter(
            _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
            withCompletionHandler completionHandler: @escaping () -> Void
        ) {
            heard.withLock { $0.append("tapped \(response.notification.id)") }
            completionHandler()
        }
    }

    @Test("an app delegate with the first lines of docs/Styles.md receives what its phone receives")
    func appDelegate() async throws {
        let stage = try Stage.memory(.jpush)
        let phone = VirtualPhone(VirtualDevice("1", .ios), clock: stage.clock)
        let session = DeviceSession(stage.client, rules: .jpush, host: phone)
        let delegate = AppDelegate(session, queue: stage.queue)
        try await session.start()
        await answer { tell in stage.queue.async { tell(()) } }
        phone.receive(DeliveredMessage(messageID: "a", alert: "Text"))
        await until { phone.center.map(\.id) == ["a"] }
        #expect(phone.records.count == 1)
        await phone.tap("a")
        var custom = DeliveredMessage(messageID: "b")
        custom.custom = CustomMessage(content: "hi")
        phone.receive(custom)
        await until { delegate.heard.withLock { $0 } == ["tapped a", "hi"] }
    }

    @Test("J-13, J-14, J-18, M-17: the block types have the guides' names and may be declared ahead of the call")
    func blocks() async throws {
        let stage = try Stage.memory(.jpush)
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let JPUSHService = stage.service
        let told = Locked<[String]>([])
        let tags: JPUSHTagsOperationCompletion = { iResCode, iTags, seq in
            told.withLock { $0.append("\(iResCode) \(iTags?.sorted() ?? []) \(seq)") }
        }
        let valid: JPUSHTagValidOperationCompletion = { iResCode, _, seq, isBind in
            told.withLock { $0.append("\(iResCode) \(isBind) \(seq)") }
        }
        let alias: JPUSHAliasOperationCompletion = { iResCode, iAlias, seq in
            told.withLock { $0.append("\(iResCode) \(iAlias ?? "-") \(seq)") }
        }
        let mtpush: MTPushTagsOperationCompletion = tags
        JPUSHService.addTags(["game"], completion: tags, seq: 1)
        await until { told.withLock { $0.count } == 1 }
        JPUSHService.validTag("game", completion: valid, seq: 2)
        await until { told.withLock { $0.count } == 2 }
        JPUSHService.setAlias("ann", completion: alias, seq: 3)
        await until { told.withLock { $0.count } == 3 }
        JPUSHService.getAllTags(mtpush, seq: 4)
        await until { told.withLock { $0.count } == 4 }
        #expect(told.withLock { $0 } == [#"0 ["game"] 1"#, "0 true 2", "0 ann 3", #"0 ["game"] 4"#])
    }
}
