import COpenSSL
package import PushAdapter

/// A private key on the curve P-256 for ECDH. OpenSSL holds it, and wipes it with its last copy.
package struct P256PrivateKey: Sendable {
    /// The public half, 65 bytes: an uncompressed point (SEC 1, section 2.3.3).
    package let publicKey: [UInt8]
    let handle: KeyHandle

    /// A fresh key. Throws `invalidState` when OpenSSL fails.
    package init() throws(PushError) {
        guard let curve = Self.curve, let context = EVP_PKEY_CTX_new_from_pkey(nil, curve.pointer, nil) else {
            throw OpenSSL.failure("could not make a key")
        }
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_keygen(context, &key) == 1, let key else {
            throw OpenSSL.failure("could not make a key")
        }
        try self.init(KeyHandle(key))
    }

    /// The key with a known private number: 32 bytes, the high byte first.
    ///
    /// Refuses with `misconfigured` another length, zero, and a number that is not below the order of the curve.
    /// - Parameter name: the purpose of the key, for the error: `the VAPID key`.
    package init(number: Secret, named name: String) throws(PushError) {
        let key: OpaquePointer? =
            number.count == 32
            ? number.withBytes { pb_p256_private_key($0.bindMemory(to: UInt8.self).baseAddress) } : nil
        guard let key else {
            ERR_clear_error()
            throw PushError(
                .misconfigured,
                "\(name) is no private key on P-256; it must have 32 bytes, a number below the order of the curve")
        }
        try self.init(KeyHandle(key))
    }

    private init(_ handle: KeyHandle) throws(PushError) {
        self.handle = handle
        publicKey = try P256PublicKey.point(of: handle)
    }

    /// The secret that both sides of ECDH can compute: the x coordinate, 32 bytes with its leading zeros (SEC 1, section
    /// 3.3.1). It is no key yet; derive keys from it.
    package func sharedSecret(with peer: P256PublicKey) throws(PushError) -> Secret {
        guard let context = EVP_PKEY_CTX_new_from_pkey(nil, handle.pointer, nil) else {
            throw OpenSSL.failure("could not agree on a key")
        }
        defer { EVP_PKEY_CTX_free(context) }
        // No check of the peer: `P256PublicKey` has checked it, and OpenSSL's check takes as long as the agreement.
        guard EVP_PKEY_derive_init(context) == 1,
            EVP_PKEY_derive_set_peer_ex(context, peer.handle.pointer, 0) == 1
        else { throw OpenSSL.failure("could not agree on a key") }
        return try Secret.written(32, orThrow: "could not agree on a key") { bytes in
            var count = 32
            return EVP_PKEY_derive(context, bytes, &count) == 1 && count == 32
        }
    }

    /// A key from which new keys copy the curve. It has no other use.
    static let curve = pb_new_p256_key().map(KeyHandle.init)
}

extension P256PrivateKey: CustomStringConvertible, CustomReflectable {
    package var description: String { "a private key on P-256" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
