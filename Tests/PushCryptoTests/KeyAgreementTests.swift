import PushAdapter
import PushCrypto
import Testing

@Suite("Key agreement on P-256")
struct KeyAgreementTests {
    // MARK: Secrets

    /// A case of Wycheproof, `ecdh_secp256r1_ecpoint_test.json`, by its number.
    struct Case: Sendable, CustomTestStringConvertible {
        let id: Int
        let point: String
        let number: String
        let secret: String

        init(_ id: Int, point: String, number: String, secret: String) {
            (self.id, self.point, self.number, self.secret) = (id, point, number, secret)
        }

        var testDescription: String { "case \(id)" }
    }

    private static let number = "0a0d622a47e48f6bc1038ace438c6f528aa00ad2bd1da5f13ee46bf5f633d71a"
    private static let point =
        "0431028f3377fc8f2b1967edaab90213acad0da9f50897f08f57537f78f116744743a1930189363bbde2ac4cbd1649cdc6f451add71d"
        + "d2f16a8a867f2b17caa16b"

    static let cases = [
        Case(
            1,
            point: "0462d5bd3372af75fe85a040715d0f502428e07046868b0bfdfa61d731afe44f26"
                + "ac333a93a9e70a81cd5a95b5bf8d13990eb741c8c38872b4a07d275a014e30cf",
            number: "0612465c89a023ab17855b0a6bcebfd3febb53aef84138647b5352e02c10c346",
            secret: "53020d908b0219328b658b525f26780e3ae12bcd952bb25a93bc0895e1714285"),
        // x is 0.
        Case(
            3,
            point: "0458fd4168a87795603e2b04390285bdca6e57de6027fe211dd9d25e2212d29e62"
                + "080d36bd224d7405509295eed02a17150e03b314f96da37445b0d1d29377d12c",
            number: number, secret: "0000000000000000000000000000000000000000000000000000000000000000"),
        // x is the prime less 3.
        Case(
            4,
            point: "04a1ecc24bf0d0053d23f5fd80ddf1735a1925039dc1176c581a7e795163c8b9ba"
                + "2cb5a4e4d5109f4527575e3137b83d79a9bcb3faeff90d2aca2bed71bb523e7e",
            number: number, secret: "ffffffff00000001000000000000000000000000fffffffffffffffffffffffc"),
        // x has 29 leading zeros.
        Case(
            5,
            point: "041b0e7437c33d379929430d3ec10df59bed7fe2a1d950c5791e1e9ddeef1f4d70"
                + "fbdb0e3bbce63a27f27838c685207f2ccaf689d25eb622744db1168ac92619e8",
            number: number, secret: "0000000000000000000000000000000000000000000000000000000000010000"),
        Case(
            12,
            point: "0434fc9f1e7a094cd29598d1841fa9613dbe82313d633a51d63fb6eff074cc9b9a"
                + "4ecfd9f258c5c4d4210b49751213a24c596982bd1d54e0445443f21ef15492a5",
            number: number, secret: "190c25f88ad9ae3a098e6cffe6fd0b1bea42114eb0cedd5868a45c5fe277dff3"),
        Case(
            15,
            point: "04e25ead8342888d1fbd2bd211e9db5bc761da9cfa1e805078b53606df9e544440"
                + "3d3421fa70f940dba104d842034d2efec9332161ccfb654a8e9f2ec42fc1a837",
            number: number, secret: "5555555555555555555555555555555555555555555555555555555555555554"),
        // The private number is 3.
        Case(
            315, point: point, number: "0000000000000000000000000000000000000000000000000000000000000003",
            secret: "85a0b58519b28e70a694ec5198f72c4bfdabaa30a70f7143b5b1cd7536f716ca"),
        // The private number has leading zeros.
        Case(
            316, point: point, number: "00000000ffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
            secret: "a329a7d80424ea2d6c904393808e510dfbb28155092f1bac284dceda1f13afe5"),
        // The order of the curve less 2.
        Case(
            329, point: point, number: "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc63254f",
            secret: "027b013a6f166db655d69d643c127ef8ace175311e667dff2520f5b5c75b7659"),
        Case(
            330,
            point: "04023819813ac969847059028ea88a1f30dfbcde03fc791d3a252c6b41211882ea"
                + "f93e4ae433cc12cf2a43fc0ef26400c0e125508224cdb649380f25479148a4ad",
            number: "2a265f8bcbdcaf94d58519141e578124cb40d64a501fba9c11847b28965bc737",
            secret: "4d4de80f1534850d261075997e3049321a0864082d24a917863366c0724f5ae3"),
    ]

    @Test("agrees on the published secrets, with their leading zeros", arguments: cases)
    func published(published: Case) throws {
        let key = try P256PrivateKey(number: Secret(Bytes.hex(published.number)), named: "the key")
        let peer = try P256PublicKey(Bytes.hex(published.point), named: "the peer")
        #expect(try key.sharedSecret(with: peer).hex == published.secret)
    }

    @Test("two fresh keys differ, and agree on one secret")
    func fresh() throws {
        let (one, two) = (try P256PrivateKey(), try P256PrivateKey())
        #expect(one.publicKey != two.publicKey)
        let secret = try one.sharedSecret(with: P256PublicKey(two.publicKey, named: "two"))
        #expect(try secret == two.sharedSecret(with: P256PublicKey(one.publicKey, named: "one")))
        #expect(secret.count == 32)
    }

    // MARK: Refused points

    private static let prime = "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff"

    /// The coordinates at the edges that Wycheproof's cases 332 to 347 combine.
    static let edges = [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000001",
        "ffffffff00000001000000000000000000000000fffffffffffffffffffffffe", prime,
    ]

    @Test("refuses points that are not on the curve, and coordinates above the prime", arguments: edges, edges)
    func offCurve(x: String, y: String) {
        Self.expectRefusal(of: Bytes.hex("04" + x + y), "is not a point on the curve P-256")
    }

    @Test("refuses a point with one bit changed")
    func changed() {
        var bytes = Bytes.hex(Self.point)
        bytes[64] ^= 1
        Self.expectRefusal(of: bytes, "is not a point on the curve P-256")
    }

    /// Another form of a valid point, and the words that name its fault.
    static let forms: [(bytes: [UInt8], words: String)] = [
        ([], "it has 0"), ([0], "it has 1"), ([UInt8](repeating: 0, count: 65), "its first byte is 0"),
        ([3] + Bytes.hex(point)[1..<33], "it has 33"), (Bytes.hex(point).dropLast(), "it has 64"),
        (Bytes.hex(point) + [0], "it has 66"), (Array(Bytes.hex(point)[1...]), "it has 64"),
        ([6] + Bytes.hex(point)[1...], "its first byte is 6"), ([7] + Bytes.hex(point)[1...], "its first byte is 7"),
        ([4] + Bytes.hex(point)[1...] + Bytes.hex(point), "it has 130"),
    ]

    @Test("refuses the point at infinity, compressed and hybrid points, and other lengths", arguments: forms)
    func otherForms(bytes: [UInt8], words: String) { Self.expectRefusal(of: bytes, words) }

    private static func expectRefusal(of bytes: [UInt8], _ words: String) {
        let error = #expect(throws: PushError.self) { try P256PublicKey(bytes, named: "p256dh") }
        #expect(error?.kind == .invalidArgument)
        #expect(error?.message.hasPrefix("p256dh ") == true && error?.message.contains(words) == true)
    }

    // MARK: Private numbers

    static let order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"

    @Test(
        "refuses a private number of another length, zero, and one that is not below the order",
        arguments: [
            "", "01", number + "00", String(number.dropLast(2)), edges[0], order, prime,
            String(repeating: "f", count: 64),
        ])
    func privateNumbers(number: String) {
        let error = #expect(throws: PushError.self) {
            try P256PrivateKey(number: Secret(Bytes.hex(number)), named: "the key")
        }
        #expect(error?.kind == .misconfigured && error?.message.hasPrefix("the key is no private key") == true)
    }

    @Test(
        "takes 1 and the order less 1, which both keep the other's x", arguments: [edges[1], "\(order.dropLast(2))50"])
    func leastAndGreatest(number: String) throws {
        let key = try P256PrivateKey(number: Secret(Bytes.hex(number)), named: "the key")
        let secret = try key.sharedSecret(with: P256PublicKey(Bytes.hex(Self.point), named: "the peer"))
        #expect(secret.hex == Self.point.dropFirst(2).prefix(64))
    }

    @Test("a private key prints nothing of itself")
    func secrecy() throws {
        let key = try P256PrivateKey(number: Secret(Bytes.hex(Self.number)), named: "the key")
        var dumped = ""
        dump(key, to: &dumped)
        #expect("\(key)" == "a private key on P-256" && !dumped.contains("handle") && !dumped.contains("publicKey"))
    }
}
