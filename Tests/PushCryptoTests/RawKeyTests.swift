import PushAdapter
import PushCrypto
import Testing

/// Keys for ES256 without PEM, as VAPID and JSON Web Keys carry them.
@Suite("Raw keys for signatures")
struct RawKeyTests {
    /// RFC 8292, section 2.4.
    private enum Example {
        static let key = "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"
        static let token =
            "eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3Njgs"
            + "InN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0"
        static let signature =
            "i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA"

        static var verifier: VerifyingKey {
            get throws { try VerifyingKey(P256PublicKey(Bytes.base64(key), named: "k")) }
        }
    }

    @Test("a point accepts the token of RFC 8292, and no other")
    func published() throws {
        let verifier = try Example.verifier
        let signature = Bytes.base64(Example.signature)
        #expect(verifier.accepts(signature, of: Array(Example.token.utf8)))
        #expect(!verifier.accepts(signature, of: Array(Example.token.dropLast().utf8)))
        #expect(
            try !VerifyingKey(P256PublicKey(P256PrivateKey().publicKey, named: "k")).accepts(
                signature, of: Array(Example.token.utf8)))
        #expect(try verifier.p256.bytes == Bytes.base64(Example.key))
        #expect(try VerifyingKey(pem: verifier.pem) == verifier)
    }

    @Test("the point of a key is whole, whatever form its PEM text has")
    func compressed() throws {
        let pem = """
            -----BEGIN PUBLIC KEY-----
            MDkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDIgAD25DV3BE0FKtuVzULI16/iOGIy+gC
            KcVbKFF7g9Vooow=
            -----END PUBLIC KEY-----
            """
        let point = try VerifyingKey(pem: pem).p256.bytes
        #expect(point.count == 65 && point.first == 4)
        #expect(Array(point[1...32]) == Bytes.base64("25DV3BE0FKtuVzULI16_iOGIy-gCKcVbKFF7g9Vooow"))
    }

    private static let zero = [UInt8](repeating: 0, count: 32)
    private static let order = Bytes.hex(KeyAgreementTests.order)

    /// Signatures whose numbers are zero, the order of the curve, or beyond it; and other lengths and forms.
    static let wrong: [[UInt8]] = {
        let signature = Bytes.base64(Example.signature)
        let (r, s) = (Array(signature.prefix(32)), Array(signature.suffix(32)))
        let all = [UInt8](repeating: 0xFF, count: 32)
        return [
            zero + zero, zero + s, r + zero, order + s, r + order, order + order, zero + order, all + all, s + r,
            r, signature + [0], [0] + signature, Array(signature.dropLast()), [],
            // DER, as OpenSSL writes it.
            [0x30, 0x46, 0x02, 0x21, 0] + r + [0x02, 0x21, 0] + s,
        ]
    }()

    @Test("refuses signatures with numbers out of range, and other forms", arguments: wrong)
    func refusals(signature: [UInt8]) throws {
        #expect(try !Example.verifier.accepts(signature, of: Array(Example.token.utf8)))
    }

    @Test("a private number signs as its PEM text does; the key is that of RFC 7515, appendix A.3")
    func privateNumber() throws {
        let key = try SigningKey(p256: Secret(Bytes.base64("jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI")))
        #expect(key.algorithm == .es256)
        let point = try key.verifyingKey.p256
        #expect(
            point.bytes == [4] + Bytes.base64("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU")
                + Bytes.base64("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"))
        let signature = try key.signature(of: [1, 2, 3])
        #expect(try VerifyingKey(point).accepts(signature, of: [1, 2, 3]))
        let again = try SigningKey(pem: key.privateKey)
        #expect(try again.verifyingKey == key.verifyingKey && again.verifyingKey.accepts(signature, of: [1, 2, 3]))
    }

    @Test(
        "refuses a private number that is no key", arguments: ["", "AQ", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"])
    func wrongNumbers(number: String) {
        let error = #expect(throws: PushError.self) { try SigningKey(p256: Secret(Bytes.base64(number))) }
        #expect(error?.kind == .misconfigured)
    }

    @Test("public keys are equal if both the key and the algorithm are")
    func equality() throws {
        let (elliptic, rsa) = (try Example.verifier, try SigningKey.generate(.rs256).verifyingKey)
        #expect(try elliptic == Example.verifier && elliptic != SigningKey.generate(.es256).verifyingKey)
        #expect(try rsa == VerifyingKey(pem: rsa.pem) && rsa != rsa.verifying(.ps256))
        #expect(try Set([elliptic, Example.verifier, rsa, rsa.verifying(.ps256)]).count == 3)
    }

    @Test("an RSA key has no point")
    func rsa() throws {
        let key = try SigningKey.generate(.rs256).verifyingKey
        let error = #expect(throws: PushError.self) { try key.p256 }
        #expect(error?.kind == .misconfigured)
    }
}
