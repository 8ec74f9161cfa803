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
/// It reads the PEM text once, because OpenSSL 3 needs longer for that than for a signature.
public struct SigningKey: Sendable {
    /// How the key signs: RS256 with an RSA key, ES256 with an elliptic one, unless you choose another way.
    public private(set) var algorithm: SignatureAlgorithm
    private let pem: Secret
    private let key: KeyHandle

    /// A key from a PEM text: PKCS #8, PKCS #1 or SEC 1, without a password. It may begin with a byte-order mark, and its
    /// line breaks may be the two characters `\n`, as in an environment variable.
    ///
    /// Throws `misconfigured` for a text that holds no such key, for an RSA key below 2,048 bits and for another curve.
    /// The error names the actual content of the text, and the command that converts it.
    public init(pem: Secret) throws(PushError) {
        let pem = try PEM.normalized(pem, "the private key")
        guard let read = PEM.privateKey(pem) else { throw PEM.refusal(of: pem, .privateKey, "the private key") }
        key = KeyHandle(read)
        algorithm = try SignatureAlgorithm(of: key)
        self.pem = pem
    }

    /// The same key, with its PEM text.
    init(_ key: KeyHandle) throws(PushError) {
        self.key = key
        algorithm = try SignatureAlgorithm(of: key)
        pem = try PEM.secret { PEM_write_bio_PKCS8PrivateKey($0, key.pointer, nil, nil, 0, nil, nil) }
    }

    /// A new key, for simulators and tests; an RSA key has 2,048 bits.
    public static func generate(_ algorithm: SignatureAlgorithm) throws(PushError) -> SigningKey {
        guard let key = algorithm == .es256 ? pb_new_p256_key() : pb_new_rsa_key() else {
            throw PushError(.invalidState, "OpenSSL could not make a key")
        }
        return try SigningKey(KeyHandle(key)).signing(with: algorithm)
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
            // Read again, because the handle has the private half as well.
            try VerifyingKey(pem: try PEM.text { PEM_write_bio_PUBKEY($0, key.pointer) }).verifying(algorithm)
        }
    }

    /// Signs the bytes. Throws `invalidState` when OpenSSL fails.
    public func signature(of bytes: [UInt8]) throws(PushError) -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { throw Self.failure }
        defer { EVP_MD_CTX_free(context) }
        var count = 0
        var parameters: OpaquePointer?
        guard EVP_DigestSignInit(context, &parameters, EVP_sha256(), nil, key.pointer) == 1, algorithm.pads(parameters),
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

    private static var failure: PushError { PushError(.invalidState, "OpenSSL could not sign") }
}

extension SigningKey: CustomStringConvertible, CustomReflectable {
    public var description: String { "a private key for \(algorithm.rawValue)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension SignatureAlgorithm {
    /// Refuses a change between RSA and elliptic keys.
    func check(changeTo other: SignatureAlgorithm) throws(PushError) {
        guard (self == .es256) != (other == .es256) else { return }
        throw PushError(
            .misconfigured, "a key for \(rawValue) cannot sign with \(other.rawValue); use a key of the other type")
    }

    /// Sets the padding of a signature; false if OpenSSL refuses.
    func pads(_ parameters: OpaquePointer?) -> Bool {
        guard self == .ps256 else { return true }
        return EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING) == 1
            && EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, 32) == 1
    }

    init(of key: KeyHandle) throws(PushError) {
        if EVP_PKEY_is_a(key.pointer, "RSA") == 1, EVP_PKEY_get_bits(key.pointer) >= 2048 {
            self = .rs256
        } else if EVP_PKEY_is_a(key.pointer, "EC") == 1, pb_is_p256(key.pointer) == 1 {
            self = .es256
        } else {
            throw PushError(
                .misconfigured, "the key must be RSA with at least 2,048 bits, or elliptic on the curve P-256")
        }
    }
}
