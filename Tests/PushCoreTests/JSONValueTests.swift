import Foundation
import PushAdapter
import Testing

@Suite("JSON values")
struct JSONValueTests {
    @Test(
        "a long id keeps every digit, as a number and as a text",
        arguments: ["18103084512345678", "18446744073709551615"])
    func longIdentifiers(digits: String) throws {
        let value = try JSONValue(parsing: Array(#"{"number":\#(digits),"text":"\#(digits)"}"#.utf8))
        #expect(value["number"]?.identifier == digits)
        #expect(value["text"]?.identifier == digits)
    }

    @Test(
        "what is no JSON is refused",
        arguments: [
            "", "{", "nope", "\"\\ud800\"", "{\"a\":1}x", "<html></html>", "\u{FEFF}",
        ])
    func refused(text: String) {
        #expect(throws: PushError.self) { try JSONValue(parsing: Array(text.utf8)) }
    }

    @Test("bytes that are no UTF-8 are refused")
    func brokenUTF8() {
        #expect(throws: PushError.self) { try JSONValue(parsing: [0x22, 0xFF, 0xFE, 0x22]) }
    }

    @Test("a decoding complaint names the place and not the contents")
    func reasons() throws {
        enum Color: String, Decodable { case red }
        struct Row: Decodable { var count: Int?, color: Color? }
        for field in ["count", "color"] {
            let document = Data(#"[{"\#(field)":"secret-text"}]"#.utf8)
            let error = try #require(throws: DecodingError.self) {
                try JSONDecoder().decode([Row].self, from: document)
            }
            let reason = JSONValue.reason(for: error)
            #expect(reason.contains("[0].\(field)") && !reason.contains("secret-text"))
        }
    }
}
