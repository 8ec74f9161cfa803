import PushAdapter
import PushCrypto
import Testing

@Suite("Encryption of Web Push")
struct WebPushEncryptionTests {
    /// RFC 8291, section 5 and appendix A.
    private enum Example {
        static let text = "When I grow up, I want to be a watermelon"
        static let sender = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
        static let senderPublic =
            "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
        static let receiver = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
        static let receiverPublic =
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
        static let salt = "DGv6ra1nlYgDCS1FRnbzlw"
        static let auth = "BTBZMqHH6r4Tts7J_aSIgg"
        static let purpose =
            "V2ViUHVzaDogaW5mbwAEJXGyvs3942BVGq8e0PTNNmwRzr5VX4m8t7GGpTM5FzFo7OLr4BhZe9MEebhuPI-OztV3ylkYfpJGmQ22ggCL"
            + "DgT-M_SrDepxkU21WCP3O1SUj0EwbZIHMtu5pZpTKGSCIA5Zent7wmC6HCJ5mFgJkuk5cwAvMBKiiujwa7t45ewP"
        static let header =
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK"
            + "6PBru3jl7A8"
        static let record = "8pfeW0KbunFT06SuDKoJH9Ql87S1QUrdirN6GcG7sFz1y1sqLgVi1VhjVkHsUoEsbI_0LpXMuGvnzQ"
        /// The record with eight bytes of padding; computed apart from this code.
        static let padded =
            "8pfeW0KbunFT06SuDKoJH9Ql87S1QUrdirN6GcG7sFz1y1sqLgVi1Vhjkq5_r-A7eW9K0krFQGkMrSElF7Vkxowu"

        static var encryption: WebPushEncryption {
            get throws {
                try WebPushEncryption(p256dh: Bytes.base64(receiverPublic), auth: Secret(Bytes.base64(auth)))
            }
        }
        static var decryption: WebPushDecryption {
            get throws { try WebPushDecryption(key(receiver), auth: Secret(Bytes.base64(auth))) }
        }
        static func key(_ number: String) throws -> P256PrivateKey {
            try P256PrivateKey(number: Secret(Bytes.base64(number)), named: "the key")
        }
    }

    // MARK: Published

    @Test("every value between the keys and the nonce is that of RFC 8291, appendix A")
    func derivation() throws {
        let (sender, receiver) = (try Example.key(Example.sender), try Example.key(Example.receiver))
        #expect(Base64URL.encode(sender.publicKey) == Example.senderPublic)
        #expect(Base64URL.encode(receiver.publicKey) == Example.receiverPublic)
        let secret = try sender.sharedSecret(with: P256PublicKey(receiver.publicKey, named: "the peer"))
        #expect(secret.base64 == "kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs")
        #expect(try secret == receiver.sharedSecret(with: P256PublicKey(sender.publicKey, named: "the peer")))
        let auth = Secret(Bytes.base64(Example.auth))
        let hkdf = try HKDF()
        #expect(try hkdf.extract(salt: auth, from: secret).base64 == "Snr3JMxaHVDXHWJn5wdC52WjpCtd2EIEGBykDcZW32k")
        let purpose = WebPushKeys.purpose(receiver: receiver.publicKey, sender: sender.publicKey)
        #expect(Base64URL.encode(purpose) == Example.purpose)
        let material = try WebPushKeys.material(from: secret, auth: auth, purpose: purpose)
        #expect(material.base64 == "S4lYMb_L0FxCeq0WhDx813KgSYqU26kOyzWUdsXYyrg")
        let salt = Bytes.base64(Example.salt)
        #expect(
            try hkdf.extract(salt: Secret(salt), from: material).base64
                == "09_eUZGrsvxChDCGRCdkLiDXrReGOEVeSCdCcPBSJSc")
        let keys = try ContentKeys(from: material, salt: salt)
        #expect(keys.key.base64 == "oIhVW04MRdy2XN9CiKLxTg" && keys.nonce.base64 == "4h_95klXJ5E_qnoN")
    }

    @Test(
        "the body is that of RFC 8291, with and without padding", arguments: [(0, Example.record), (8, Example.padded)])
    func body(padding: Int, record: String) throws {
        let body = try Example.encryption.encrypt(
            Array(Example.text.utf8), padding: padding, from: Example.key(Example.sender),
            salt: Bytes.base64(Example.salt))
        #expect(Base64URL.encode(Array(body.prefix(86))) == Example.header)
        #expect(Base64URL.encode(Array(body.dropFirst(86))) == record)
        #expect(try Example.decryption.decrypt(body) == Array(Example.text.utf8))
    }

    @Test("a shared secret keeps its leading zero")
    func leadingZero() throws {
        let sender = try P256PrivateKey(
            number: Secret([UInt8](repeating: 0, count: 31) + [123]), named: "the sender's key")
        let receiver = try P256PublicKey(Bytes.base64(Example.receiverPublic), named: "p256dh")
        #expect(
            try sender.sharedSecret(with: receiver).hex
                == "001353d99068490f80159491db1c381bdec41544ff11466f1a53064df91d4af0")
        let body = try Example.encryption.encrypt([7], from: sender, salt: Bytes.base64(Example.salt))
        #expect(try Example.decryption.decrypt(body) == [7])
    }

    // MARK: Fresh

    @Test("each message has a key and a salt of its own")
    func fresh() throws {
        let browser = try WebPushDecryption()
        let encryption = try WebPushEncryption(p256dh: browser.p256dh, auth: browser.auth)
        let bodies = try (0..<3).map { _ in try encryption.encrypt([1, 2, 3]) }
        let headers = try bodies.map { try ContentEncoding.Header(of: $0) }
        #expect(Set(headers.map(\.salt)).count == 3 && Set(headers.map(\.keyID)).count == 3)
        for (body, header) in zip(bodies, headers) {
            #expect(header.recordSize == 4096 && header.keyID.count == 65 && body.count == 106)
            #expect(try browser.decrypt(body) == [1, 2, 3])
        }
    }

    @Test("only the subscription itself decrypts a message")
    func strangers() throws {
        let (browser, stranger) = (try WebPushDecryption(), try WebPushDecryption())
        #expect(browser.p256dh != stranger.p256dh && browser.auth != stranger.auth)
        let body = try WebPushEncryption(p256dh: browser.p256dh, auth: browser.auth).encrypt([1])
        #expect(throws: PushError.self) { try stranger.decrypt(body) }
        let otherAuth = try WebPushEncryption(p256dh: browser.p256dh, auth: stranger.auth).encrypt([1])
        let error = #expect(throws: PushError.self) { try browser.decrypt(otherAuth) }
        #expect(error?.message.contains("record 1 was encrypted with another key, or it was changed") == true)
    }

    // MARK: Sizes

    @Test(
        "a body has at most 4,096 bytes, padding included",
        arguments: [(0, 0), (0, 3993), (3992, 1), (3993, 0), (1, 0)])
    func sizes(count: Int, padding: Int) throws {
        let text = [UInt8](repeating: 2, count: count)
        let body = try Example.encryption.encrypt(text, padding: padding)
        #expect(body.count == 103 + count + padding)
        #expect(try Example.decryption.decrypt(body) == text)
    }

    @Test(
        "refuses more, before anything is encrypted",
        arguments: [(3994, 0), (0, 3994), (3993, 1), (10_000, 0), (0, Int.max), (5000, Int.min)])
    func tooLong(count: Int, padding: Int) throws {
        let error = #expect(throws: PushError.self) {
            try Example.encryption.encrypt([UInt8](repeating: 2, count: count), padding: padding)
        }
        #expect(error?.kind == .tooLong && error?.message.contains("\(count) bytes") == true)
    }

    @Test("refuses a padding below zero")
    func negativePadding() {
        let error = #expect(throws: PushError.self) { try Example.encryption.encrypt([1], padding: -1) }
        #expect(error?.kind == .invalidArgument)
    }

    // MARK: Refused

    @Test("refuses an auth secret that does not have 16 bytes", arguments: [0, 15, 17, 22, 32])
    func auth(count: Int) throws {
        let auth = Secret([UInt8](repeating: 5, count: count))
        let point = Bytes.base64(Example.receiverPublic)
        let key = try Example.key(Example.receiver)
        for error in [
            #expect(throws: PushError.self) { try WebPushEncryption(p256dh: point, auth: auth) },
            #expect(throws: PushError.self) { try WebPushDecryption(key, auth: auth) },
        ] {
            #expect(error?.kind == .invalidArgument && error?.message.contains("it has \(count)") == true)
        }
    }

    @Test("refuses a salt that does not have 16 bytes", arguments: [0, 15, 17])
    func salt(count: Int) throws {
        let key = try P256PrivateKey()
        #expect(throws: PushError.self) {
            try Example.encryption.encrypt([1], from: key, salt: [UInt8](repeating: 5, count: count))
        }
    }

    /// Bodies that this subscription's keys encrypted, each with one fault; computed apart from this code.
    static let faulty: [(body: String, words: String)] = [
        (
            // Two records of 40 bytes.
            "DGv6ra1nlYgDCS1FRnbzlwAAAChBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBr"
                + "u3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSqjYRX3dkFqSjgPR604PgvDTf_SlUU6eJHjoTJDFNNolkzTUP5cEUQxAgZtIkOIPcA-I"
                + "9Jo",
            "the body must have one record"
        ),
        (
            // The record is as long as the record size.
            "DGv6ra1nlYgDCS1FRnbzlwAAADpBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBr"
                + "u3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
            "it has 58 bytes, and the record size is 58"
        ),
        (
            // The delimiter is 1.
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBr"
                + "u3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGD27GZnbh8yHB93lX8vyT9_",
            "record 1 is the last one, but its delimiter is not 2"
        ),
        (
            // The sender's point is compressed.
            "DGv6ra1nlYgDCS1FRnbzlwAAEAAhA_4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgu07fHk5LYU2CT7pSpQyOgErEDB3xsMO9tXtD"
                + "n6WU4K5fZbzxttyI7V6EbJSxnAx533hMpwAloyUmKg",
            "the sender's key in the header must be an uncompressed point on P-256: 65 bytes, the first a 4; it has 33"
        ),
        (
            // It is hybrid.
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBB_4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBr"
                + "u3jl7A8SNjw2ohKHmTXuvNxVMLHxiHbxphzwwUdpFJ6pIFuEnLGM-6rI8WPKq637lwZSrLMQ3mNW88HnNV33",
            "its first byte is 7"
        ),
        (
            // It is missing.
            "DGv6ra1nlYgDCS1FRnbzlwAAEAAAWI7RIT6e42cU2NTo1J2G3hLWFZq1zcvgTRk6aF-cTDdJCSlG5N06F-gl9lA6mem-R_3jsTUC_OMeEA",
            "it has 0"
        ),
        (
            // It is not on the curve.
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBr"
                + "u3jl7A7C8ZCLU5h66KCeKv6D6RakgIOBfBZu2FjxbR7_AEczg5LFMc4QTNCmY0QgZHMVGbvxewIZweFrNZrU",
            "is not a point on the curve P-256"
        ),
    ]

    @Test("a browser refuses what RFC 8291 forbids", arguments: faulty)
    func refusals(body: String, words: String) throws {
        let error = #expect(throws: PushError.self) { try Example.decryption.decrypt(Bytes.base64(body)) }
        #expect(error?.kind == .invalidArgument)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test("a browser takes the least record size above the record")
    func leastRecordSize() throws {
        var body = Bytes.base64(Example.header) + Bytes.base64(Example.record)
        body.replaceSubrange(16..<20, with: [0, 0, 0, 59])
        #expect(try Example.decryption.decrypt(body) == Array(Example.text.utf8))
    }

    @Test("neither side prints its keys")
    func secrecy() throws {
        var dumped = ""
        dump(try Example.encryption, to: &dumped)
        dump(try Example.decryption, to: &dumped)
        #expect(
            dumped.split(separator: "\n") == [
                "- the encryption for a subscription", "- the private keys of a subscription",
            ])
    }
}
