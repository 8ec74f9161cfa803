import COpenSSL
public import PushAdapter

/// A public key that checks signatures.
public struct VerifyingKey: Sendable {
    /// How the signatures are made: RS256 with an RSA key, ES256 with an elliptic one, unless you choose another way.
    public private(set) var algorithm: SignatureAlgorithm
    /// The key in PEM form.
    public let pem: String
    let handle: KeyHandle

    /// A key from a PEM text. Throws `misconfigured` for a text that holds none, or one of another type.
    public init(pem: String) throws(PushError) {
        guard let key = Self.read(pem) else {
            ERR_clear_error()
            throw PushError(.misconfigured, "the public key cannot be read; it must be a PEM text")
        }
        handle = KeyHandle(key)
        algorithm = try SignatureAlgorithm(of: handle)
        self.pem = pem
    }

    /// The same key, with its PEM text. The handle has only a public key.
    init(_ key: KeyHandle) throws(PushError) {
        handle = key
        algorithm = try SignatureAlgorithm(of: key)
        pem = try PEM.text { PEM_write_bio_PUBKEY($0, key.pointer) }
    }

    /// The same key for signatures that are made in another way, such as PS256 with an RSA key. Throws `misconfigured` if
    /// a key of this type cannot sign so.
    public func verifying(_ algorithm: SignatureAlgorithm) throws(PushError) -> VerifyingKey {
        try self.algorithm.check(changeTo: algorithm)
        var key = self
        key.algorithm = algorithm
        return key
    }

    /// Whether the signature is one of these bytes by this key.
    public func accepts(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
        guard let der = algorithm == .es256 ? Self.der(signature) : signature,
            let context = EVP_MD_CTX_new()
        else { return false }
        defer {
            EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        var parameters: OpaquePointer?
        return EVP_DigestVerifyInit(context, &parameters, EVP_sha256(), nil, handle.pointer) == 1
            && algorithm.pads(parameters) && EVP_DigestVerify(context, der, der.count, bytes, bytes.count) == 1
    }

    private static func read(_ pem: String) -> OpaquePointer? {
        // OpenSSL reads from the bytes until the end of the closure, without a copy.
        Array(pem.utf8).withUnsafeBytes { bytes in
            guard let bio = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else { return nil }
            defer { BIO_free(bio) }
            return PEM_read_bio_PUBKEY(bio, nil, { _, _, _, _ in -1 }, nil)
        }
    }

    private static func der(_ raw: [UInt8]) -> [UInt8]? {
        guard raw.count == 64, let numbers = ECDSA_SIG_new() else { return nil }
        defer { ECDSA_SIG_free(numbers) }
        ECDSA_SIG_set0(
            numbers, BN_bin2bn(Array(raw[..<32]), 32, nil), BN_bin2bn(Array(raw[32...]), 32, nil))
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = i2d_ECDSA_SIG(numbers, &bytes)
        guard count > 0, let bytes else { return nil }
        defer { pb_free(bytes) }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }
}

extension VerifyingKey: Hashable {
    /// Whether both have the same algorithm and the same PEM text.
    public static func == (left: VerifyingKey, right: VerifyingKey) -> Bool {
        left.algorithm == right.algorithm && left.pem == right.pem
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(algorithm)
        hasher.combine(pem)
    }
}
