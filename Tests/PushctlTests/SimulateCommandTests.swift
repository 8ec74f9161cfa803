import Foundation
import PushAdapter
import PushConformance
import PushSimulation
import TestSupport
import Testing
import VendorRegistry

@Suite("pushctl simulate")
struct SimulateCommandTests {
    private static let program = Program.folder.appending(path: "pushctl").path
    /// A text of a person, with a class, as phone makers want it.
    private static let message = """
        {
            "notification": {"title": "商城", "body": "您的订单已发货"},
            "class": {"intent": "service", "category": "subscription"}
        }
        """

    @Test("a client of the settings that it prints sends to the device", arguments: KnownVendors.names)
    func settings(vendor: String) async throws {
        let harness = try #require(KnownVendors.all.first { $0.provider.id.rawValue == vendor })
        let (app, device) = (harness.sampleApp, harness.device(1))
        let (key, installation) = (["--app-key", app.key], ["--device", "\(device.id):\(device.platform)"])
        let secret = app.secret.map { ["--master-secret", $0] } ?? []
        let simulator = try Program(
            Self.program, ["simulate", vendor, "--with-parent"] + key + secret + installation)
        defer { simulator.send(signal: SIGTERM) }
        let line = try #require(try await simulator.firstLine())
        #expect(app.secret.map { !line.contains($0) } ?? true)

        let printed = try JSONValue(parsing: Array(line.utf8))
        let folder = FileManager.default.temporaryDirectory.appending(path: "pushbridge-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (config, list) = (folder.appending(path: "push.json"), folder.appending(path: "devices.txt"))
        try Data(JSONWriter.bytes(of: Self.configuration(printed, harness))).write(to: config)
        // A browser has an id of its own.
        try Data((printed["devices"]?[device.id]?.stringValue ?? device.id).utf8).write(to: list)
        let sent = try await Program.run(
            Self.program,
            ["send", "--config", config.path, "--message", "-", "--to", "devices:@\(list.path)", "--json"],
            input: Self.message)
        #expect(sent.status == 0, "\(sent)")
        #expect(try JSONValue(parsing: Array(sent.output.utf8))["accepted"] == 1)
    }

    /// The printed settings, and the secrets, which are not printed.
    private static func configuration(
        _ printed: JSONValue, _ harness: any RegisteredVendor
    ) throws -> JSONValue {
        let all = try harness.makeSimulators(of: harness.sampleApp).settings
        var own = ["origin": printed["origin"] ?? .null]
        for setting in harness.provider.settings {
            let text = setting.form == .secret ? all[setting.name] : printed[setting.name]?.stringValue
            own[setting.name] = text.map { value(of: $0, setting.form) }
        }
        let vendor = harness.provider.id.rawValue
        return .object(["vendor": .string(vendor), "caFile": printed["caFile"] ?? .null, vendor: .object(own)])
    }

    private static func value(of text: String, _ form: ProviderSetting.Form) -> JSONValue {
        switch form {
        case .integer: Int(text).map { JSONValue($0) } ?? .string(text)
        case .texts: .array(text.split(separator: ",").map { .string(String($0)) })
        default: .string(text)
        }
    }
}
