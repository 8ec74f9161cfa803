import PushAdapter
import PushDevice
import PushPhone
import PushSimulation
import PushStyles
import TestSupport
import Testing

/// The method of the app's delegate that gets a push before iOS 10.
@Suite("Pushes before iOS 10")
struct OldSystemTests {
    private class Notes: @unchecked Sendable {
        // Protected by a lock.
        private let heard = Locked<[String]>([])
        var lines: [String] { heard.withLock { $0 } }
        func note(_ line: String) { heard.withLock { $0.append(line) } }
    }

    private final class Fetching: Notes, PhoneApplicationDelegate, @unchecked Sendable {
        func application(
            _ application: any Phone, didReceiveRemoteNotification userInfo: [String: JSONValue],
            fetchCompletionHandler completionHandler: @escaping (FetchResult) -> Void
        ) {
            note("fetch \(userInfo["k"]?.stringValue ?? "-")")
            completionHandler(.newData)
        }
    }

    private final class Plain: Notes, PhoneApplicationDelegate, @unchecked Sendable {
        func application(_ application: any Phone, didReceiveRemoteNotification userInfo: [String: JSONValue]) {
            note("plain \(userInfo["k"]?.stringValue ?? "-")")
        }
    }

    private final class Both: Notes, PhoneApplicationDelegate, @unchecked Sendable {
        func application(_ application: any Phone, didReceiveRemoteNotification userInfo: [String: JSONValue]) {
            note("plain \(userInfo["k"]?.stringValue ?? "-")")
        }
        func application(
            _ application: any Phone, didReceiveRemoteNotification userInfo: [String: JSONValue],
            fetchCompletionHandler completionHandler: @escaping (FetchResult) -> Void
        ) {
            note("fetch \(userInfo["k"]?.stringValue ?? "-")")
            completionHandler(.newData)
        }
    }

    /// A phone, and the session whose app it calls.
    private func started(
        _ systemVersion: Int, _ delegate: any PhoneApplicationDelegate
    ) async throws -> (phone: VirtualPhone, session: DeviceSession) {
        let stage = try Stage.memory(.jpush)
        var settings = VirtualPhone.Settings()
        settings.systemVersion = systemVersion
        let phone = VirtualPhone(VirtualDevice("1", .ios), settings: settings, clock: stage.clock)
        let session = DeviceSession(stage.client, rules: .jpush, host: phone)
        SequencedPushService(session, queue: stage.queue).applicationDelegate = delegate
        try await session.start()
        return (phone, session)
    }

    /// Receives a notification in the foreground, another that the user taps, and one that also wakes an app in the
    /// foreground.
    private func push(_ phone: VirtualPhone) async {
        phone.receive(DeliveredMessage(messageID: "1", alert: "Text", extras: ["k": "open"]))
        await phone.leaveApp()
        phone.receive(DeliveredMessage(messageID: "2", alert: "Text", extras: ["k": "tapped"]))
        await phone.tap("2")
        var waking = DeliveredMessage(messageID: "3", alert: "Text", extras: ["k": "waking"])
        waking.wakesApp = true
        phone.receive(waking)
    }

    @Test("G-238: from iOS 7 on, the method with the handler gets what is shown, once", arguments: [7, 9])
    func fetching(systemVersion: Int) async throws {
        let (fetching, both) = (Fetching(), Both())
        let stages = [try await started(systemVersion, fetching), try await started(systemVersion, both)]
        for stage in stages { await push(stage.phone) }
        let expected = ["fetch open", "fetch tapped", "fetch waking"]
        await until { fetching.lines.count >= 3 && both.lines.count >= 3 }
        #expect(fetching.lines == expected && both.lines == expected)
        withExtendedLifetime(stages) {}
    }

    @Test("an app that has only the method without the handler gets it there, but is not woken", arguments: [7, 9])
    func plain(systemVersion: Int) async throws {
        let plain = Plain()
        let (phone, session) = try await started(systemVersion, plain)
        await push(phone)
        await until { plain.lines.count >= 3 }
        var silent = DeliveredMessage(messageID: "4", extras: ["k": "silent"])
        silent.wakesApp = true
        phone.receive(silent)
        await until { phone.wakes.count == 2 && !phone.wakes.contains(nil) }
        #expect(plain.lines == ["plain open", "plain tapped", "plain waking"])
        withExtendedLifetime(session) {}
    }

    @Test("iOS 6 knows only the method without the handler")
    func oldest() async throws {
        let both = Both()
        let (phone, session) = try await started(6, both)
        phone.receive(DeliveredMessage(messageID: "1", alert: "Text", extras: ["k": "open"]))
        await until { both.lines == ["plain open"] }
        withExtendedLifetime(session) {}
    }
}
