import Foundation
import PushAdapter
import PushConformance
import TestSupport
import Testing
import VendorRegistry

@Suite("pushctl simulate")
struct SimulateCommandTests {
    private static let program = Program.folder.appending(path: "pushctl").path
    private static let message =
        #"{"notification": {"title": "商城", "body": "订单已发货"}, "class": {"intent": "service", "category": "subscription"}}"#

    @Test("a client of the settings that it prints sends to the device", arguments: KnownVendors.names)
    func settings(vendor: String) async throws {
        let harness = try #require(KnownVendors.all.first { $0.provider.id.rawValue == vendor })
        let (app, device) = (harness.sampleApp, harness.device(1))
        let secret = app.secret.map { ["--master-secret", $0] } ?? []
        let simulator = try Program(
            Self.program,
            [
                "simulate", vendor, "--with-parent", "--app-key", app.key, "--device",
                "\(device.id):\(device.platform)",
            ] + secret)
        defer { simulator.send(signal: SIGTERM) }
        let line = try #require(try await simulator.firstLine())
        let fields = try JSONValue(parsing: Array(line.utf8))
        #expect(app.secret.map { !line.contains($0) } ?? true)
        var own = ["origin": fields["origin"] ?? ""]
        for setting in harness.provider.settings {
            own[setting.name] = fields[setting.name]
            if setting.form == .secret, setting.isRequired { own[setting.name] = app.secret.map(JSONValue.string) }
        }
        let config: JSONValue = [
            "vendor": .string(vendor), "caFile": fields["caFile"] ?? "", vendor: .object(own),
        ]
        let file = FileManager.default.temporaryDirectory.appending(path: "pushbridge-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(JSONWriter.bytes(of: config)).write(to: file)
        let id = fields["devices"]?[device.id]?.stringValue ?? device.id
        let sent = try await Program.run(
            Self.program, ["send", "--config", file.path, "--message", "-", "--to", "devices:\(id)", "--json"],
            input: Self.message)
        #expect(sent.status == 0, "\(sent)")
        #expect(try JSONValue(parsing: Array(sent.output.utf8))["accepted"] == 1)
    }
}
