import COpenSSL
package import PushAdapter

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
        let secret = written(atMost: count) { buffer in
            buffer.baseAddress.map(write) == true ? count : nil
        }
        guard let secret else { throw OpenSSL.failure(words) }
        return secret
    }

    /// A secret that is written into temporary memory, which is wiped afterwards.
    /// - Parameter write: returns the number of bytes; nil for no secret.
    static func written(atMost count: Int, by write: (UnsafeMutableBufferPointer<UInt8>) -> Int?) -> Secret? {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { buffer in
            defer { OPENSSL_cleanse(buffer.baseAddress, count) }
            return write(buffer).map { Secret(UnsafeBufferPointer(buffer).prefix($0)) }
        }
    }

    /// The bytes of a text in base64: in either alphabet, with or without padding, and blanks do not count. Nil for
    /// another text. It leaves no copy in memory.
    package var base64Decoded: Secret? {
        withBytes { text in
            Secret.written(atMost: text.count) { Self.decode(text, into: $0) }
        }
    }

    private static func decode(_ text: UnsafeRawBufferPointer, into bytes: UnsafeMutableBufferPointer<UInt8>) -> Int? {
        var (count, padding, bits, width) = (0, 0, UInt32(0), 0)
        for byte in text where byte != 0x20 && !(0x09...0x0D).contains(byte) {
            if byte == UInt8(ascii: "=") {
                padding += 1
                continue
            }
            guard padding == 0, let digit = base64Digit(byte) else { return nil }
            (bits, width) = (bits << 6 | UInt32(digit), width + 6)
            guard width >= 8 else { continue }
            width -= 8
            bytes[count] = UInt8(truncatingIfNeeded: bits >> UInt32(width))
            count += 1
        }
        // One digit alone is no byte.
        return padding <= 2 && width < 6 ? count : nil
    }

    private static func base64Digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x41...0x5A: byte - 0x41
        case 0x61...0x7A: byte - 0x61 + 26
        case 0x30...0x39: byte - 0x30 + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
