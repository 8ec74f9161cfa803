import PushAdapter
import PushCrypto
import Testing

@Suite("The content encoding aes128gcm")
struct ContentEncodingTests {
    private static let text = Array("I am the walrus".utf8)
    private static let first = Secret(Bytes.base64("yqdlZ-tYemfogSmv7Ws5PQ"))
    private static let second = Secret(Bytes.base64("BO3ZVPxUlnLORbVGMpbT1Q"))
    private static let salt = Bytes.base64("uNCkWiNYzKTnBN9ji3-qWA")

    private static func header(_ size: Int, _ keyID: String = "") throws -> ContentEncoding.Header {
        try ContentEncoding.Header(salt: salt, recordSize: size, keyID: Array(keyID.utf8))
    }

    private static func decrypt(_ body: [UInt8]) throws -> [UInt8] {
        try ContentEncoding.decrypt(body) { _ throws(PushError) in second }
    }

    // MARK: Published

    @Test("one record is that of RFC 8188, section 3.1, with its intermediate values")
    func oneRecord() throws {
        let salt = Bytes.base64("I1BsxtFttlv3u_Oo94xnmw")
        let body = "I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg"
        #expect(
            try HKDF().extract(salt: Secret(salt), from: Self.first).base64
                == "zyeH5phsIsgUyd4oiSEIy35x-gIi4aM7y0hCF8mwn9g")
        let keys = try ContentKeys(from: Self.first, salt: salt)
        #expect(keys.key.base64 == "_wniytB-ofscZDh4tbSjHw" && keys.nonce.base64 == "Bcs8gkIRKLI8GeI8")
        let header = try ContentEncoding.Header(salt: salt, recordSize: 4096, keyID: [])
        #expect(Base64URL.encode(try ContentEncoding.encrypt(Self.text, header: header, by: Self.first)) == body)
        let text = try ContentEncoding.decrypt(Bytes.base64(body)) { found throws(PushError) in
            #expect(found == header)
            return Self.first
        }
        #expect(text == Self.text)
    }

    @Test("two records, with padding and a key id, are those of RFC 8188, section 3.2")
    func twoRecords() throws {
        let body = "uNCkWiNYzKTnBN9ji3-qWAAAABkCYTHOG8chz_gnvgOqdGYovxyjuqRyJFjEDyoF1Fvkj6hQPdPHI51OEUKEpgz3SsLWIqS_uA"
        let header = try Self.header(25, "a1")
        #expect(
            Base64URL.encode(try ContentEncoding.encrypt(Self.text, header: header, by: Self.second, padding: 1))
                == body)
        let found = try ContentEncoding.Header(of: Bytes.base64(body))
        #expect(found == header && found.count == 23)
        #expect(try Self.decrypt(Bytes.base64(body)) == Self.text)
    }

    // MARK: Computed apart from this code, with Python's cryptography

    /// Padding stands in the first records, behind at least one byte of text.
    @Test(
        "padding fills the first records, and records of its own behind the text",
        arguments: [
            (
                "0123456789", 12,
                "uNCkWiNYzKTnBN9ji3-qWAAAABkCYTG3OqZM74xPvwNM5qHGSsxz7nJQpmL0P516gEmg78QiSKDFQ3qcN3yoiAto2w55gStuMm2kIF4e"
                    + "Ux2uLhSCETRMTpx0ddCpta4T"
            ),
            (
                "x", 20,
                "uNCkWiNYzKTnBN9ji3-qWAAAABkCYTH_OqZM74xPvwMHOcwMpIB3uJcEhflmVPhFsHuT7sQiSKDFOxvXIItJdJA_j3pwz1MhKluRFmkm"
                    + "ap1Zye42CZPPYCTxz1Lp4-I"
            ),
        ])
    func padding(text: String, count: Int, body: String) throws {
        let encrypted = try ContentEncoding.encrypt(
            Array(text.utf8), header: Self.header(25, "a1"), by: Self.second, padding: count)
        #expect(Base64URL.encode(encrypted) == body)
        #expect(try Self.decrypt(encrypted) == Array(text.utf8))
    }

    @Test(
        "decrypts records of the least size, full last records, padding anywhere, and an empty text",
        arguments: [
            ("", "uNCkWiNYzKTnBN9ji3-qWAAAABIAhZc9QCVNUALyv3thtvkDqm8"),
            (
                "abc",
                "uNCkWiNYzKTnBN9ji3-qWAAAABIA5jrTG98aaDJFMh-eA_dilflO03pHmKpcI7FqaozhI20IwHLNOpO8OqKgHxAoBqfDCh_OMJ-b"
            ),
            (
                "1234567812345678",
                "uNCkWiNYzKTnBN9ji3-qWAAAABkAtgmVeNq6eIcCFHerBUU96pbxVPzAVhFXv4BJoNrxFH-YxxTqmMYGu44uX6bGIIGlLNI"
            ),
            (
                "walrus",
                "uNCkWiNYzKTnBN9ji3-qWAAAABkAhjumTO-MT78DDP9Zke59zkSoLrl13KRsqcYa_5yxUUqgudi5E0zkS5qMTWWfLz5zjQ"
            ),
            (
                "12345678",
                "uNCkWiNYzKTnBN9ji3-qWAAAABkAtgmVeNq6eIcCFHerBUU96pbxVPzAVhFXv7N7k-7EIkigxQBILsVPCkJ-FgFNDd-Rg8s"
            ),
            ("\0\u{1}\u{2}\0", "uNCkWiNYzKTnBN9ji3-qWAAAABkAhzqkTO2MT1Tub8zOvrObKIYRnWSp1xA"),
        ])
    func accepted(text: String, body: String) throws {
        #expect(try Self.decrypt(Bytes.base64(body)) == Array(text.utf8))
    }

    @Test("what it encrypts, it decrypts, at every size of text around a record", arguments: [18, 19, 25], 0...18)
    func roundTrip(size: Int, count: Int) throws {
        let text = (0..<count).map { UInt8($0 % 3) }
        for padding in 0...18 {
            let body = try ContentEncoding.encrypt(text, header: Self.header(size), by: Self.second, padding: padding)
            #expect(try Self.decrypt(body) == text)
            let records = max(1, (count + padding + size - 18) / (size - 17))
            #expect(body.count == 21 + count + padding + 17 * records)
        }
    }

    // MARK: Refused

    /// A body with the key id `a1`, its fault, and the words that name it. Each tag fits unless the words say otherwise.
    struct Body: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let words: String

        init(_ fault: String, _ records: String, _ words: String, size: UInt8 = 25, salt: String? = nil) {
            testDescription = fault
            bytes =
                Bytes.base64(salt ?? "uNCkWiNYzKTnBN9ji3-qWA") + [0, 0, 0, size, 2] + "a1".utf8
                + Bytes.base64(records)
            self.words = words
        }
    }

    private static let one = "zhvHIc_4J74DqnRmKL8co7qkciRYxA8qBQ"
    private static let both = "zhvHIc_4J74DqnRmKL8co7qkciRYxA8qBdRb5I-oUD3TxyOdThFChKYM90rC1iKkv7g"

    static let refused = [
        Body(
            "delimiter 1 at the end", "8FrKPpr_TjzwGytXMEUadkDvIRoUUZY",
            "record 1 is the last one, but its delimiter is not 2"),
        Body(
            "delimiter 3 at the end", "8FrKPpr_TLysIAg8h5SHJwZooz6gYJ0",
            "record 1 is the last one, but its delimiter is not 2"),
        Body(
            "delimiter 2 before the end",
            "zhvHIc_4J9oBA9hM1JklIIQwcUCZIRmj4pEM8oK2Vzui_s-biofYogXGo2f5_XuSBg",
            "record 1 is not the last one, but its delimiter is not 1"),
        Body("no delimiter", "hzumNevy15GiV3yNFq7yO7Z0Lg", "record 1 has no delimiter"),
        Body(
            "no delimiter before the end",
            "hzumTO-MT78DpDHxMq283B6wq1Re0xoNCcYa_5yxUUqpAM4gb0CDG8jJJDT5jhTK", "record 1 has no delimiter"),
        Body(
            "padding that is not zero", "8FrKTu-NVigNJuIbdn1HeJDuw_sFsw",
            "record 1 is the last one, but its delimiter is not 2"),
        Body("no record", "", "record 1 has 0 bytes; the minimum is 17"),
        Body("a record without a delimiter", "cGVg8sZqeCJtX4aALK6awA", "record 1 has 16 bytes; the minimum is 17"),
        Body(
            "a last record without a delimiter",
            "zhvHIc_4J9oCNKHxpr-X_ugJIrl85VqVDLIeK-5V7yY8mnDzBrh5QBo", "record 2 has 16 bytes"),
        Body("cut by a byte", "\(both.dropLast(3))vw", "record 2 was encrypted with another key, or it was changed"),
        Body("cut behind the first record", one, "record 1 is the last one, but its delimiter is not 2"),
        Body(
            "records in another order", "1Fvkj6hQPdPHI51OEUKEpgz3SsLWIqS_uM4bxyHP-Ce-A6p0Zii_HKO6pHIkWMQPKgU",
            "record 1 was encrypted"),
        Body(
            "a record twice", "zhvHIc_4J74DqnRmKL8co7qkciRYxA8qBc4bxyHP-Ce-A6p0Zii_HKO6pHIkWMQPKgU",
            "record 2 was encrypted"),
        Body(
            "a byte behind the last record",
            "zhvHIc_4J9oCNKHxpr-X_ugJIrl85VqVDJEM8oK2Vzui_s-biofYogXGo2f5_XuSBgA", "record 2 was encrypted"),
        Body(
            "a byte behind a full last record",
            "zhvHIc_4J9oCNKHxpr-X_ugJIrl85VqVDNRb5I-oUD3TxyOdThFChKYM90rC1iKkv7gA",
            "record 2 is not the last one, but its delimiter is not 1"),
        Body(
            "a record above the record size", "zhvHIc_4J9ojdqYZvsEMqiWxIfzp0RoX9aIEag5sqkk", "record 1 was encrypted"),
        Body("another record size", both, "record 1 was encrypted", size: 26),
        Body("another salt", both, "record 1 was encrypted", salt: "udCkWiNYzKTnBN9ji3-qWA"),
        Body(
            "a bit changed", "zxvHIc_4J74DqnRmKL8co7qkciRYxA8qBdRb5I-oUD3TxyOdThFChKYM90rC1iKkv7g",
            "record 1 was encrypted"),
        Body("record size 17", both, "the record size is 17; the minimum is 18", size: 17),
        Body("record size 0", both, "the record size is 0; the minimum is 18", size: 0),
    ]

    @Test("refuses faulty bodies whole, and names the fault", arguments: refused)
    func refusals(body: Body) {
        let error = #expect(throws: PushError.self) { try Self.decrypt(body.bytes) }
        #expect(error?.kind == .invalidArgument)
        #expect(error?.message.contains(body.words) == true, "\(error?.message ?? "")")
    }

    @Test("refuses a body that ends in its header")
    func cutHeader() throws {
        let header = try Self.header(25, "a1").bytes
        for count in 0..<header.count {
            let error = #expect(throws: PushError.self) { try ContentEncoding.Header(of: Array(header.prefix(count))) }
            #expect(error?.message.contains("the body ends in it, after \(count) bytes") == true)
        }
    }

    @Test("a header takes a salt of 16 bytes, a key id up to 255, and record sizes from 18 to 4,294,967,295")
    func headers() throws {
        for count in [0, 15, 17, 32] {
            #expect(throws: PushError.self) {
                try ContentEncoding.Header(salt: [UInt8](repeating: 1, count: count), recordSize: 4096, keyID: [])
            }
        }
        for size in [Int.min, -1, 0, 17, 4_294_967_296] {
            #expect(throws: PushError.self) { try Self.header(size) }
        }
        #expect(throws: PushError.self) { try Self.header(18, String(repeating: "k", count: 256)) }
        for size in [18, 256, 65_536, 4_294_967_295] {
            let header = try Self.header(size, String(repeating: "k", count: 255))
            #expect(try ContentEncoding.Header(of: header.bytes + [9, 9]) == header && header.count == 276)
        }
    }

    @Test("refuses a padding below zero or beyond reason", arguments: [Int.min, -1, Int.max])
    func wrongPadding(count: Int) throws {
        let header = try Self.header(4096)
        let error = #expect(throws: PushError.self) {
            try ContentEncoding.encrypt([1], header: header, by: Self.second, padding: count)
        }
        #expect(error?.kind == .invalidArgument)
    }
}
