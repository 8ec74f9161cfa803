package import PushAdapter

extension SigningKey {
    /// A key for ES256 from its private number: 32 bytes, the high byte first, the `d` of a JSON Web Key (RFC 7518,
    /// 6.2.2.1). Refuses with `misconfigured` another length and a number that is no key.
    package init(p256 number: Secret) throws(PushError) {
        try self.init(try P256PrivateKey(number: number, named: "the private key").handle)
    }
}

extension VerifyingKey {
    /// A key for ES256.
    package init(_ key: P256PublicKey) throws(PushError) { try self.init(key.handle) }

    /// The point of a key for ES256. Throws `misconfigured` for an RSA key.
    package var p256: P256PublicKey {
        get throws(PushError) {
            guard algorithm == .es256 else {
                throw PushError(.misconfigured, "an RSA key has no point; use a key on the curve P-256")
            }
            return try P256PublicKey(try P256PublicKey.point(of: handle), named: "the public key")
        }
    }
}
