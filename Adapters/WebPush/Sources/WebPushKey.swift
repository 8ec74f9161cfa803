public import PushAdapter
import PushCrypto

/// A key pair of the server, which identifies it to push services (VAPID, RFC 8292).
///
/// A browser subscribes with the public half. The subscription then takes messages that are signed with this key only,
/// so a new key is one more key: keep the old one until the last subscription with it is gone.
public struct WebPushKey: Sendable {
    /// A short name of the key: the first 8 bytes of the SHA-256 of the public half, as 16 hex digits.
    public let id: String
    /// The public half, 65 bytes as base64url: `applicationServerKey` in the browser.
    public let publicKey: String
    let signingKey: SigningKey

    /// Reads a private key: 32 bytes as base64, as most libraries print it, or PEM (PKCS #8 or SEC 1).
    ///
    /// Refuses with `misconfigured` any other text, another curve, and a public key of another pair. The error has
    /// nothing of the key.
    /// - Parameters:
    ///   - text: the private key.
    ///   - publicKey: the public half, if the configuration has it; it is only compared.
    public init(_ text: Secret, publicKey: String? = nil) throws(PushError) {
        do throws(PushError) { try self.init(signingWith: Self.read(text)) } catch {
            var error = error
            error.message = "the VAPID key: " + error.message
            throw error
        }
        if let publicKey, publicKey.base64Bytes != self.publicKey.base64Bytes {
            throw PushError(
                .misconfigured,
                "the public VAPID key is not of the private one, whose id is \(id); correct it, or leave it out"
            )
        }
    }

    /// Reads a private key from a file. Refuses an unreadable file with `misconfigured`.
    public init(path: String, publicKey: String? = nil) throws(PushError) {
        try self.init(Secret(contentsOf: path, named: "the VAPID key"), publicKey: publicKey)
    }

    private init(signingWith key: SigningKey) throws(PushError) {
        guard key.algorithm == .es256 else {
            throw PushError(.misconfigured, "it is not an elliptic key; Web Push needs one on the curve P-256")
        }
        let point = try key.verifyingKey.p256.bytes
        id = Digests.hex(Digests.sha256(point).prefix(8))
        publicKey = Base64URL.encode(point)
        signingKey = key
    }

    /// Makes a new key. Store ``privateKey`` before the first browser subscribes with it.
    public static func generate() throws(PushError) -> WebPushKey {
        try WebPushKey(signingWith: .generate(.es256))
    }

    /// The private half as PEM.
    public var privateKey: Secret { signingKey.privateKey }

    private static func read(_ text: Secret) throws(PushError) -> SigningKey {
        let isPEM = text.withBytes { $0.firstRange(of: "-----".utf8) != nil }
        guard !isPEM else { return try SigningKey(pem: text) }
        guard let number = text.base64Decoded, (31...32).contains(number.count) else {
            throw PushError(
                .misconfigured, "it is neither PEM nor 32 bytes of base64; take the private key as it was generated")
        }
        return try SigningKey(p256: number.count == 32 ? number : behindZero(number))
    }

    /// The number with the leading zero that some libraries leave out.
    private static func behindZero(_ number: Secret) -> Secret {
        withUnsafeBytes(of: UInt8.zero) { zero in
            number.withBytes { Secret([zero, $0].joined()) }
        }
    }
}

extension WebPushKey: CustomStringConvertible, CustomReflectable {
    /// The id, no key material.
    public var description: String { "the VAPID key \(id)" }
    public var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}

extension String {
    /// The bytes of base64 in either alphabet, with or without padding; nil for other texts.
    var base64Bytes: [UInt8]? {
        let padding = utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding <= 2 else { return nil }
        let text = utf8.dropLast(padding).map { byte in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: byte
            }
        }
        return Base64URL.decode(String(decoding: text, as: UTF8.self))
    }
}
