import FoundationEssentials
import PushAdapter
import PushCrypto
import Testing

@Suite("Signatures and tokens")
struct SignatureTests {
    private static let message = Array("a message to sign".utf8)

    @Test(
        "what a key signs, its public half accepts, and nothing else",
        arguments: [SignatureAlgorithm.rs256, .ps256, .es256])
    func roundTrip(algorithm: SignatureAlgorithm) throws {
        let key = try SigningKey.generate(algorithm)
        let signature = try key.signature(of: Self.message)
        let verifier = try key.verifyingKey
        #expect(key.algorithm == algorithm && verifier.algorithm == algorithm)
        #expect(verifier.accepts(signature, of: Self.message))
        #expect(!verifier.accepts(signature, of: Self.message + [0]))
        #expect(!verifier.accepts(Array(signature.dropLast()), of: Self.message))
        #expect(!verifier.accepts([], of: Self.message))
        var broken = signature
        broken[10] ^= 1
        #expect(!verifier.accepts(broken, of: Self.message))
        #expect(try !SigningKey.generate(algorithm).verifyingKey.accepts(signature, of: Self.message))
    }

    @Test("RS256 is the same each time and as long as the key; ES256 is 64 bytes and differs each time")
    func lengths() throws {
        let rsa = try SigningKey.generate(.rs256)
        #expect(try rsa.signature(of: Self.message) == rsa.signature(of: Self.message))
        #expect(try rsa.signature(of: []).count == 256)
        let elliptic = try SigningKey.generate(.es256)
        #expect(try elliptic.signature(of: Self.message) != elliptic.signature(of: Self.message))
        // r and s have leading zeros in one of 128 signatures.
        for _ in 0..<300 { #expect(try elliptic.signature(of: Self.message).count == 64) }
    }

    @Test("an RSA key signs with PS256 where that is chosen, and neither way accepts the other's signature")
    func pss() throws {
        let key = try SigningKey.generate(.rs256)
        let pss = try key.signing(with: .ps256)
        let signature = try pss.signature(of: Self.message)
        #expect(try signature.count == 256 && signature != pss.signature(of: Self.message))
        #expect(try pss.verifyingKey.accepts(signature, of: Self.message))
        #expect(try !key.verifyingKey.accepts(signature, of: Self.message))
        #expect(try !pss.verifyingKey.accepts(key.signature(of: Self.message), of: Self.message))
        #expect(try pss.verifyingKey.verifying(.rs256).accepts(key.signature(of: Self.message), of: Self.message))
        #expect("\(pss)" == "a private key for PS256")
        let token = try WebToken.signed(["iss": "me"], header: [:], by: pss).withBytes {
            String(decoding: $0, as: UTF8.self)
        }
        let header = try #require(Base64URL.decode(token.prefix { $0 != "." }))
        #expect(try JSONValue(parsing: header)["alg"] == "PS256")
        let elliptic = try SigningKey.generate(.es256)
        for wrong in [SignatureAlgorithm.rs256, .ps256] {
            let error = #expect(throws: PushError.self) { try elliptic.signing(with: wrong) }
            #expect(error?.kind == .misconfigured)
            #expect(throws: PushError.self) { try elliptic.verifyingKey.verifying(wrong) }
        }
        #expect(throws: PushError.self) { try pss.signing(with: .es256) }
    }

    /// The signed texts, public keys and signatures of RFC 7515, appendices A.2 and A.3.
    @Test("accepts the signatures that RFC 7515 publishes")
    func published() throws {
        let elliptic = try VerifyingKey(
            pem: """
                -----BEGIN PUBLIC KEY-----
                MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV7
                6e8Tus9uPHvRVEXH8UTNG72bfocs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==
                -----END PUBLIC KEY-----
                """)
        let text =
            "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290"
            + "Ijp0cnVlfQ"
        let signature = try #require(
            Base64URL.decode(
                "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"))
        #expect(elliptic.accepts(signature, of: Array(text.utf8)))
        #expect(!elliptic.accepts(signature, of: Array((text + "x").utf8)))
    }

    @Test("reads PKCS #1, PKCS #8 and SEC 1, and keeps the key to itself")
    func pemForms() throws {
        for algorithm in [SignatureAlgorithm.rs256, .es256] {
            let key = try SigningKey.generate(algorithm)
            let again = try SigningKey(pem: key.privateKey)
            #expect(try again.verifyingKey == key.verifyingKey)
            var dumped = ""
            dump(key, to: &dumped)
            for text in ["\(key)", dumped, String(reflecting: key)] {
                #expect(!text.contains("MII") && !text.contains("BEGIN"))
            }
        }
        // SelfSignedCertificate writes SEC 1 or PKCS #8; OpenSSL chooses.
        _ = try SigningKey(pem: Secret(SelfSignedCertificate().privateKey))
    }

    @Test(
        "refuses what is no usable key, says what it wants, and repeats none of it",
        arguments: [
            "", "not a key", "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n",
            Keys.encrypted, Keys.small, Keys.otherCurve, Keys.publicHalf,
        ])
    func refusals(pem: String) throws {
        let error = #expect(throws: PushError.self) { try SigningKey(pem: Secret(pem)) }
        #expect(error?.kind == .misconfigured)
        #expect(error.map { !"\($0)".contains("MI") } == true)
    }

    @Test("a token has a header with the algorithm, the claims, and a signature over both")
    func token() throws {
        let key = try SigningKey.generate(.rs256)
        let token = try WebToken.signed(["iss": "me", "exp": 12], header: ["kid": "k1"], by: key)
        let parts = token.withBytes { String(decoding: $0, as: UTF8.self) }.split(separator: ".").map(String.init)
        #expect(parts.count == 3)
        let header = try JSONValue(parsing: try #require(Base64URL.decode(parts[0])))
        #expect(header == ["alg": "RS256", "kid": "k1"])
        #expect(try JSONValue(parsing: try #require(Base64URL.decode(parts[1]))) == ["iss": "me", "exp": 12])
        let signature = try #require(Base64URL.decode(parts[2]))
        #expect(try key.verifyingKey.accepts(signature, of: Array("\(parts[0]).\(parts[1])".utf8)))
    }

    @Test("Base64 for addresses has neither padding nor signs that addresses reserve")
    func base64() {
        for count in 0..<20 {
            let bytes = [UInt8](repeating: 0xFB, count: count)
            let text = Base64URL.encode(bytes)
            #expect(!text.contains("+") && !text.contains("/") && !text.contains("="))
            #expect(Base64URL.decode(text) == bytes)
        }
        #expect(Base64URL.decode("a+b/") == nil && Base64URL.decode("YQ==") == nil && Base64URL.decode("a b") == nil)
    }
}

/// Keys made for these tests; they open nothing.
private enum Keys {
    /// Encrypted with a password.
    static let encrypted = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAj2WA5baR0nVAICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEP58wRXGGyRMM7Ym1ImPWPgEgZBN
        gMMfq7/Yb5gii3H4bT5BjWUft56WWBKu9vgLYj2Eod6TRE0lKE82aTarRG7oJep5
        T2mI6+GM+iTAa1vrJQvZBefSsjPH/eT5S3P6YJarQpHJ2lP8wy5M124FI79BXN88
        dH33H7jNhekMRckaY+smUZkFIYvDT2BE5DO9SLXdQbYEozjsPi72/rnSAMoq2pY=
        -----END ENCRYPTED PRIVATE KEY-----
        """
    /// RSA with 1,024 bits.
    static let small = """
        -----BEGIN PRIVATE KEY-----
        MIICeAIBADANBgkqhkiG9w0BAQEFAASCAmIwggJeAgEAAoGBAMu5xmeOtS5y173F
        WkyON5fjDgxrvJ6Bhw/ncfi9ekQN02NAZ8RGTUMPFuusksp/Wul/lqFM+oie8hSq
        bkzlN1bNbrwFxm4mnQwxjZFleTAkoZtUP/4Eg80uXh3wNMeDYodtSdKJhXSlDcfN
        NfERc2P5NWjzaJTciCGF7xo9OMcfAgMBAAECgYEAi51gA/4/2nonscz7CjX4kWWw
        bgCzfekEl3ikmbO4g8T51i4ALvmC328K5S4aVx4aPqUKpLYth81t143JE3eOiPwy
        i1SJcvFa3bAbZptSESMSZxfjYhqawcTvqdxUvBcWWI0HHnVx3Wnkp2KFeeW5y/oK
        u0rQijJAeHvR59kEcykCQQDklRmXlwdkRMsg1GNowiNxTyIKawb5N2tj3qqbE7zo
        cQz4QgwaZqepSU1QAv0sfeopHQRTUsRuIz4jUg8Yo1hjAkEA5ClrNwXP6A/nrH7j
        Z8ueM4V8rZ4TL0Vy4wQyZLzbgJE7VBqX7OAkdhqwIUEtY2EAJ6omM9hLhZ4PUBBQ
        joyNFQJAJjdbYQHKJZRu1Z1MxX33yQDu8wjz0ITYeokGwwiow7/q6DK6rUtOaror
        p93oECE5HgiQ6ZFj7/oKcINOrNLaewJBAL0VNi0bO/ltdOmXHo5eSHUaIwEfB3cd
        buCEEd86RA6ATVKd11oPRyg5Zc2pXhwFv0Mf1xkQH0ZUfwwy+Q+pmyECQQDLqyBF
        U7EKJCFMjlu+78V556xRbyE0nIK2qlfAHlCegwPdIY5vd/BrAVApWohUPJdtFbGF
        MRftENTKSKVuJlpO
        -----END PRIVATE KEY-----
        """
    /// On P-384.
    static let otherCurve = """
        -----BEGIN PRIVATE KEY-----
        MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDDcGR2leKaQfpiPNMFF
        ZEm53DYwbwQckm095ZZXRdC6GBuzqmPKN3WoBvId4gL2UMWhZANiAATgcrCU3X7l
        33q7mvRsYfp5mLvFNnveZbs+XbHyqmcs4RE17Vpg2C6yNhnb1yGjlUJ5ub66PiNJ
        QSPI7b3I05OCToY7hovAL8HlY2dK5s05sc5/+tN8h09wNxCB8MRO6fE=
        -----END PRIVATE KEY-----
        """
    /// A public key.
    static let publicHalf = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAED9dJKDfeJLrLatA0kp0xC2427Crw
        3L7PKAj6EkjoCqaWyfUvkqDLqHDdPekEs12mB+OMLhofSMtrFJ0V74m48Q==
        -----END PUBLIC KEY-----
        """
}
