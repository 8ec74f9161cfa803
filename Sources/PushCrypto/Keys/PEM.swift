import COpenSSL
package import PushAdapter

/// Keys and certificates as texts.
package enum PEM {
    /// The content that a text should have.
    package enum Content: Sendable {
        case privateKey
        case certificates
    }

    /// The text that OpenSSL writes.
    static func text(_ write: (OpaquePointer) -> Int32) throws(PushError) -> String {
        try written(write) { String(decoding: $0, as: UTF8.self) }
    }

    /// The text that OpenSSL writes, if it is secret. OpenSSL wipes its own copy.
    static func secret(_ write: (OpaquePointer) -> Int32) throws(PushError) -> Secret {
        try written(write) { Secret($0) }
    }

    private static func written<Text>(
        _ write: (OpaquePointer) -> Int32, _ read: (UnsafeRawBufferPointer) -> Text
    ) throws(PushError) -> Text {
        guard let bio = BIO_new(BIO_s_mem()) else { throw failure }
        defer { BIO_free(bio) }
        guard write(bio) == 1 else { throw failure }
        var data: UnsafeMutablePointer<CChar>?
        let count = pb_memory_of(bio, &data)
        return read(UnsafeRawBufferPointer(start: data, count: count))
    }

    private static var failure: PushError { PushError(.invalidState, "OpenSSL could not write PEM") }

    /// The text as OpenSSL reads it, if it has the right content. Otherwise refuses it with `misconfigured`, and names
    /// its actual content and the command that converts it; repeats nothing of it.
    /// - Parameter name: the purpose of the text, for the error: `the client's key`.
    package static func readable(_ text: Secret, _ content: Content, _ name: String) throws(PushError) -> Secret {
        let text = try normalized(text, name)
        switch content {
        case .privateKey:
            guard let key = privateKey(text) else { throw refusal(of: text, content, name) }
            EVP_PKEY_free(key)
        case .certificates:
            guard let certificate = certificate(text) else { throw refusal(of: text, content, name) }
            X509_free(certificate)
        }
        return text
    }

    /// Without a byte-order mark, and with line breaks where the text has the two characters `\n`, as it stands in an
    /// environment variable or in JSON.
    static func normalized(_ text: Secret, _ name: String) throws(PushError) -> Secret {
        let text = try text.withoutMark(named: name)
        return text.withBytes { bytes in
            // Not in a binary form, where the byte of a backslash has a meaning.
            guard bytes.contains(backslash), contains("-----BEGIN", bytes) else { return text }
            return Secret.written(atMost: bytes.count) { unescape(bytes, into: $0) } ?? text
        }
    }

    private static func unescape(_ bytes: UnsafeRawBufferPointer, into plain: UnsafeMutableBufferPointer<UInt8>) -> Int
    {
        var (count, last) = (0, UInt8(0))
        for byte in bytes {
            defer { last = byte }
            guard byte != backslash, last != backslash || byte != UInt8(ascii: "r") else { continue }
            plain[count] = last == backslash && byte == UInt8(ascii: "n") ? 0x0A : byte
            count += 1
        }
        return count
    }

    private static let backslash = UInt8(ascii: "\\")

    static func contains(_ words: String, _ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.firstRange(of: words.utf8) != nil
    }

    /// The key of a text, for the caller to free; nil if it has none that can be read.
    static func privateKey(_ text: Secret) -> OpaquePointer? {
        read(text) { bio in
            // Without this, OpenSSL asks the terminal for the password of an encrypted key.
            PEM_read_bio_PrivateKey(bio, nil, { _, _, _, _ in -1 }, nil)
        }
    }

    private static func certificate(_ text: Secret) -> OpaquePointer? {
        read(text) { PEM_read_bio_X509_AUX($0, nil, { _, _, _, _ in -1 }, nil) }
    }

    private static func read(_ text: Secret, _ body: (OpaquePointer) -> OpaquePointer?) -> OpaquePointer? {
        text.withBytes { bytes in
            guard let bio = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else { return nil }
            defer { BIO_free(bio) }
            let found = body(bio)
            if found == nil { ERR_clear_error() }
            return found
        }
    }
}
