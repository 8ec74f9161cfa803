import COpenSSL
package import PushAdapter

/// Key derivation by HKDF with SHA-256 (RFC 5869). Use one instance for one derivation, on one thread.
package final class HKDF {
    private let context: OpaquePointer

    package init() throws(PushError) {
        guard let context = pb_new_hmac_sha256(OpenSSL.hmac) else { throw OpenSSL.failure(Self.words) }
        self.context = context
    }

    deinit { EVP_MAC_CTX_free(context) }

    /// Extracts a key of 32 bytes from a secret of any form (RFC 5869, section 2.2). An empty salt counts as 32 zeros.
    package func extract(salt: Secret, from material: Secret) throws(PushError) -> Secret {
        try Secret.written(32, orThrow: Self.words) { code in
            salt.withBytes { key in
                material.withBytes { begin(key) && update($0) && finish(code) }
            }
        }
    }

    /// Expands a key into 1 to 8,160 bytes, for one purpose (RFC 5869, section 2.3). Refuses with `invalidArgument` a
    /// key below 32 bytes and another length.
    package func expand(_ key: Secret, for purpose: [UInt8], count: Int) throws(PushError) -> Secret {
        guard key.count >= 32, 1...255 * 32 ~= count else {
            throw PushError(
                .invalidArgument,
                "HKDF expands a key of at least 32 bytes into 1 to 8160; this is one of \(key.count) into \(count)")
        }
        // HMAC writes whole blocks.
        let blocks = (count + 31) / 32
        let whole = try Secret.written(blocks * 32, orThrow: Self.words) { bytes in
            key.withBytes { key in
                (0..<blocks).allSatisfy { block(UInt8($0 + 1), of: bytes, key, purpose) }
            }
        }
        return count == whole.count ? whole : whole.withBytes { Secret($0.prefix(count)) }
    }

    /// Writes a block, which depends on the block before it. Blocks count from 1.
    private func block(
        _ number: UInt8, of bytes: UnsafeMutablePointer<UInt8>, _ key: UnsafeRawBufferPointer, _ purpose: [UInt8]
    ) -> Bool {
        let block = bytes + (Int(number) - 1) * 32
        let previous = UnsafeRawBufferPointer(start: block - (number == 1 ? 0 : 32), count: number == 1 ? 0 : 32)
        return begin(key) && update(previous) && purpose.withUnsafeBytes(update)
            && withUnsafeBytes(of: number, update) && finish(block)
    }

    private func begin(_ key: UnsafeRawBufferPointer) -> Bool {
        // OpenSSL wants a pointer even for an empty key.
        withUnsafeBytes(of: 0 as UInt8) { none in
            EVP_MAC_init(
                context, (key.baseAddress ?? none.baseAddress)?.assumingMemoryBound(to: UInt8.self), key.count, nil)
                == 1
        }
    }

    private func update(_ bytes: UnsafeRawBufferPointer) -> Bool {
        EVP_MAC_update(context, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count) == 1
    }

    private func finish(_ code: UnsafeMutablePointer<UInt8>) -> Bool {
        var count = 0
        return EVP_MAC_final(context, code, &count, 32) == 1 && count == 32
    }

    private static let words = "could not derive a key"
}
