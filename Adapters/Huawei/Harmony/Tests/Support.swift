import FoundationEssentials
import PushAdapter
import PushCrypto
import PushHarmony
import TestSupport

/// The adapter of a shop's app, and the requests that it writes.
enum Shop {
    static let now = Date(timeIntervalSince1970: 1_795_165_200)
    /// One key for all tests.
    private static let key = Result { try SigningKey.generate(.ps256) }

    static func verifyingKey() throws -> VerifyingKey { try key.get().verifyingKey }

    /// The JSON file of the service account.
    static func file(_ changes: [String: JSONValue] = [:]) throws -> Secret {
        let pem = try key.get().privateKey.withBytes { String(decoding: $0, as: UTF8.self) }
        let fields: [String: JSONValue] = [
            "project_id": "3884218", "key_id": "k1", "private_key": .string(pem), "sub_account": "1042",
        ]
        return Secret(JSONWriter.bytes(of: .object(fields.merging(changes) { $1 })))
    }

    static func harmony(_ edit: (inout Harmony) -> Void = { _ in }) throws -> Harmony {
        var harmony = try Harmony(HuaweiServiceAccount(json: file()), clientID: "1042")
        harmony.defaultTitle = "Shop"
        edit(&harmony)
        return harmony
    }

    static func device(_ number: Int) -> DeviceID { DeviceID("token-\(number)") }

    static func devices(_ count: Int) -> Audience { .devices((0..<count).map(device)) }

    /// A message from its JSON form, with options of HarmonyOS.
    static func message(_ json: JSONValue, options: JSONValue? = nil) throws -> Message {
        try Message(json, options: options, of: "harmony")
    }

    static func pushType(_ request: WireRequest) -> String? {
        HTTPField.Name("push-type").flatMap { request.headers[$0] }
    }

    static func key(_ text: String) -> IdempotencyKey {
        IdempotencyKey(text, kind: .push, mintedAt: now, expiresAt: now.addingTimeInterval(86_400))
    }
}
