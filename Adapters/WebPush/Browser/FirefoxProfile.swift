import Foundation
package import PushAdapter

/// A throw-away profile of Firefox that takes its pushes from a server on this machine, and reaches nothing else.
///
/// The user's own profiles are left alone. Runs beside a Firefox that is open already.
package struct FirefoxProfile: Sendable {
    package typealias Preference = (name: String, value: JSONValue)

    /// The folder of the profile.
    package let folder: String
    /// The preferences that this profile changes.
    package let preferences: [Preference]
    private let page: String

    /// Creates the profile, and deletes it when `body` has returned. Firefox must have ended by then.
    ///
    /// Throws `invalidState` if the folder cannot be written.
    /// - Parameters:
    ///   - page: the address of the page that may show notifications without a question, `http://127.0.0.1:41234`.
    ///   - pushService: the WebSocket of the push service, `ws://127.0.0.1:41235/`.
    ///   - body: runs while the profile exists.
    package static func withProfile<Result: Sendable>(
        for page: String, pushService: String, _ body: @Sendable (FirefoxProfile) async throws -> Result
    ) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pushbridge-firefox-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(try FirefoxProfile(in: folder, page: page, pushService: pushService))
    }

    private init(in folder: URL, page: String, pushService: String) throws(PushError) {
        self.folder = folder.path(percentEncoded: false)
        self.page = page
        let permissions = folder.appending(path: "permissions.txt")
        preferences = Self.preferences(pushService: pushService, permissions: permissions.absoluteString)
        let lines = preferences.map { name, value in
            "user_pref(\"\(name)\", \(String(decoding: JSONWriter.bytes(of: value), as: UTF8.self)));\n"
        }
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try Data("origin\tdesktop-notification\t1\t\(page)\n".utf8).write(to: permissions)
            try Data(lines.joined().utf8).write(to: folder.appending(path: "user.js"))
        } catch {
            throw PushError(
                .invalidState,
                "cannot write a profile for Firefox in \(folder.path(percentEncoded: false)); is the disk full?",
                underlying: error)
        }
    }

    /// The arguments with which Firefox shows the page.
    /// - Parameter more: further arguments, such as `--headless`.
    package func arguments(_ more: [String] = []) -> [String] {
        ["--no-remote", "--profile", folder] + more + [page]
    }

    private static func preferences(pushService: String, permissions: String) -> [Preference] {
        [
            ("dom.push.serverURL", .string(pushService)),
            // The WebSocket is not encrypted.
            ("dom.push.testing.allowInsecureServerURL", true),
            // Remote control turns pushes off.
            ("dom.push.connection.enabled", true),
            ("permissions.manager.defaultsUrl", .string(permissions)),
            // Firefox shows notifications itself; a machine without a desktop has nothing else that could.
            ("alerts.useSystemBackend", false),
            // A proxy that does not exist. Connections to this machine do not use it.
            ("network.proxy.type", 1),
            ("network.proxy.socks", "127.0.0.1"),
            ("network.proxy.socks_port", 9),
            // No questions at the first start.
            ("browser.aboutwelcome.enabled", false),
            ("browser.shell.checkDefaultBrowser", false),
            ("datareporting.policy.dataSubmissionEnabled", false),
            // Remote control listens on any free port, and only if the arguments ask for it.
            ("marionette.port", 0),
        ]
    }

    /// The path of Firefox on this machine; nil if it is not installed.
    package static var program: String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
        let names = folders.flatMap { folder in ["firefox-esr", "firefox"].map { "\(folder)/\($0)" } }
        return (names + ["/Applications/Firefox.app/Contents/MacOS/firefox"])
            .first(where: FileManager.default.isExecutableFile(atPath:))
    }
}
