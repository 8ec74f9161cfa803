import PushAdapter
import PushCrypto
import Testing

/// Secrets as base64, which are decoded without a copy that stays in memory.
@Suite("Secrets as text")
struct SecretTextTests {
    private static let texts: [(text: String, bytes: [UInt8]?)] = [
        ("", []), ("AA", [0]), ("AA==", [0]), ("AAE", [0, 1]), ("AAE=", [0, 1]), ("AAEC", [0, 1, 2]),
        ("-_-_", [0xFB, 0xFF, 0xBF]), ("+/+/", [0xFB, 0xFF, 0xBF]), (" A\tA\r\nE =\n", [0, 1]),
        ("QUJDRA", Array("ABCD".utf8)), ("Zm9vYmFy", Array("foobar".utf8)), ("A", nil), ("AAAAA", nil), ("AA===", nil),
        ("A=A", nil), ("AA.A", nil), ("A\u{E4}", nil), ("*", nil), ("-----", nil),
    ]

    @Test("base64 in any spelling gives its bytes, and no other text does", arguments: texts)
    func decoding(text: String, bytes: [UInt8]?) {
        #expect(Secret(text).base64Decoded?.withBytes { Array($0) } == bytes)
    }

    @Test("every length and every byte comes back")
    func lengths() {
        for count in 0...70 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11 &* count) }
            #expect(Secret(Base64URL.encode(bytes)).base64Decoded == Secret(bytes))
        }
    }
}
