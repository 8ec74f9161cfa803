import COpenSSL
public import PushAdapter

/// How a key signs, by the names of RFC 7518.
public enum SignatureAlgorithm: String, Sendable, Hashable {
    /// RSA with PKCS #1 v1.5 padding and SHA-256; the key has at least 2,048 bits.
    case rs256 = "RS256"
    /// RSA with PSS padding, SHA-256 in both places and a salt of 32 bytes; the key has at least 2,048 bits. The
    /// signature differs each time.
    case ps256 = "PS256"
    /// ECDSA on the curve P-256 with SHA-256; the signature is r and s, 32 bytes each, and differs each time.
    case es256 = "ES256"
}

/// A private key for signatures: RSA, or elliptic on P-256.
///
/// It keeps the PEM text as a `Secret` and reads it for each signature, which costs less than the signature.
public struct SigningKey: Sendable {
    /// How the key signs: RS256 with an RSA key, ES256 with an elliptic one, unless you choose another way.
    public private(set) var algorithm: SignatureAlgorithm
    private let pem: Secret

    /// A key from a PEM text: PKCS #8, PKCS #1 or SEC 1, without a password. It may begin with a byte-order mark, and its
    /// line breaks may be the two characters `\n`, as in an environment variable.
    ///
    /// Throws `misconfigured` for a text that holds no such key, for an RSA key below 2,048 bits and for another curve.
    /// The error names the actual content of the text, and the command that converts it.
    public init(pem: Secret) throws(PushError) {
        let pem = try PEM.normalized(pem, "the private key")
        let key = try Self.read(pem)
        defer { EVP_PKEY_free(key) }
        algorithm = try SignatureAlgorithm(of: key)
        self.pem = pem
    }

    /// A new key, for simulators and tests; an RSA key has 2,048 bits.
    public static func generate(_ algorithm: SignatureAlgorithm) throws(PushError) -> SigningKey {
        guard let key = algorithm == .es256 ? pb_new_p256_key() : pb_new_rsa_key() else {
            throw PushError(.invalidState, "OpenSSL could not make a key")
        }
        defer { EVP_PKEY_free(key) }
        return try SigningKey(
            pem: Secret(try PEM.text { PEM_write_bio_PKCS8PrivateKey($0, key, nil, nil, 0, nil, nil) })
        ).signing(with: algorithm)
    }

    /// The same key with another way to sign, such as PS256 with an RSA key. Throws `misconfigured` if a key of this
    /// type cannot sign so.
    public func signing(with algorithm: SignatureAlgorithm) throws(PushError) -> SigningKey {
        try self.algorithm.check(changeTo: algorithm)
        var key = self
        key.algorithm = algorithm
        return key
    }

    /// The PEM text of the key.
    public var privateKey: Secret { pem }

    /// The public half.
    public var verifyingKey: VerifyingKey {
        get throws(PushError) {
            let key = try Self.read(pem)
            defer { EVP_PKEY_free(key) }
            return try VerifyingKey(pem: try PEM.text { PEM_write_bio_PUBKEY($0, key) }).verifying(algorithm)
        }
    }

    /// Signs the bytes. Throws `invalidState` when OpenSSL fails.
    public func signature(of bytes: [UInt8]) throws(PushError) -> [UInt8] {
        let key = try Self.read(pem)
        defer { EVP_PKEY_free(key) }
        guard let context = EVP_MD_CTX_new() else { throw Self.failure }
        defer { EVP_MD_CTX_free(context) }
        var count = 0
        var parameters: OpaquePointer?
        guard EVP_DigestSignInit(context, &parameters, EVP_sha256(), nil, key) == 1, algorithm.pads(parameters),
            EVP_DigestSign(context, nil, &count, bytes, bytes.count) == 1
        else { throw Self.failure }
        var signature = [UInt8](repeating: 0, count: count)
        guard EVP_DigestSign(context, &signature, &count, bytes, bytes.count) == 1 else { throw Self.failure }
        signature.removeLast(signature.count - count)
        return algorithm == .es256 ? try Self.raw(signature) : signature
    }

    /// OpenSSL writes an elliptic signature as DER; tokens carry its two numbers.
    private static func raw(_ der: [UInt8]) throws(PushError) -> [UInt8] {
        var raw = [UInt8](repeating: 0, count: 64)
        let isWritten = der.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            guard let numbers = d2i_ECDSA_SIG(nil, &start, bytes.count) else { return false }
            defer { ECDSA_SIG_free(numbers) }
            return raw.withUnsafeMutableBufferPointer { raw in
                guard let base = raw.baseAddress else { return false }
                return BN_bn2binpad(ECDSA_SIG_get0_r(numbers), base, 32) == 32
                    && BN_bn2binpad(ECDSA_SIG_get0_s(numbers), base + 32, 32) == 32
            }
        }
        guard isWritten else { throw failure }
        return raw
    }

    private static func read(_ pem: Secret) throws(PushError) -> OpaquePointer {
        guard let key = PEM.privateKey(pem) else { throw PEM.refusal(of: pem, .privateKey, "the private key") }
        return key
    }

    private static var failure: PushError { PushError(.invalidState, "OpenSSL could not sign") }
}

extension SigningKey: CustomStringConvertible, CustomReflectable {
    public var description: String { "a private key for \(algorithm.rawValue)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A public key that checks signatures.
public struct VerifyingKey: Sendable, Hashable {
    /// How the signatures are made: RS256 with an RSA key, ES256 with an elliptic one, unless you choose another way.
    public private(set) var algorithm: SignatureAlgorithm
    /// The key in PEM form.
    public let pem: String

    /// A key from a PEM text. Throws `misconfigured` for a text that holds none, or one of another type.
    public init(pem: String) throws(PushError) {
        guard let key = Self.read(pem) else {
            ERR_clear_error()
            throw PushError(.misconfigured, "the public key cannot be read; it must be a PEM text")
        }
        defer { EVP_PKEY_free(key) }
        algorithm = try SignatureAlgorithm(of: key)
        self.pem = pem
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
        guard let der = algorithm == .es256 ? Self.der(signature) : signature, let key = Self.read(pem),
            let context = EVP_MD_CTX_new()
        else { return false }
        defer {
            EVP_PKEY_free(key)
            EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        var parameters: OpaquePointer?
        return EVP_DigestVerifyInit(context, &parameters, EVP_sha256(), nil, key) == 1 && algorithm.pads(parameters)
            && EVP_DigestVerify(context, der, der.count, bytes, bytes.count) == 1
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

extension SignatureAlgorithm {
    /// Refuses a change between RSA and elliptic keys.
    fileprivate func check(changeTo other: SignatureAlgorithm) throws(PushError) {
        guard (self == .es256) != (other == .es256) else { return }
        throw PushError(
            .misconfigured, "a key for \(rawValue) cannot sign with \(other.rawValue); use a key of the other type")
    }

    /// Sets the padding of a signature; false if OpenSSL refuses.
    fileprivate func pads(_ parameters: OpaquePointer?) -> Bool {
        guard self == .ps256 else { return true }
        return EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING) == 1
            && EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, 32) == 1
    }

    fileprivate init(of key: OpaquePointer) throws(PushError) {
        if EVP_PKEY_is_a(key, "RSA") == 1, EVP_PKEY_get_bits(key) >= 2048 {
            self = .rs256
        } else if EVP_PKEY_is_a(key, "EC") == 1, pb_is_p256(key) == 1 {
            self = .es256
        } else {
            throw PushError(
                .misconfigured, "the key must be RSA with at least 2,048 bits, or elliptic on the curve P-256")
        }
    }
}
