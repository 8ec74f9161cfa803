import COpenSSL
package import PushAdapter

/// A public key on the curve P-256. Its point is on the curve.
package struct P256PublicKey: Sendable {
    /// The point in the uncompressed form of SEC 1, section 2.3.3: the byte 4, then x and y with 32 bytes each.
    package let bytes: [UInt8]
    let handle: KeyHandle

    /// A key from its point. Refuses with `invalidArgument` a point in another form, the point at infinity, and one that
    /// is not on the curve. P-256 has the cofactor 1, so every other point is a valid key (SP 800-56A, 5.6.2.3.3).
    /// - Parameter name: the purpose of the key, for the error: `p256dh`.
    package init(_ bytes: [UInt8], named name: String) throws(PushError) {
        guard bytes.count == Self.size, bytes[0] == 4 else {
            throw PushError(
                .invalidArgument,
                "\(name) must be an uncompressed point on P-256: \(Self.size) bytes, the first a 4; "
                    + (bytes.count == Self.size ? "its first byte is \(bytes[0])" : "it has \(bytes.count)"))
        }
        handle = try Self.blank()
        guard EVP_PKEY_set1_encoded_public_key(handle.pointer, bytes, bytes.count) == 1 else {
            ERR_clear_error()
            throw PushError(
                .invalidArgument, "\(name) is not a point on the curve P-256; read it again from its source")
        }
        self.bytes = bytes
    }

    /// The length of a point in its uncompressed form.
    package static let size = 65

    /// A key without a point. Copying the curve from another key takes a third of the time of a lookup by its name.
    private static func blank() throws(PushError) -> KeyHandle {
        guard let curve = P256PrivateKey.curve, let key = EVP_PKEY_new().map(KeyHandle.init),
            EVP_PKEY_copy_parameters(key.pointer, curve.pointer) == 1
        else { throw OpenSSL.failure("could not make a public key") }
        return key
    }

    /// The point of a key on P-256, which may be a private key.
    static func point(of handle: KeyHandle) throws(PushError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: size)
        var count = 0
        guard
            // The other parameter has the form in which the key was read, and before OpenSSL 3.0.8 the compressed one.
            EVP_PKEY_get_octet_string_param(
                handle.pointer, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, &bytes, size, &count) == 1,
            count == size, bytes[0] == 4
        else { throw OpenSSL.failure("could not write a public key") }
        return bytes
    }
}

extension P256PublicKey: Hashable {
    package static func == (left: P256PublicKey, right: P256PublicKey) -> Bool { left.bytes == right.bytes }
    package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
