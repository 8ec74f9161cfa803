package import PushAdapter

/// Encrypts messages for one subscription of Web Push (RFC 8291).
///
/// Each message gets a key pair and a salt of its own.
package struct WebPushEncryption: Sendable {
    private let receiver: P256PublicKey
    private let auth: Secret

    /// - Parameters:
    ///   - p256dh: the subscription's public key, an uncompressed point of 65 bytes.
    ///   - auth: the subscription's authentication secret, 16 bytes.
    ///
    /// Refuses with `invalidArgument` keys of another length and a point that is not on the curve P-256.
    package init(p256dh: [UInt8], auth: Secret) throws(PushError) {
        receiver = try P256PublicKey(p256dh, named: "p256dh")
        self.auth = try WebPushKeys.checked(auth)
    }

    /// The longest text with its padding: a body has at most 4,096 bytes, 86 of the header and 17 of the record (RFC
    /// 8291, section 4).
    package static let maximumSize = 4096 - 86 - ContentEncoding.recordOverhead

    /// Encrypts a message into the body of a request. Refuses with `tooLong` one of more than `maximumSize` bytes with
    /// its padding.
    /// - Parameters:
    ///   - text: the message; may be empty.
    ///   - padding: the number of zero bytes that hide the length of the message.
    package func encrypt(_ text: [UInt8], padding: Int = 0) throws(PushError) -> [UInt8] {
        try Self.check(text.count, padding)
        let salt = try SecureRandom.bytes(ContentEncoding.Header.saltSize)
        return try encrypt(text, padding: padding, from: try P256PrivateKey(), salt: salt)
    }

    /// The same with a chosen key pair and salt, for published examples. Both must be new for each message.
    package func encrypt(
        _ text: [UInt8], padding: Int = 0, from sender: P256PrivateKey, salt: [UInt8]
    ) throws(PushError) -> [UInt8] {
        try Self.check(text.count, padding)
        let material = try WebPushKeys.material(
            from: try sender.sharedSecret(with: receiver), auth: auth,
            purpose: WebPushKeys.purpose(receiver: receiver.bytes, sender: sender.publicKey))
        let header = try ContentEncoding.Header(salt: salt, recordSize: 4096, keyID: sender.publicKey)
        return try ContentEncoding.encrypt(text, header: header, by: material, padding: padding)
    }

    private static func check(_ count: Int, _ padding: Int) throws(PushError) {
        guard count <= maximumSize, padding <= maximumSize - count else {
            throw PushError(
                .tooLong,
                "the message has \(count) bytes and \(padding) of padding; Web Push carries \(maximumSize) "
                    + "(RFC 8291, section 4)")
        }
    }
}

extension WebPushEncryption: CustomStringConvertible, CustomReflectable {
    package var description: String { "the encryption for a subscription" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
