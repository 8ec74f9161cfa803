import FoundationEssentials
import PushAdapter
import PushCrypto
import PushWebPush
import TestSupport
import Testing

/// The backend of a ferry line: its server key, its adapter, and one browser that has subscribed.
enum Ferry {
    static let subject = "mailto:push@ferries.example.com"
    static let now = Date(timeIntervalSince1970: 1_795_750_000)
    static let mozilla = "https://updates.push.services.mozilla.com/wpush/v2/gAAAAAB"
    static let google = "https://fcm.googleapis.com/fcm/send/a%2Fb:c?d=e"
    static let apple = "https://web.push.apple.com/QAbC"
    static let microsoft = "https://wns2-par02p.notify.windows.com/w/?token=BQYAAAB%2b%2f"
    static let unifiedPush = "https://push.somewhere.org/upAbCdEf?up=1"

    /// The key pair of the sender in RFC 8291, appendix A.
    static let number = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
    static let point = "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
    static let keyID = "f9160ea610949fe6"

    static func key() throws -> WebPushKey { try WebPushKey(Secret(number)) }

    static func webPush() throws -> WebPush {
        var webPush = try WebPush(key(), subject: subject)
        webPush.allowsAnyPublicHost = true
        return webPush
    }
}

/// A browser: the private half of a subscription.
struct Browser {
    /// The receiver's keys in RFC 8291, appendix A.
    static let number = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
    static let p256dh = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    static let auth = "BTBZMqHH6r4Tts7J_aSIgg"

    static func json(
        _ endpoint: String = Ferry.mozilla, p256dh: String = p256dh, auth: String = auth, more: String = ""
    ) -> String {
        #"{"endpoint":"\#(endpoint)","expirationTime":null,"keys":{"p256dh":"\#(p256dh)","auth":"\#(auth)"}\#(more)}"#
    }

    static func subscription(_ endpoint: String = Ferry.mozilla) throws -> WebPushSubscription {
        try WebPushSubscription(json: json(endpoint), vapidKey: Ferry.keyID)
    }

    /// The text of a request, as the browser decrypts it.
    static func text(_ request: WireRequest) throws -> [UInt8] {
        guard case .bytes(let body, let type) = request.body, type == "application/octet-stream" else {
            throw PushError(.invalidState, "the request has no encrypted body")
        }
        let number = Secret(try #require(Base64URL.decode(number)))
        let keys = try WebPushDecryption(
            P256PrivateKey(number: number, named: "the browser's key"),
            auth: Secret(try #require(Base64URL.decode(auth))))
        return try keys.decrypt(body)
    }

    static func json(_ request: WireRequest) throws -> JSONValue { try JSONValue(parsing: text(request)) }
}

extension WebPush {
    /// The send of a message to the browser, at one of its addresses.
    func exchange(_ message: Message, to endpoint: String = Ferry.mozilla) throws -> Exchange<SendReceipt> {
        let device = try Browser.subscription(endpoint).deviceID
        return try send(message, to: .devices([device]), in: SendContext(at: Ferry.now))
    }
}

extension Message {
    static let shown = Message(notification: Notification(title: "Ferry", body: "Gate 3"))

    /// The message with options.
    func with(_ change: (inout WebPushOptions) -> Void) throws -> Message {
        var (message, options) = (self, WebPushOptions())
        change(&options)
        try message.set(options)
        return message
    }
}

extension WireRequest {
    /// The value of a header field.
    func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
}
