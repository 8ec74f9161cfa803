package import PushAdapter

/// The key and the nonce of AES-128-GCM for the records of one body.
package struct ContentKeys: Sendable {
    /// The content encryption key, 16 bytes.
    package let key: Secret
    /// The nonce of the first record, 12 bytes.
    package let nonce: Secret

    /// Derives both from the key material and the salt of the body (RFC 8188, sections 2.2 and 2.3).
    package init(from material: Secret, salt: [UInt8]) throws(PushError) {
        let hkdf = try HKDF()
        let seed = try hkdf.extract(salt: Secret(salt), from: material)
        key = try hkdf.expand(seed, for: Self.keyPurpose, count: 16)
        nonce = try hkdf.expand(seed, for: Self.noncePurpose, count: 12)
    }

    /// The nonce of a record, counted from 0: the first one, with the record's number in its last bytes.
    func nonce(of record: UInt64) -> Secret {
        guard record > 0 else { return nonce }
        return nonce.withBytes { first in
            Secret(
                first.indices.map { first[$0] ^ ($0 < 4 ? 0 : UInt8(truncatingIfNeeded: record >> ((11 - $0) * 8))) })
        }
    }

    private static let keyPurpose = Array("Content-Encoding: aes128gcm\0".utf8)
    private static let noncePurpose = Array("Content-Encoding: nonce\0".utf8)
}
