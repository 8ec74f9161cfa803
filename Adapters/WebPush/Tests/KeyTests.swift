import Foundation
import PushAdapter
import PushCrypto
import PushWebPush
import TestSupport
import Testing

@Suite("Web Push server keys")
struct KeyTests {
    private static let spellings = [
        Ferry.number, Ferry.number + "=", Ferry.number + "\n",
        Ferry.number.replacing("-", with: "+").replacing("_", with: "/"),
    ]

    @Test("a private number in each spelling gives the public half and the id", arguments: spellings)
    func numbers(text: String) throws {
        let key = try WebPushKey(Secret(text), publicKey: Ferry.point)
        #expect(key.publicKey == Ferry.point && key.id == Ferry.keyID)
    }

    @Test("a number whose leading zero was left out is padded: 1 is the key of the base point")
    func leadingZero() throws {
        let short = Base64URL.encode(Array(repeating: 0, count: 30) + [1])
        let key = try WebPushKey(Secret(short))
        #expect(
            key.publicKey == "BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU")
        #expect(key.id == "698bea63dc44a344")
    }

    @Test("PEM, also from a file, gives the same key")
    func pem() throws {
        let key = try WebPushKey.generate()
        #expect(try WebPushKey(key.privateKey, publicKey: key.publicKey).id == key.id)
        let path = FileManager.default.temporaryDirectory.appending(path: "vapid-\(UUID().uuidString).pem")
        defer { try? FileManager.default.removeItem(at: path) }
        try key.privateKey.withBytes { Data($0) }.write(to: path)
        #expect(try WebPushKey(path: path.path).id == key.id)
        expectThrows(.error(.misconfigured, naming: "/nowhere/vapid.pem")) {
            try WebPushKey(path: "/nowhere/vapid.pem")
        }
    }

    private static let refused = [
        "", "*", "abc", Ferry.point, Base64URL.encode(Array(repeating: 1, count: 30)),
        Base64URL.encode(Array(repeating: 1, count: 33)), Base64URL.encode(Array(repeating: 0, count: 32)),
        Base64URL.encode(Array(repeating: 255, count: 32)), "-----",
    ]

    @Test("a text that is no key is refused, and the error repeats nothing of it", arguments: refused)
    func refusals(text: String) {
        let error = expectThrows(.error(.misconfigured, naming: "VAPID key")) { try WebPushKey(Secret(text)) }
        #expect(text.utf8.count < 8 || error?.description.contains(text) == false)
    }

    @Test("an RSA key is refused")
    func rsa() throws {
        let pem = try SigningKey.generate(.rs256).privateKey
        expectThrows(.error(.misconfigured, naming: "P-256")) { try WebPushKey(pem) }
    }

    @Test("a public key of another pair is refused", arguments: [Browser.p256dh, "", "*", "abc"])
    func publicKeys(text: String) {
        expectThrows(.error(.misconfigured, naming: Ferry.keyID)) {
            try WebPushKey(Secret(Ferry.number), publicKey: text)
        }
    }

    private static let subjects = [
        "mailto:push@ferries.example.com", "mailto:a+b@x.org", "https://example.com", "https://example.com/contact?a=b",
        "https://example.com:8443/", "mailto:a@xn--fhre-loa.de",
    ]

    @Test("a real address may be the subject", arguments: subjects)
    func goodSubjects(subject: String) throws {
        #expect(try WebPush(Ferry.key(), subject: subject).subject == subject)
    }

    private static let badSubjects = [
        "", "push@example.com", "http://example.com", "tel:1", "mailto:", "mailto:push", "mailto:@example.com",
        "mailto:a@b@example.com", "mailto:a@localhost", "mailto:a@server", "mailto:a@mail.local", "mailto:a@x.invalid",
        "mailto:a@x.test", "mailto:a@x.example", "mailto:a@x.internal", "mailto:a@127.0.0.1", "mailto: a@example.com",
        "mailto:<a@example.com>", "mailto:a@example.com ", "https://localhost/a", "https://", "https://a.local",
        "https://[::1]/", "mailto:a@ex\u{E4}mple.com", "https://x.localhost:1/", "mailto:a@LOCALHOST",
        "https://example.com/" + String(repeating: "a", count: 240),
    ]

    @Test("a subject that Apple was seen to refuse is refused here", arguments: badSubjects)
    func refusedSubjects(subject: String) {
        expectThrows(.error(.misconfigured, naming: "subject")) { try WebPush(Ferry.key(), subject: subject) }
    }

    @Test("each subscription is signed for with its own key")
    func ring() throws {
        let primary = try WebPushKey.generate()
        let webPush = try WebPush(primary, olderKeys: [Ferry.key()], subject: Ferry.subject)
        #expect(webPush.primaryKey.id == primary.id)
        for id in [primary.id, Ferry.keyID] {
            let device = try WebPushSubscription(json: Browser.json(), vapidKey: id).deviceID
            let exchange = try webPush.send(.shown, to: .devices([device]))
            #expect(exchange.credential == .origin("https://updates.push.services.mozilla.com", key: id))
        }
    }
}
