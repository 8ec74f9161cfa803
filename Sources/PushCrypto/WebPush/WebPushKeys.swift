package import PushAdapter

/// The derivation that sender and browser share (RFC 8291, sections 3.3 and 3.4).
package enum WebPushKeys {
    static let authSize = 16

    /// The input key material of ``ContentEncoding``, 32 bytes.
    package static func material(
        from sharedSecret: Secret, auth: Secret, purpose: [UInt8]
    ) throws(PushError) -> Secret {
        let hkdf = try HKDF()
        return try hkdf.expand(try hkdf.extract(salt: auth, from: sharedSecret), for: purpose, count: 32)
    }

    /// Binds the key material to both public keys.
    package static func purpose(receiver: [UInt8], sender: [UInt8]) -> [UInt8] { prefix + receiver + sender }

    private static let prefix = Array("WebPush: info\0".utf8)

    static func checked(_ auth: Secret) throws(PushError) -> Secret {
        guard auth.count == authSize else {
            throw PushError(
                .invalidArgument, "auth must have \(authSize) bytes (RFC 8291, section 3.2); it has \(auth.count)")
        }
        return auth
    }
}
