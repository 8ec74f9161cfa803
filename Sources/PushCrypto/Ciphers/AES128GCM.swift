import COpenSSL
package import PushAdapter

/// Encryption with AES-128-GCM under one key (NIST SP 800-38D), with a nonce of 12 bytes, a tag of 16, and without
/// additional data. Use one instance for one message, on one thread.
package final class AES128GCM {
    private let context: OpaquePointer

    /// The length of a tag.
    package static let tagSize = 16

    /// Refuses with `invalidArgument` a key that does not have 16 bytes.
    package init(key: Secret) throws(PushError) {
        guard key.count == 16 else {
            throw PushError(.invalidArgument, "a key of AES-128 has 16 bytes; this one has \(key.count)")
        }
        guard let context = EVP_CIPHER_CTX_new() else { throw Self.failure }
        let isSet = key.withBytes { key in
            EVP_CipherInit_ex2(
                context, OpenSSL.aes128GCM, key.bindMemory(to: UInt8.self).baseAddress, nil, 1, nil) == 1
        }
        guard isSet else {
            EVP_CIPHER_CTX_free(context)
            throw Self.failure
        }
        self.context = context
    }

    deinit { EVP_CIPHER_CTX_free(context) }

    /// Encrypts the bytes from an index to the end in place, and appends the tag. Never use a nonce twice.
    package func seal(_ bytes: inout [UInt8], from start: Int = 0, nonce: Secret) throws(PushError) {
        let count = try Self.count(bytes.count - start)
        try begin(nonce, isSealing: true)
        bytes.append(contentsOf: repeatElement(0, count: Self.tagSize))
        let isSealed = bytes.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress.map({ $0 + start }) else { return false }
            return run(base, count, into: base)
                && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagSize), base + Int(count)) == 1
        }
        guard isSealed else { throw Self.failure }
    }

    /// The decrypted bytes of a ciphertext with its tag; nil if the tag is missing or does not fit.
    package func open(_ sealed: ArraySlice<UInt8>, nonce: Secret) throws(PushError) -> [UInt8]? {
        guard sealed.count >= Self.tagSize else { return nil }
        let count = try Self.count(sealed.count - Self.tagSize)
        try begin(nonce, isSealing: false)
        var tag = Array(sealed.suffix(Self.tagSize))
        guard EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagSize), &tag) == 1 else {
            throw Self.failure
        }
        // One more byte, so that an empty text has an address.
        var bytes = Array(sealed.prefix(Int(count))) + [0]
        let isAuthentic = bytes.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return false }
            let isAuthentic = run(base, count, into: base)
            if !isAuthentic { OPENSSL_cleanse(base, buffer.count) }
            return isAuthentic
        }
        bytes.removeLast()
        return isAuthentic ? bytes : nil
    }

    private func begin(_ nonce: Secret, isSealing: Bool) throws(PushError) {
        guard nonce.count == 12 else {
            throw PushError(.invalidArgument, "a nonce of AES-128-GCM has 12 bytes here; this one has \(nonce.count)")
        }
        let isSet = nonce.withBytes { nonce in
            EVP_CipherInit_ex2(
                context, nil, nil, nonce.bindMemory(to: UInt8.self).baseAddress, isSealing ? 1 : 0, nil) == 1
        }
        guard isSet else { throw Self.failure }
    }

    /// Runs the cipher to its end. When it opens, false also for a tag that does not fit.
    private func run(
        _ bytes: UnsafePointer<UInt8>, _ count: Int32, into result: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        var written: Int32 = 0
        defer { ERR_clear_error() }
        return (count == 0 || EVP_CipherUpdate(context, result, &written, bytes, count) == 1)
            && EVP_CipherFinal_ex(context, result + Int(written), &written) == 1
    }

    /// OpenSSL counts the bytes of a call with 32 bits.
    private static func count(_ count: Int) throws(PushError) -> Int32 {
        guard let count = Int32(exactly: count) else {
            throw PushError(.tooLong, "\(count) bytes are too many for one encryption; split them")
        }
        return count
    }

    private static var failure: PushError { OpenSSL.failure("could not run AES-128-GCM") }
}
