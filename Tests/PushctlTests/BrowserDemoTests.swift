import Foundation
import TestSupport
import Testing

@Suite("pushctl demo webpush --open")
struct BrowserDemoTests {
    @Test("a signal ends the demo and its Firefox, and deletes the profile", .timeLimit(.minutes(20)))
    func signal() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pushbridge-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // In the place of Firefox, a program that only waits. It says that it runs. A smaller shell would unblock signals.
        let (firefox, mark) = (folder.appending(path: "firefox-esr").path, folder.appending(path: "runs").path)
        try Data("#!/bin/bash\ntouch \"\(mark)\"\nexec sleep 300\n".utf8).write(to: URL(filePath: firefox))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: firefox)
        let demo = try Program(
            Program.folder.appending(path: "pushctl").path, ["demo", "webpush", "--open"],
            environment: ["PATH": folder.path + ":/usr/bin:/bin"])
        let line = try #require(try await demo.line(with: "--profile"))
        let profile = try #require(line.split(separator: "'").first { $0.contains("pushbridge-firefox-") })
        await until { FileManager.default.fileExists(atPath: mark) }
        demo.send(signal: SIGINT)
        let result = await demo.result()
        #expect(result.status == 0, "\(result)")
        #expect(!FileManager.default.fileExists(atPath: String(profile)))
    }
}
