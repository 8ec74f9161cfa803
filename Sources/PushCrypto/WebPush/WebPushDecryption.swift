package import PushAdapter

/// Decrypts the messages of one subscription of Web Push, as a browser does (RFC 8291).
package struct WebPushDecryption: Sendable {
    private let receiver: P256PrivateKey
    /// The subscription's authentication secret, 16 bytes.
    package let auth: Secret

    /// The keys of a new subscription.
    package init() throws(PushError) {
        receiver = try P256PrivateKey()
        auth = try SecureRandom.secret(WebPushKeys.authSize)
    }

    /// The keys of a known subscription. Refuses with `invalidArgument` a secret that does not have 16 bytes.
    package init(_ receiver: P256PrivateKey, auth: Secret) throws(PushError) {
        self.receiver = receiver
        self.auth = try WebPushKeys.checked(auth)
    }

    /// The subscription's public key, an uncompressed point of 65 bytes.
    package var p256dh: [UInt8] { receiver.publicKey }

    /// Decrypts the body of a request.
    ///
    /// Refuses with `invalidArgument` a sender's key that is not on the curve P-256, more than one record, a record that
    /// is not shorter than the record size (section 4), and what ``ContentEncoding/decrypt(_:by:)`` refuses.
    package func decrypt(_ body: [UInt8]) throws(PushError) -> [UInt8] {
        try ContentEncoding.decrypt(body) { header throws(PushError) in
            try material(for: header, recordSize: body.count - header.count)
        }
    }

    private func material(for header: ContentEncoding.Header, recordSize: Int) throws(PushError) -> Secret {
        guard recordSize < header.recordSize else {
            throw PushError(
                .invalidArgument,
                "the body must have one record, shorter than its record size (RFC 8291, section 4); after the header "
                    + "it has \(recordSize) bytes, and the record size is \(header.recordSize)")
        }
        let sender = try P256PublicKey(header.keyID, named: "the sender's key in the header")
        return try WebPushKeys.material(
            from: try receiver.sharedSecret(with: sender), auth: auth,
            purpose: WebPushKeys.purpose(receiver: receiver.publicKey, sender: sender.bytes))
    }
}

extension WebPushDecryption: CustomStringConvertible, CustomReflectable {
    package var description: String { "the private keys of a subscription" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
