package import PushAdapter

/// Encrypts messages for one subscription of Web Push (RFC 8291).
///
/// Each message gets a key pair and a salt of its own.
package struct WebPushEncryption: Sendable {
    private let receiver: P256PublicKey
    private let auth: Secret
    /// The longest body that the push service takes. Every service takes 4,096 bytes (RFC 8030, section 7.2).
    package var longestBody = usualBody

    /// - Parameters:
    ///   - p256dh: the subscription's public key, an uncompressed point of 65 bytes.
    ///   - auth: the subscription's authentication secret, 16 bytes.
    ///
    /// Refuses with `invalidArgument` keys of another length and a point that is not on the curve P-256.
    package init(p256dh: [UInt8], auth: Secret) throws(PushError) {
        receiver = try P256PublicKey(p256dh, named: "p256dh")
        self.auth = try WebPushKeys.checked(auth)
    }

    private static let usualBody = 4096
    /// The longest text with its padding that every service takes.
    package static let maximumSize = maximumSize(ofBody: usualBody)

    /// The longest text with its padding in a body: 86 bytes are the header, and 17 belong to the record (RFC 8291,
    /// section 4).
    package static func maximumSize(ofBody count: Int) -> Int { count - 86 - ContentEncoding.recordOverhead }

    /// Encrypts a message into the body of a request. Refuses with `tooLong` one that does not fit into `longestBody`
    /// with its padding.
    /// - Parameters:
    ///   - text: the message; may be empty.
    ///   - padding: the number of zero bytes that hide the length of the message.
    package func encrypt(_ text: [UInt8], padding: Int = 0) throws(PushError) -> [UInt8] {
        try check(text.count, padding)
        let salt = try SecureRandom.bytes(ContentEncoding.Header.saltSize)
        return try encrypt(text, padding: padding, from: try P256PrivateKey(), salt: salt)
    }

    /// The same with a chosen key pair and salt, for published examples. Both must be new for each message.
    package func encrypt(
        _ text: [UInt8], padding: Int = 0, from sender: P256PrivateKey, salt: [UInt8]
    ) throws(PushError) -> [UInt8] {
        try check(text.count, padding)
        let material = try WebPushKeys.material(
            from: try sender.sharedSecret(with: receiver), auth: auth,
            purpose: WebPushKeys.purpose(receiver: receiver.bytes, sender: sender.publicKey))
        let recordSize = text.count + padding > Self.maximumSize ? longestBody : Self.usualBody
        let header = try ContentEncoding.Header(salt: salt, recordSize: recordSize, keyID: sender.publicKey)
        return try ContentEncoding.encrypt(text, header: header, by: material, padding: padding)
    }

    private func check(_ count: Int, _ padding: Int) throws(PushError) {
        let most = Self.maximumSize(ofBody: longestBody)
        guard count <= most, padding <= most - count else {
            throw PushError(
                .tooLong,
                "the message has \(count) bytes and \(padding) of padding; the push service takes \(most), which an "
                    + "encrypted body of \(longestBody) bytes carries (RFC 8291, section 4)")
        }
    }
}

extension WebPushEncryption: CustomStringConvertible, CustomReflectable {
    package var description: String { "the encryption for a subscription" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
