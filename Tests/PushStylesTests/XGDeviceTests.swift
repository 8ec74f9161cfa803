import Foundation
import PushAdapter
import PushDevice
import PushStyles
import TestSupport
import Testing

/// The calls of TPNS's SDK on the phone. The ids are those of `Tests/Contract/cases.json`.
@Suite("XG calls on the phone")
struct XGDeviceTests {
    private final class Events: XGPushDelegate, XGInAppMessageActionDelegate, XGPushTokenManagerDelegate {
        private let heard = Locked<[String]>([])
        private let failures = Locked<[any Error]>([])
        var lines: [String] { heard.withLock { $0 } }
        var errors: [any Error] { failures.withLock { $0 } }

        func xgPushDidRequestNotificationPermission(_ isEnable: Bool, error: (any Error)?) {
            heard.withLock { $0.append("permission \(isEnable) \(error == nil)") }
        }
        func xgPushLog(_ logInfo: String?) { heard.withLock { $0.append("log: \(logInfo ?? "-")") } }
        func onClick(withCustomAction action: [String: JSONValue]?) {
            heard.withLock { $0.append("click \(action?["k"]?.stringValue ?? "-")") }
        }
        func xgPushDidAppendTags(_ tags: [String], error: (any Error)?) {
            if let error { failures.withLock { $0.append(error) } }
        }
    }

    @Test("a start, also under its older name, asks for permission and reports the user's answer")
    func permission() async throws {
        let stage = try PhoneStage(.tpns, isRegistered: false)
        let events = Events()
        #expect(await answer { tell in stage.manager.deviceNotificationIsAllowed { tell($0) } } == false)
        stage.manager.startXG(withAppID: 1, appKey: "key", delegate: events)
        await until { events.lines.contains("permission true true") }
        await until { stage.manager.xgTokenString != nil }
        #expect(await answer { tell in stage.manager.deviceNotificationIsAllowed { tell($0) } })
    }

    @Test("G-150: the delegate gets log lines whatever the debug switch is")
    func log() async throws {
        let stage = try PhoneStage(.tpns, isRegistered: false)
        let events = Events()
        #expect(!stage.manager.isEnableDebug)
        stage.manager.startXG(withAccessID: 1, accessKey: "key", delegate: events)
        await until { events.lines.contains("log: the device is registered") }
        #expect(stage.phone.lines.contains("the device is registered"))
        stage.manager.isEnableDebug = true
        #expect(stage.phone.now.records.contains(.logLevel(.debug)))
        let isDone = await answer { tell in stage.manager.uploadLogCompletionHandler { isDone, _ in tell(isDone) } }
        #expect(isDone && stage.phone.now.records.last == .logUpload)
        stage.manager.uploadLogCompletionHandler(nil)
    }

    @Test("G-148: actions, categories and their settings need iOS 8", arguments: [7, 8])
    func categories(systemVersion: Int) throws {
        let stage = try PhoneStage(.tpns, systemVersion: systemVersion)
        let phone = stage.phone
        let action = XGNotificationAction.action(withIdentifier: "a", title: "A", options: [], on: phone)
        let category = XGNotificationCategory.category(
            withIdentifier: "c", actions: [action].compactMap(\.self), intentIdentifiers: nil, on: phone)
        let configure = XGNotificationConfigure(
            notificationWithCategories: Set([category].compactMap(\.self)), types: [.alert, .badge], on: phone)
        #expect((action == nil) == (systemVersion < 8))
        #expect((category == nil) == (systemVersion < 8) && (configure == nil) == (systemVersion < 8))
        stage.manager.notificationConfigure = configure
        #expect(phone.now.categories.flatMap(\.actions).map(\.title) == (systemVersion < 8 ? [] : ["A"]))
        #expect(stage.manager.notificationConfigure == configure)
    }

    @Test("the button of an in-app message reaches its delegate, which is held weakly")
    func click() async throws {
        let stage = try PhoneStage(.tpns)
        let events = Events()
        stage.manager.actionDelegate = events
        stage.phone.now.app?.didClickInAppMessage(["k": "v"])
        await stage.flush()
        #expect(events.lines == ["click v"])
        stage.manager.actionDelegate = Events()
        #expect(stage.manager.actionDelegate == nil)
    }

    @Test("errors carry a number and a sentence, and the version is the name of the rules")
    func errors() async throws {
        let stage = try PhoneStage(.tpns)
        let events = Events()
        stage.manager.delegate = events
        stage.manager.appendTags(["a b"])
        await until { !events.errors.isEmpty }
        let error = try #require(events.errors.first as? ResultError)
        #expect(error.code == 6005 && error.error.kind == .invalidArgument)
        #expect(error.errorCode == 6005 && ResultError.errorDomain == "PushBridge.SDK")
        #expect(error.nsError.code == 6005 && error.nsError.domain == ResultError.errorDomain)
        #expect(error.errorDescription?.contains("6005") == true && error.errorUserInfo.count == 1)
        #expect(stage.manager.sdkVersion() == SessionRules.tpns.name)
    }
}
