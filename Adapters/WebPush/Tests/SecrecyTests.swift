import FoundationEssentials
import PushAdapter
import PushCrypto
import PushWebPush
import TestSupport
import Testing

@Suite("Web Push secrets")
struct SecrecyTests {
    private static let endpoint = "https://fcm.googleapis.com/fcm/send/CAPABILITY77"
    private static let words = [
        "CAPABILITY77", Browser.p256dh, Browser.auth, Ferry.number, "PLAINTEXT",
    ]

    /// Every way in which a log or a crash text shows a value.
    private func texts(_ value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return ["\(value)", String(reflecting: value), dumped]
    }

    private func expectQuiet(_ value: Any, beside words: [String] = [], at place: SourceLocation = #_sourceLocation) {
        for text in texts(value) {
            for word in Self.words + words { #expect(!text.contains(word), "\(text)", sourceLocation: place) }
        }
    }

    @Test("no text about a subscription, a key, a request or a token has anything secret")
    func descriptions() throws {
        let webPush = try Ferry.webPush()
        let subscription = try Browser.subscription(Self.endpoint)
        expectQuiet(subscription)
        #expect("\(subscription)" == "a subscription at https://fcm.googleapis.com")
        expectQuiet(try Ferry.key())
        let message = Message(notification: Notification(title: "PLAINTEXT", body: "PLAINTEXT"))
        let exchange = try webPush.exchange(message, to: Self.endpoint)
        expectQuiet(exchange.request)
        expectQuiet(exchange.call.inputs)
        #expect(exchange.request.route == "/{}")
        let minting = try #require(webPush.roles.tokens)
        guard case .made(let token) = try minting.mint(exchange.credential, Ferry.now) else { return }
        expectQuiet(token, beside: [token.value.withBytes { String(decoding: $0, as: UTF8.self) }])
    }

    @Test("a digest of the address is for logs")
    func hash() throws {
        #expect(try Browser.subscription(Ferry.google).endpointHash == "2a1383222801d4f9")
    }

    @Test("no error repeats a service's answer")
    func echoes() throws {
        let webPush = try Ferry.webPush()
        let exchange = try webPush.exchange(.shown, to: Self.endpoint)
        let echo = "\(Self.endpoint) \(Browser.p256dh) \(Browser.auth) PLAINTEXT"
        for status in [400, 401, 403, 404, 410, 413, 429, 500, 503] {
            let response = WireResponse(status, echo, [("X-WNS-Error-Description", echo), ("X-WNS-Status", echo)])
            let error = try #require(webPush.diagnose(response, to: exchange.call))
            expectQuiet(error)
        }
    }

    @Test("no refusal repeats the subscription")
    func refusals() throws {
        let strict = try WebPush(WebPushKey.generate(), subject: Ferry.subject)
        let refuse = try #require(strict.roles.refusal)
        for endpoint in [Self.endpoint, "https://other.org/CAPABILITY77", "http://127.0.0.1/CAPABILITY77"] {
            let device = try Browser.subscription(endpoint).deviceID
            expectQuiet(try #require(refuse(.device(device))))
            expectQuiet(try #require(refuse(.device(DeviceID(device.rawValue + " ")))))
        }
    }
}
