import COpenSSL
public import PushAdapter

/// Message digests and authentication codes, by OpenSSL.
public enum Digests {
    /// The SHA-256 digest, 32 bytes.
    public static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil)
        return digest
    }

    /// The MD5 digest, 16 bytes, for vendors that sign with it. It protects nothing by itself.
    ///
    /// Refuses with `misconfigured` if this machine's OpenSSL has no MD5, as in FIPS mode.
    public static func md5(_ bytes: [UInt8]) throws(PushError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 16)
        guard EVP_Digest(bytes, bytes.count, &digest, nil, EVP_md5(), nil) == 1 else {
            throw PushError(
                .misconfigured, "this machine's OpenSSL has no MD5, which the vendor demands; allow it there")
        }
        return digest
    }

    /// The HMAC with SHA-256 under a key, 32 bytes; the key may be empty.
    public static func hmacSHA256(_ bytes: [UInt8], key: Secret) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: 32)
        key.withBytes { key in
            // OpenSSL wants a pointer even for an empty key.
            withUnsafeBytes(of: 0 as UInt8) { none in
                _ = HMAC(
                    EVP_sha256(), key.baseAddress ?? none.baseAddress, Int32(key.count), bytes, bytes.count, &code, nil)
            }
        }
        return code
    }

    /// Lowercase hexadecimal digits.
    public static func hex(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Compares in a time that depends only on the lengths.
    public static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }
}
