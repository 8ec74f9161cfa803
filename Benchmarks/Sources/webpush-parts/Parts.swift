import PushAdapter
import PushCrypto
import PushWebPush

extension Part {
    /// The parts in the order of a push, and then the whole encryption.
    static func all() throws(PushError) -> [Part] {
        let browser = try WebPushDecryption()
        return [try subscription(browser), try point(browser)] + (try keys(browser)) + (try ciphers())
            + [try encryption(browser), try token()]
    }

    /// About the length of a notification's JSON.
    private static let text = [UInt8](repeating: 0x61, count: 300)
    private static let salt = [UInt8](repeating: 7, count: 16)

    /// From a target's text, with the check of its point.
    private static func subscription(_ browser: WebPushDecryption) throws(PushError) -> Part {
        let subscription = try WebPushSubscription(
            endpoint: "https://updates.push.services.mozilla.com/wpush/v2/" + String(repeating: "g", count: 180),
            p256dh: Base64URL.encode(browser.p256dh), auth: browser.auth.withBytes { Base64URL.encode(Array($0)) },
            vapidKey: WebPushKey.generate().id)
        let target = subscription.deviceID
        return Part("read a subscription") { () throws(PushError) in _ = try WebPushSubscription(target) }
    }

    private static func point(_ browser: WebPushDecryption) throws(PushError) -> Part {
        let point = browser.p256dh
        return Part("of that, the point on P-256") { () throws(PushError) in
            _ = try P256PublicKey(point, named: "p256dh")
        }
    }

    private static func keys(_ browser: WebPushDecryption) throws(PushError) -> [Part] {
        let (sender, receiver) = (try P256PrivateKey(), try P256PublicKey(browser.p256dh, named: "p256dh"))
        let secret = try sender.sharedSecret(with: receiver)
        let purpose = WebPushKeys.purpose(receiver: receiver.bytes, sender: sender.publicKey)
        return [
            Part("make a key pair") { () throws(PushError) in _ = try P256PrivateKey() },
            Part("ECDH") { () throws(PushError) in _ = try sender.sharedSecret(with: receiver) },
            Part("HKDF, from the secret to key and nonce") { () throws(PushError) in
                let material = try WebPushKeys.material(from: secret, auth: browser.auth, purpose: purpose)
                _ = try ContentKeys(from: material, salt: salt)
            },
        ]
    }

    private static func ciphers() throws(PushError) -> [Part] {
        let keys = try ContentKeys(from: Secret(salt), salt: salt)
        return [
            Part("AES-128-GCM of 300 bytes") { () throws(PushError) in
                var bytes = text
                try AES128GCM(key: keys.key).seal(&bytes, nonce: keys.nonce)
            }
        ]
    }

    private static func encryption(_ browser: WebPushDecryption) throws(PushError) -> Part {
        let encryption = try WebPushEncryption(p256dh: browser.p256dh, auth: browser.auth)
        return Part("the whole encryption of 300 bytes") { () throws(PushError) in _ = try encryption.encrypt(text) }
    }

    /// Once for an origin and six hours, not for each push.
    private static func token() throws(PushError) -> Part {
        let key = try SigningKey.generate(.es256)
        return Part("sign a token, once in six hours") { () throws(PushError) in
            _ = try WebToken.signed(
                ["aud": "https://push.example.com", "exp": 1_800_000_000, "sub": "mailto:push@example.com"],
                header: ["typ": "JWT"], by: key)
        }
    }
}
