import PushAdapter
import PushCrypto
import Testing

@Suite("HKDF with SHA-256")
struct HKDFTests {
    /// A case of RFC 5869, appendix A.
    struct Case: Sendable {
        let material: [UInt8]
        let salt: [UInt8]
        let purpose: [UInt8]
        let key: String
        let output: String
    }

    static let cases = [
        Case(
            material: [UInt8](repeating: 0x0B, count: 22), salt: Array(0x00...0x0C), purpose: Array(0xF0...0xF9),
            key: "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5",
            output: "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"),
        Case(
            material: Array(0x00...0x4F), salt: Array(0x60...0xAF), purpose: Array(0xB0...0xFF),
            key: "06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244",
            output: "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09"
                + "da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87"),
        Case(
            material: [UInt8](repeating: 0x0B, count: 22), salt: [], purpose: [],
            key: "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04",
            output: "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"),
    ]

    @Test("gives the keys of RFC 5869, with a long salt and without one", arguments: cases)
    func published(published: Case) throws {
        let hkdf = try HKDF()
        let key = try hkdf.extract(salt: Secret(published.salt), from: Secret(published.material))
        #expect(key.hex == published.key)
        let count = published.output.count / 2
        #expect(try hkdf.expand(key, for: published.purpose, count: count).hex == published.output)
        // A shorter output is the beginning of a longer one.
        for count in [1, 31, 32, 33] {
            #expect(
                try hkdf.expand(key, for: published.purpose, count: count).hex == published.output.prefix(count * 2))
        }
    }

    @Test("expands to 255 blocks and no further, and never to nothing")
    func lengths() throws {
        let hkdf = try HKDF()
        let key = Secret(Bytes.hex(Self.cases[2].key))
        let longest = try hkdf.expand(key, for: [], count: 8160)
        #expect(
            Digests.hex(Digests.sha256(longest.withBytes { Array($0) }))
                == "35741a9b515760e7e640f60e9d8657af4d09e63be63e55b1b31ca0535721ab80")
        for count in [Int.min, -1, 0, 8161, Int.max] {
            let error = #expect(throws: PushError.self) { try hkdf.expand(key, for: [], count: count) }
            #expect(error?.kind == .invalidArgument)
        }
    }

    @Test("expands no key below 32 bytes", arguments: [0, 16, 31])
    func shortKeys(count: Int) throws {
        let hkdf = try HKDF()
        let error = #expect(throws: PushError.self) {
            try hkdf.expand(Secret([UInt8](repeating: 1, count: count)), for: [], count: 32)
        }
        #expect(error?.kind == .invalidArgument)
    }
}
