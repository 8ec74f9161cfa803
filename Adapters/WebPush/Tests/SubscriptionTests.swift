import FoundationEssentials
import PushAdapter
import PushCrypto
import PushWebPush
import TestSupport
import Testing

@Suite("Web Push subscriptions")
struct SubscriptionTests {
    private static let canonical =
        #"{"endpoint":"\#(Ferry.mozilla)","keys":{"p256dh":"\#(Browser.p256dh)","auth":"\#(Browser.auth)"},"#
        + #""vapid":"\#(Ferry.keyID)"}"#

    private static let spellings: [String] = [
        Browser.json(),
        Browser.json(p256dh: Browser.p256dh + "=", auth: Browser.auth + "=="),
        Browser.json(
            p256dh: Browser.p256dh.replacing("-", with: "+").replacing("_", with: "/"),
            auth: Browser.auth.replacing("_", with: "/")),
        Browser.json(more: #","later":[1]"#),
        Browser.json(more: #","vapid":"\#(Ferry.keyID)""#),
        canonical,
    ]

    @Test("every spelling of a subscription is one target", arguments: spellings)
    func canonicalForm(json: String) throws {
        let subscription = try WebPushSubscription(json: json, vapidKey: Ferry.keyID)
        #expect(subscription.deviceID.rawValue == Self.canonical)
        #expect(try WebPushSubscription(subscription.deviceID) == subscription)
        #expect(try WebPushSubscription(json: Array(json.utf8), vapidKey: Ferry.keyID) == subscription)
        #expect(subscription.origin == "https://updates.push.services.mozilla.com")
    }

    @Test("the address is kept byte for byte")
    func address() throws {
        let subscription = try Browser.subscription(Ferry.microsoft)
        #expect(subscription.endpoint == Ferry.microsoft)
        #expect(try WebPushSubscription(subscription.deviceID).endpoint == Ferry.microsoft)
    }

    @Test("new keys at the same address are another target")
    func renewal() throws {
        let keys = try WebPushDecryption()
        let renewed = try WebPushSubscription(
            endpoint: Ferry.mozilla, p256dh: Base64URL.encode(keys.p256dh),
            auth: keys.auth.withBytes { Base64URL.encode(Array($0)) }, vapidKey: Ferry.keyID)
        let old = try Browser.subscription()
        #expect(renewed != old && renewed.endpointHash == old.endpointHash)
    }

    @Test("the end of a subscription is read from milliseconds, and is no part of the target")
    func end() throws {
        let json = Browser.json().replacing("null", with: "1795750000500")
        let subscription = try WebPushSubscription(json: json, vapidKey: Ferry.keyID)
        #expect(subscription.expirationTime == Ferry.now.addingTimeInterval(0.5))
        #expect(subscription == (try Browser.subscription()))
        #expect(try Browser.subscription().expirationTime == nil)
    }

    private static func encoded(_ change: (inout [UInt8]) -> Void) -> String {
        var bytes = Base64URL.decode(Browser.p256dh) ?? []
        change(&bytes)
        return Base64URL.encode(bytes)
    }

    private static let refused: [(json: String, word: String)] = [
        ("", "not JSON"), ("[]", "not JSON"), ("{", "not JSON"), (#"{"endpoint":"https://a.b"}"#, "not JSON"),
        (Browser.json().replacing(#""auth""#, with: #""other""#), "not JSON"),
        (Browser.json().replacing(#""endpoint""#, with: #""address""#), "not JSON"),
        (Browser.json(p256dh: encoded { $0.removeLast() }), "p256dh"),
        (Browser.json(p256dh: encoded { $0.append(0) }), "p256dh"),
        (Browser.json(p256dh: encoded { $0 = [2] + $0[1...32] }), "p256dh"),
        (Browser.json(p256dh: encoded { $0[0] = 6 }), "p256dh"),
        (Browser.json(p256dh: encoded { $0[0] = 7 }), "p256dh"),
        (Browser.json(p256dh: encoded { $0[64] ^= 1 }), "p256dh"),
        (Browser.json(p256dh: encoded { $0 = [4] + Array(repeating: 0, count: 64) }), "p256dh"),
        (Browser.json(p256dh: "*"), "base64"), (Browser.json(p256dh: Browser.p256dh + "==="), "base64"),
        (Browser.json(p256dh: ""), "p256dh"), (Browser.json(auth: ""), "auth"),
        (Browser.json(auth: Base64URL.encode(Array(repeating: 1, count: 15))), "auth"),
        (Browser.json(auth: Base64URL.encode(Array(repeating: 1, count: 17))), "auth"),
        (Browser.json(auth: "a b"), "base64"),
        (Browser.json("/relative"), "absolute"), (Browser.json("ftp://a.b/c"), "absolute"),
        (Browser.json("https://u:p@a.b/c"), "absolute"), (Browser.json("https://a.b/c#d"), "absolute"),
        (Browser.json("https://A.b/c"), "absolute"), (Browser.json("https://a.b/c d"), "absolute"),
        (Browser.json("https://a.b/" + String(repeating: "c", count: 2037)), "2048"),
        (Browser.json(more: #","vapid":"0000000000000000""#), "server key"),
    ]

    @Test(
        "a subscription that cannot be used is refused at registration, and the refusal repeats nothing",
        arguments: refused)
    func refusals(json: String, word: String) {
        let error = expectThrows(.error(.invalidArgument, effect: .notApplied, naming: word)) {
            try WebPushSubscription(json: json, vapidKey: Ferry.keyID)
        }
        for secret in [Browser.p256dh, Browser.auth, "gAAAAAB", "u:p"] {
            #expect(error?.description.contains(secret) == false)
        }
    }

    @Test("an endpoint of 2,048 bytes is the longest")
    func longest() throws {
        let endpoint = "https://a.b/" + String(repeating: "c", count: 2036)
        #expect(try Browser.subscription(endpoint).endpoint.utf8.count == 2048)
        #expect(try Browser.subscription(endpoint).deviceID.rawValue.utf8.count < 4096)
    }

    @Test(
        "a subscription needs the id of a server key",
        arguments: ["", "f9160ea610949fe", "F9160EA610949FE6", Ferry.point])
    func keyIDs(id: String) {
        expectThrows(.error(.invalidArgument, naming: "server key")) {
            try WebPushSubscription(json: Browser.json(), vapidKey: id)
        }
        expectThrows(.error(.invalidArgument, naming: "server key")) { try WebPushSubscription(json: Browser.json()) }
    }

    private static let otherForms = [
        Browser.json(more: #","vapid":"\#(Ferry.keyID)""#), " " + canonical,
        canonical.replacing(Browser.auth, with: Browser.auth + "=="), "7c1e0000", "",
    ]

    @Test("a device id has the canonical form only", arguments: otherForms)
    func deviceIDs(text: String) {
        expectThrows(.error(.invalidArgument)) { try WebPushSubscription(DeviceID(text)) }
    }

    @Test("the adapter registers a subscription with the primary key, or with one that it has")
    func registration() throws {
        let (old, new) = (try Ferry.key(), try WebPushKey.generate())
        let webPush = try WebPush(new, olderKeys: [old], subject: Ferry.subject)
        #expect(try webPush.subscription(from: Browser.json()).vapidKey == new.id)
        #expect(try webPush.subscription(from: Browser.json(), vapidKey: old.id).vapidKey == old.id)
        let foreign = try WebPushKey.generate()
        expectThrows(.error(.invalidArgument, naming: foreign.id)) {
            try webPush.subscription(from: Browser.json(), vapidKey: foreign.id)
        }
        expectThrows(.error(.invalidArgument, naming: "push.somewhere.org")) {
            try webPush.subscription(from: Browser.json(Ferry.unifiedPush))
        }
    }
}
