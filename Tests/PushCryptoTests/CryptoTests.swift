import PushAdapter
import PushCrypto
import Testing

@Suite("Cryptography")
struct CryptoTests {
    @Test("SHA-256 gives the published digests")
    func sha256() {
        #expect(
            Digests.hex(Digests.sha256(Array("abc".utf8)))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            Digests.hex(Digests.sha256([]))
                == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }

    @Test("MD5 gives the digests of RFC 1321")
    func md5() throws {
        #expect(Digests.hex(try Digests.md5(Array("abc".utf8))) == "900150983cd24fb0d6963f7d28e17f72")
        #expect(Digests.hex(try Digests.md5([])) == "d41d8cd98f00b204e9800998ecf8427e")
    }

    @Test("HMAC-SHA256 gives the codes of RFC 4231, also with keys longer than a block and an empty key")
    func hmac() {
        func code(_ key: [UInt8], _ data: String) -> String {
            Digests.hex(Digests.hmacSHA256(Array(data.utf8), key: Secret(key)))
        }
        #expect(
            code([UInt8](repeating: 0x0B, count: 20), "Hi There")
                == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
        #expect(
            code([UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First")
                == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
        #expect(code([], "") == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
    }

    @Test("comparison sees every byte and the length")
    func comparison() {
        #expect(Digests.areEqual([1, 2, 3], [1, 2, 3]))
        #expect(!Digests.areEqual([1, 2, 3], [1, 2, 4]))
        #expect(!Digests.areEqual([1, 2, 3], [1, 2]))
        #expect(Digests.areEqual([], []))
    }

    @Test("random bytes differ")
    func random() throws {
        #expect(try SecureRandom.bytes(16) != SecureRandom.bytes(16))
        #expect(try SecureRandom.bytes(0).isEmpty)
    }

    @Test("a certificate is made anew each time and prints nothing of its key")
    func certificate() throws {
        let first = try SelfSignedCertificate()
        #expect(first.certificate.hasPrefix("-----BEGIN CERTIFICATE-----"))
        #expect(first.privateKey.contains("PRIVATE KEY"))
        #expect(try first.privateKey != SelfSignedCertificate().privateKey)
        #expect(!"\(first)".contains("PRIVATE"))
    }
}
