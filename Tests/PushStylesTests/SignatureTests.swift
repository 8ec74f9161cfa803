import Foundation
import PushAdapter
import PushDevice
import PushStyles
import TestSupport
import Testing

/// Its methods have an older SDK's labels. They are in an extension of their own, where the compiler does not warn.
final class Mislabeled: XGPushDelegate, PhoneApplicationDelegate {}

extension Mislabeled {
    func xgPushDidRegisteredDeviceToken(_ deviceToken: String?, error: (any Error)?) {}
    func application(
        _ application: any Phone, didReceiveRemoteNotification userInfo: [String: JSONValue],
        fetchCompletionHandler completionHandler: ((FetchResult) -> Void)!
    ) {}
}

/// Delegate methods with a wrong signature.
@Suite("Signatures of delegates", .serialized)
struct SignatureTests {
    /// The spelling of a handler, and whether a delegate with it compiles.
    static let handlers: [(parameter: String, compiles: Bool)] = [
        ("@escaping (Int) -> Void", true), ("@escaping @Sendable (Int) -> Void", true), ("((Int) -> Void)!", false),
        ("((Int) -> Void)?", false), ("@escaping (UInt) -> Void", false),
    ]
    static let protocols = [("JPUSHRegisterDelegate", "jpush"), ("MTPushRegisterDelegate", "mtp")]

    /// The compiler's output for a program.
    private func compile(_ lines: [String]) async throws -> Program.Result {
        let file = FileManager.default.temporaryDirectory.appending(path: "delegate-\(UUID().uuidString).swift")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(lines.joined(separator: "\n").utf8).write(to: file)
        let modules = Program.folder.appending(path: "Modules").path
        return try await Program.run(
            "/usr/bin/env", ["swiftc", "-typecheck", "-swift-version", "6", "-I", modules, file.path])
    }

    @Test("G-231: a required method with a handler as in Xcode's stubs does not compile", arguments: handlers)
    func required(sample: (parameter: String, compiles: Bool)) async throws {
        var lines = ["import PushDevice", "import PushStyles"]
        for (name, prefix) in Self.protocols {
            lines += [
                "final class \(prefix)Screens: \(name) {",
                "    func \(prefix)NotificationCenter(_ center: any Phone, willPresent notification: PhoneNotification,",
                "        withCompletionHandler completionHandler: \(sample.parameter)) {}",
                "    func \(prefix)NotificationCenter(_ center: any Phone, didReceive response: PhoneNotification.Response,",
                "        withCompletionHandler completionHandler: @escaping () -> Void) {}",
                "}",
            ]
        }
        let result = try await compile(lines)
        #expect((result.status == 0) == sample.compiles, "\(result.errors)")
        for (name, _) in Self.protocols where !sample.compiles {
            #expect(result.errors.contains("does not conform to protocol '\(name)'"))
        }
    }

    @Test("a delegate without a required method does not compile")
    func missing() async throws {
        let names = Self.protocols.map(\.0) + ["XGInAppMessageActionDelegate"]
        let result = try await compile(
            ["import PushStyles"] + names.map { "final class Empty\($0): \($0) {}" }
                + ["final class Optional1: XGPushDelegate {}", "final class Optional2: XGPushTokenManagerDelegate {}"])
        for name in names { #expect(result.errors.contains("does not conform to protocol '\(name)'")) }
        #expect(!result.errors.contains("type 'Optional"))
    }

    #if DEBUG
        @Test("G-232: an optional method with a wrong signature is named on standard error, once, also without a phone")
        func optional() async throws {
            // Runs in its own process, because no other test writes to that standard error.
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                let delegate = Mislabeled()
                for hasPhone in [true, false, true] {
                    let stage = try PhoneStage(.tpns, isRegistered: !hasPhone, hasPhone: hasPhone)
                    stage.service.applicationDelegate = delegate
                    stage.manager.startXG(withAccessID: 1, accessKey: "key", delegate: delegate)
                    await until { stage.manager.xgTokenString != nil }
                    await stage.flush()
                    if let app = stage.phone.now.app {
                        _ = await answer { tell in app.didReceiveRemoteNotification([:]) { tell($0) } }
                    }
                    #expect(!stage.phone.lines.contains { $0.contains("never called") })
                }
            }
            let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            let found = errors.split(separator: "\n").filter { $0.hasPrefix("PushStyles: ") }.sorted()
            let expected: [Substring] = [
                """
                PushStyles: Mislabeled has a method \
                application(_:didReceiveRemoteNotification:fetchCompletionHandler:) with other types, \
                which is never called; compare the types
                """,
                """
                PushStyles: Mislabeled has a method xgPushDidRegisteredDeviceToken(_:error:), which is never called; \
                the delegate's method is xgPushDidRegisteredDeviceToken(_:xgToken:error:)
                """,
            ]
            #expect(found == expected)
        }
    #endif
}
