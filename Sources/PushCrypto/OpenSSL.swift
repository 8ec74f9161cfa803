import COpenSSL
import PushAdapter

/// Algorithms of OpenSSL. A lookup by name is slow, so each takes place once.
enum OpenSSL {
    /// Not isolated: OpenSSL counts the references of an algorithm, and nothing changes it.
    nonisolated(unsafe) static let aes128GCM = EVP_CIPHER_fetch(nil, "AES-128-GCM", nil)
    nonisolated(unsafe) static let hmac = EVP_MAC_fetch(nil, "HMAC", nil)

    /// The error for a call that fails only if OpenSSL has no memory, no entropy or no provider of the algorithm.
    static func failure(_ words: String) -> PushError {
        ERR_clear_error()
        return PushError(.invalidState, "OpenSSL \(words); check its installation")
    }
}

extension Secret {
    /// A secret that OpenSSL writes into temporary memory, which is wiped afterwards.
    static func written(
        _ count: Int, orThrow words: String, by write: (UnsafeMutablePointer<UInt8>) -> Bool
    ) throws(PushError) -> Secret {
        let secret: Secret? = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { buffer in
            guard let base = buffer.baseAddress else { return nil }
            defer { OPENSSL_cleanse(base, count) }
            return write(base) ? Secret(UnsafeBufferPointer(buffer)) : nil
        }
        guard let secret else { throw OpenSSL.failure(words) }
        return secret
    }
}
