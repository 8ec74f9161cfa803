import Foundation
import PushAdapter
import PushFCM
import TestSupport
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

    @Test("a service account may begin with a byte-order mark, as a text and as a file")
    func mark() throws {
        let text = try Firebase.keyFile()
        let marked = text.withBytes { [0xEF, 0xBB, 0xBF] + $0 }
        let path = FileManager.default.temporaryDirectory.appending(path: "fcm-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: path) }
        try Data(marked).write(to: path)
        #expect(try make(["serviceAccount": .secret(Secret(marked))]).projectID == "shop")
        #expect(try ServiceAccount(path: path.path).projectID == "shop")
    }

    @Test("the line breaks of the private key may be escaped twice, as a shell leaves them")
    func escapedTwice() throws {
        let json = try Firebase.keyFile().withBytes { String(decoding: $0, as: UTF8.self) }
        let escaped = json.replacing(#"\n"#, with: #"\\n"#)
        #expect(escaped != json)
        #expect(try make(["serviceAccount": .secret(Secret(escaped))]).projectID == "shop")
    }

    @Test("a service account in UTF-16 and a P12 key are named, and nothing of them is repeated")
    func foreign() throws {
        let text = try Firebase.keyFile().withBytes { String(decoding: $0, as: UTF8.self) }
        let utf16: [UInt8] = text.utf16.reduce(into: [0xFE, 0xFF]) { bytes, unit in
            bytes += [UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit)]
        }
        let p12: [UInt8] = [0x30, 0x82, 0x01, 0x7E, 0x02, 0x01, 0x03]
        for (bytes, words) in [(utf16, "UTF-16; save it as UTF-8"), (p12, "make a key of the type JSON")] {
            let error = expectThrows(.error(.misconfigured, naming: words)) { try ServiceAccount(json: Secret(bytes)) }
            #expect(error?.message.contains("PRIVATE") == false)
        }
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
            expectThrows(.error(.misconfigured)) { try make(values) }
        }
    }
}
