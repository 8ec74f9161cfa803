import Foundation
import PushCore
import PushFCM
import Testing

@Suite("FCM settings")
struct ConfigurationTests {
    private func make(_ values: [String: ProviderSettings.Value]) throws(PushError) -> FCM {
        try FCM(ProviderSettings(values), dataCenter: FCM.dataCenters.standard)
    }

    @Test("the key may be a text, a file or a machine's; the rest has defaults")
    func sources() throws {
        let text = try Firebase.keyFile()
        let path = FileManager.default.temporaryDirectory.appending(path: "fcm-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: path) }
        try text.withBytes { Data($0) }.write(to: path)
        for values in [["serviceAccount": .secret(text)], ["serviceAccountFile": .text(path.path)]]
            as [[String: ProviderSettings.Value]]
        {
            let fcm = try make(values)
            #expect(fcm.projectID == "shop" && fcm.deviceIDs == .tokens && !fcm.acceptsDuplicates)
        }
        let keyless = try make([
            "keyless": .flag(true), "projectID": .text("shop-2"), "deviceIDs": .text("installations"),
            "topicPrefix": .text("s-"), "acceptsDuplicates": .flag(true),
        ])
        #expect(keyless.projectID == "shop-2" && keyless.deviceIDs == .installations && keyless.acceptsDuplicates)
        #expect(keyless.topicPrefix == "s-")
    }

    @Test("no key, several keys, and a machine without its project are refused")
    func refusals() throws {
        let text = try Firebase.keyFile()
        let cases: [[String: ProviderSettings.Value]] = [
            [:], ["keyless": .flag(false)], ["keyless": .flag(true)],
            ["keyless": .flag(true), "projectID": .text("p"), "serviceAccount": .secret(text)],
            ["serviceAccount": .secret(text), "serviceAccountFile": .text("/x")],
            ["serviceAccountFile": .text("/nowhere/x.json")],
        ]
        for values in cases {
            let error = #expect(throws: PushError.self) { try make(values) }
            #expect(error?.kind == .misconfigured)
        }
    }
}
