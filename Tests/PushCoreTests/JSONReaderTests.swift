import Foundation
import PushAdapter
import Testing

@Suite("reading JSON")
struct JSONReaderTests {
    private func read(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

    @Test("every kind of value is read")
    func values() throws {
        let text =
            #" {"a": [1, -2.5e3, 0, true, false, null], "b": {"": "x\n\u00e9\ud83d\ude00\/"}, "c": [], "d": {}} "#
        let half = try #require(Decimal(string: "-2500"))
        #expect(
            try read(text) == [
                "a": [1, .number(half), 0, true, false, .null], "b": ["": "x\né😀/"], "c": [], "d": [:],
            ])
    }

    @Test(
        "a number keeps every digit or is refused",
        arguments: [
            ("0", "0"), ("-0.5", "-0.5"), ("18446744073709551615", "18446744073709551615"),
            ("99999999999999999999999999999999999999", "99999999999999999999999999999999999999"), ("1e3", "1000"),
            ("1e60", "1" + String(repeating: "0", count: 60)),
            ("1" + String(repeating: "0", count: 60), "1" + String(repeating: "0", count: 60)),
            (
                "-0.0000000000000000000000000000000000000000000000000012500",
                "-0.00000000000000000000000000000000000000000000000000125"
            ),
            ("999999999999999999999999999999999999999", nil), ("1e999", nil), ("01", nil), ("1.", nil), (".5", nil),
            ("-", nil), ("+1", nil), ("1e", nil), ("0x10", nil), ("NaN", nil),
        ])
    func numbers(text: String, expected: String?) throws {
        #expect((try? read(text)).flatMap(\.identifier) == expected)
    }

    @Test(
        "what is no JSON is refused with its place and not its contents",
        arguments: [
            "", " ", "{", "[", "[1", "[1,", "[1,]", "{\"a\"", "{\"a\":", "{\"a\":1,}", "{a:1}", "{\"a\" 1}", "tru",
            "nul",
            "\"secret", "\"\\x\"", "\"\\u12g4\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"a\u{1}b\"",
            "1 2",
            "{\"a\":1}x", "<html></html>", "\u{FEFF}1", "{\"a\":1,\"a\":2}", "[1}", "{\"a\":1]", "'a'",
        ])
    func refused(text: String) {
        let error = #expect(throws: PushError.self) { try read(text) }
        #expect(error?.kind == .malformedResponse && error?.effect == .unknown)
        #expect(error?.message.contains("byte") == true && error?.message.contains("secret") == false)
    }

    @Test("bytes that are no UTF-8 are refused, in a text and with an escape before them")
    func brokenUTF8() {
        for bytes: [UInt8] in [[0x22, 0xFF, 0x22], [0x22, 0x5C, 0x6E, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]] {
            #expect(throws: PushError.self) { try JSONValue(parsing: bytes) }
        }
    }

    @Test("values nest 32 levels deep and no deeper, whoever reads them", arguments: ["[", "{\"a\":"])
    func depth(opening: String) throws {
        func nested(_ levels: Int) -> [UInt8] {
            let closing = opening == "[" ? "]" : "}"
            return Array(
                (String(repeating: opening, count: levels) + "1" + String(repeating: closing, count: levels)).utf8)
        }
        struct Answer: Decodable { var value: JSONValue? }
        _ = try JSONValue(parsing: nested(32))
        _ = try JSONDecoder().decode(JSONValue.self, from: Data(nested(32)))
        for bytes in [nested(33), nested(510), nested(500_000), Array(nested(100_000).prefix(90_000))] {
            let error = #expect(throws: PushError.self) { try JSONValue(parsing: bytes) }
            #expect(error?.message.contains("32 levels") == true)
            let answer = #expect(throws: PushError.self) {
                try WireResponse(status: 200, body: bytes).json(Answer.self)
            }
            #expect(answer?.kind == .malformedResponse && answer?.message.contains("32 levels") == true)
        }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(JSONValue.self, from: Data(nested(40))) }
    }

    @Test("NaN is never written as a number, and refused in a message and by an encoder")
    func notANumber() throws {
        let value: JSONValue = ["a": [.number(.nan)]]
        #expect(String(decoding: JSONWriter.bytes(of: value), as: UTF8.self) == #"{"a":[null]}"#)
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(value) }
        let messages = [
            Message(notification: Notification(body: "b", extras: ["x": value])),
            Message(custom: CustomMessage(content: "c", extras: ["x": value])), Message(liveActivity: value),
            Message(voip: value),
        ]
        for message in messages {
            let error = #expect(throws: PushError.self) { try Limits().check(.message(message), of: "test") }
            #expect(error?.kind == .invalidArgument && error?.message.contains("NaN") == true)
        }
    }

    @Test(
        "what was read is written, and read again as the same",
        arguments: ["1e60", "-1.5e-90", "0.1", "1e127", "12300e-2"])
    func roundTrip(text: String) throws {
        let value = try read(text)
        #expect(try JSONValue(parsing: JSONWriter.bytes(of: value)) == value)
    }

    @Test(
        "an id of more digits than a number keeps is refused, and not rounded",
        arguments: [(38, true), (39, false), (56, false)])
    func longID(digits: Int, isRead: Bool) throws {
        struct Row: Decodable { var id: WireText }
        let text = String(repeating: "9", count: digits)
        let row = try? WireResponse(status: 200, body: Array(#"{"id":\#(text)}"#.utf8)).json(Row.self)
        #expect(row?.id.text == (isRead ? text : nil))
    }

    @Test("brackets in a text are no depth")
    func brackets() throws {
        struct Row: Decodable { var a: String }
        let text = String(repeating: #"[{\""#, count: 100)
        let row = try WireResponse(status: 200, body: Array("{\"a\":\"\(text)\"}".utf8)).json(Row.self)
        #expect(row.a.count == 300)
    }

    @Test("texts that random edits break are read as the library's decoder reads them, or refused")
    func againstTheLibrary() throws {
        let seed = Array(#"{"a":[1,-2.5e3,true,null,"x\n\u00e9"],"b":{"c":"d","e":0.125},"f":[[],{}]}"#.utf8)
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            var bytes = seed
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                default: bytes.insert(seed[Int.random(in: 0..<seed.count, using: &random)], at: place)
                }
            }
            guard let ours = try? JSONValue(parsing: bytes) else { continue }
            let theirs = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes))
            #expect(ours == theirs, "\(bytes)")
        }
    }
}
