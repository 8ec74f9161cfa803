import Foundation
import PushAdapter
import TestSupport
import Testing
import VendorRegistry

/// A command line with another vendor: `Pushctl.main(adding:)`.
@Suite("pushctl with one more vendor")
struct OwnVendorTests {
    private func ownctl(
        _ arguments: [String], _ environment: [String: String] = [:], input: String = ""
    ) async throws -> Program.Result {
        try await Program.run(
            Program.folder.appending(path: "ownctl").path, arguments, environment: environment, input: input)
    }

    @Test("the vendor stands beside those of the library")
    func known() async throws {
        let matrix = try await ownctl(["vendors", "--json"])
        let names = try JSONValue(parsing: Array(matrix.output.utf8)).arrayValue?.compactMap {
            $0["vendor"]?.stringValue
        }
        #expect(names == KnownVendors.names + ["own"])
        let chosen = try await ownctl(["choose", "--need", "accounts", "--need", "alias"])
        #expect(chosen.output.contains("own: meets everything"), "\(chosen)")
        #expect(try await ownctl(["--help"]).output.contains("PUSHBRIDGE_OWN_APP_KEY\n"))
        let missing = try await ownctl(["tags", "get", "d", "--vendor", "own"])
        #expect(missing.status == 78 && missing.errors.contains("PUSHBRIDGE_OWN_APP_KEY"), "\(missing)")
        let explained = try await ownctl(
            ["explain", "--vendor", "own", "--message", "-", "--to", "everyone"],
            input: #"{"notification": {"body": "Hello"}}"#)
        #expect(explained.output.contains("https://push.own.example/v1/messages"), "\(explained)")
        let behavior = try await ownctl(["conformance", "own", "--only", "behavior.tags"])
        #expect(behavior.status == 0, "\(behavior)")
    }

    @Test("a phone maker without an adapter is named, with the vendors that reach its phones")
    func maker() async throws {
        let chosen = try await ownctl(["choose", "--platform", "meizu=30", "--platform", "huawei=70"])
        let warning = "meizu (30 %): no adapter for the maker's own service; only through own"
        #expect(chosen.output.split(separator: "\n").last.map(String.init) == warning, "\(chosen)")
    }

    @Test("its simulator runs, and a client of the settings sends to it")
    func simulated() async throws {
        let simulator = try Program(
            Program.folder.appending(path: "ownctl").path,
            ["simulate", "own", "--app-key", "own-key", "--device", "phone-1:ios", "--with-parent"])
        defer { simulator.send(signal: SIGTERM) }
        let line = try #require(try await simulator.firstLine())
        let fields = try JSONValue(parsing: Array(line.utf8))
        let settings = [
            "PUSHBRIDGE_VENDOR": "own", "PUSHBRIDGE_OWN_APP_KEY": "own-key",
            "PUSHBRIDGE_OWN_ORIGIN": fields["own"]?.stringValue ?? "",
            "PUSHBRIDGE_CA_FILE": fields["caFile"]?.stringValue ?? "",
        ]
        #expect(try await ownctl(["tags", "add", "phone-1", "vip"], settings).output.contains("added vip"))
        let sent = try await ownctl(
            ["send", "--message", "-", "--to", "tags:vip"], settings, input: #"{"notification": {"body": "Hello"}}"#)
        #expect(sent.status == 0 && sent.output.contains("accepted"), "\(sent)")
    }
}
