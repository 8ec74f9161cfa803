import Foundation
import PushAdapter
import PushCrypto
import PushHarmony
import TestSupport
import Testing

@Suite("HarmonyOS keys and calls")
struct CallTests {
    @Test("a token is signed with PS256, names key, account and audience, and lasts an hour")
    func token() throws {
        let tokens = try #require(try Shop.harmony().roles.tokens)
        guard case .made(let token) = try tokens.mint(.app, Shop.now) else {
            Issue.record("the adapter makes tokens itself")
            return
        }
        let parts = token.value.withBytes { String(decoding: $0, as: UTF8.self) }.split(separator: ".").map(String.init)
        func read(_ part: String) throws -> JSONValue { try JSONValue(parsing: Base64URL.decode(part) ?? []) }
        try #require(parts.count == 3)
        #expect(try read(parts[0]) == ["alg": "PS256", "kid": "k1", "typ": "JWT"])
        let seconds = Int(Shop.now.timeIntervalSince1970)
        let claims: JSONValue = [
            "iss": "1042", "aud": "https://oauth-login.cloud.huawei.com/oauth2/v3/token",
            "iat": JSONValue(integerLiteral: seconds), "exp": JSONValue(integerLiteral: seconds + 3600),
        ]
        #expect(try read(parts[1]) == claims)
        let signed = Array((parts[0] + "." + parts[1]).utf8)
        #expect(try Shop.verifyingKey().accepts(Base64URL.decode(parts[2]) ?? [], of: signed))
        #expect(token.expiresAt == Shop.now.addingTimeInterval(3600))
    }

    @Test("a broken key file is refused by the name of its field, without its contents")
    func files() throws {
        for field in ["project_id", "key_id", "private_key", "sub_account"] {
            let file = try Shop.file([field: ""])
            expectThrows(.error(.misconfigured, naming: field)) { try HuaweiServiceAccount(json: file) }
        }
        #expect(throws: PushError.self) { try HuaweiServiceAccount(json: Secret("no JSON")) }
        let account = try HuaweiServiceAccount(json: Shop.file())
        #expect("\(account)" == "a service account of the project 3884218")
        let path = try Shop.file(["project_id": "a/b"])
        #expect(throws: PushError.self) { try Harmony(HuaweiServiceAccount(json: path)) }
    }

    @Test("a configuration names one key, and sets what the console says")
    func configuration() throws {
        let file = try Shop.file()
        func make(_ values: [String: ProviderSettings.Value]) throws -> Harmony {
            try Harmony(ProviderSettings(values), dataCenter: Harmony.dataCenters.standard)
        }
        let harmony = try make([
            "serviceAccount": .secret(file), "clientID": .text("1042"), "defaultTitle": .text("Shop"),
            "trustsInference": .flag(false),
        ])
        #expect(harmony.clientID == "1042" && harmony.defaultTitle == "Shop" && !harmony.trustsInference)
        #expect(throws: PushError.self) { try make([:]) }
        #expect(throws: PushError.self) {
            try make(["serviceAccount": .secret(file), "serviceAccountFile": .text("a")])
        }
    }

    @Test("a recall has the client id in its path, and the id of the notification")
    func recall() throws {
        let exchange = try Shop.harmony().recall(notifyID: 7, on: [Shop.device(0), Shop.device(1)])
        #expect(try exchange.request.target() == "/v1/1042/messages:revoke")
        #expect(Shop.pushType(exchange.request) == "0" && exchange.idempotency == .idempotent)
        #expect(try exchange.request.json() == ["notifyId": 7, "token": ["token-0", "token-1"]])
        #expect(Shop.pushType(try Shop.harmony().recall(notifyID: 7, on: [], speaks: true).request) == "2")
        #expect(throws: PushError.self) { try Shop.harmony().recall(notifyID: -1, on: [Shop.device(0)]) }
        let without = try Harmony(HuaweiServiceAccount(json: Shop.file()))
        #expect(throws: PushError.self) { try without.recall(notifyID: 7, on: [Shop.device(0)]) }
    }

    @Test("a form is updated on one device, and what it cannot have is refused")
    func form() throws {
        var form = HarmonyForm(
            formID: 42, version: 3, moduleName: "entry", formName: "card", abilityName: "Card", data: ["eta": "9"],
            image: .init(keyName: "map", url: "https://shop.example/a.png", isRequired: true))
        let exchange = try Shop.harmony().update(form, on: Shop.device(0))
        #expect(Shop.pushType(exchange.request) == "1" && exchange.idempotency == .idempotent)
        #expect(
            try exchange.request.json() == [
                "payload": [
                    "formId": 42, "version": 3, "moduleName": "entry", "formName": "card", "abilityName": "Card",
                    "formData": ["eta": "9"],
                    "images": [["keyName": "map", "url": "https://shop.example/a.png", "require": 1]],
                ], "target": ["token": ["token-0"]],
            ])
        form.image?.url = "https://shop.example/a.gif"
        #expect(throws: PushError.self) { try Shop.harmony().update(form, on: Shop.device(0)) }
        form.image = nil
        form.data["eta"] = .null
        #expect(throws: PushError.self) { try Shop.harmony().update(form, on: Shop.device(0)) }
    }
}
