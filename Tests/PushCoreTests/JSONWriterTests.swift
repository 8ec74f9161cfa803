import Foundation
import PushAdapter
import PushSimulation
import Testing

@Suite("JSON writer")
struct JSONWriterTests {
    @Test("writes fields in call order, without spaces")
    func order() throws {
        let bytes = try JSONWriter.bytes { (json) throws(PushError) in
            try json.object { (json) throws(PushError) in
                json.field("b", 1)
                json.field("a", "x")
                try json.field("list") { (json) throws(PushError) in
                    try json.array { json in
                        json.value(true)
                        json.value("y")
                    }
                }
                json.field("tags", [Tag("p"), Tag("q")])
                json.field("raw", encoded: [0x7B, 0x7D])
                json.field("end", false)
            }
        }
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == #"{"b":1,"a":"x","list":[true,"y"],"tags":["p","q"],"raw":{},"end":false}"#)
    }

    @Test(
        "escapes what JSON demands and nothing else",
        arguments: [
            ("\"", #""\"""#), ("\\", #""\\""#), ("\n\r\t", #""\n\r\t""#), ("\u{0}\u{1F}", #""\u0000\u001f""#),
            ("/", #""/""#), ("\u{7F}é😀\u{2028}", "\"\u{7F}é😀\u{2028}\""), ("", #""""#),
        ])
    func escapes(text: String, expected: String) {
        #expect(String(decoding: JSONWriter.bytes(of: .string(text)), as: UTF8.self) == expected)
    }

    @Test("escapes at every place of texts of every length, beside every neighbor")
    func places() throws {
        let special: [UInt8] = [0x00, 0x1F, 0x20, 0x21, 0x22, 0x23, 0x5B, 0x5C, 0x5D, 0x7F]
        for length in 1...20 {
            for place in 0..<length {
                for (byte, neighbor) in zip(special, special.dropFirst() + [0xC3]) {
                    var bytes = [UInt8](repeating: 0x61, count: length)
                    bytes[place] = byte
                    if place + 1 < length { bytes[place + 1] = neighbor == 0xC3 ? 0x22 : neighbor }
                    let text = String(decoding: bytes, as: UTF8.self)
                    let json = JSONWriter.bytes(of: .string(text))
                    #expect(json.allSatisfy { $0 >= 0x20 })
                    #expect(try JSONValue(parsing: json) == .string(text))
                }
            }
        }
    }

    @Test("grows as it is written, and counts")
    func growth() throws {
        let text = String(repeating: "é\"", count: 40_000)
        var counts: [Int] = []
        let bytes = try JSONWriter.bytes(reserving: 0) { (json) throws(PushError) in
            counts.append(json.count)
            try json.object { json in
                json.field("a", text)
                json.field("b", [text, text].map { Tag($0) })
            }
            counts.append(json.count)
        }
        #expect(counts == [0, bytes.count])
        #expect(try JSONValue(parsing: bytes) == ["a": .string(text), "b": [.string(text), .string(text)]])
    }

    @Test("sorts the fields of a value, so that equal values have equal bytes")
    func sorted() {
        let value: JSONValue = ["z": 1, "a": [.null, true], "é": "x"]
        #expect(String(decoding: JSONWriter.bytes(of: value), as: UTF8.self) == #"{"a":[null,true],"z":1,"é":"x"}"#)
    }

    @Test("what it writes, the library's parser reads back as the same value", arguments: 0..<40)
    func fuzz(seed: UInt64) throws {
        var random = SplitMix(seed: seed &* 7919 &+ 1)
        for _ in 0..<50 {
            let value = random.value(depth: 4)
            let bytes = JSONWriter.bytes(of: value)
            #expect(try JSONValue(parsing: bytes) == value)
            // The library's second parser shares no code with the first.
            let object = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
            #expect(JSONValue(foundation: object) == value)
        }
    }
}

extension SplitMix {
    mutating func text() -> String {
        let pieces = [
            "a", "\"", "\\", "\n", "\u{0}", "\u{1}", "é", "字", "😀", "👩‍👩‍👧", "\u{202E}", "\u{FFFF}", "/", " ", "\u{7F}",
            "\u{10FFFF}", "e\u{301}", "longer run of plain text",
        ]
        return (0..<Int.random(in: 0...8, using: &self)).map { _ in pieces.randomElement(using: &self) ?? "" }.joined()
    }

    mutating func value(depth: Int) -> JSONValue {
        switch Int.random(in: 0...(depth == 0 ? 3 : 5), using: &self) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &self))
        case 2: return .number(Decimal(Int64.random(in: Int64.min...Int64.max, using: &self)))
        case 3: return .string(text())
        case 4: return .array((0..<Int.random(in: 0...4, using: &self)).map { _ in value(depth: depth - 1) })
        default:
            let fields = (0..<Int.random(in: 0...4, using: &self)).map { _ in (text(), value(depth: depth - 1)) }
            return .object(Dictionary(fields, uniquingKeysWith: { first, _ in first }))
        }
    }
}

extension JSONValue {
    /// Converts the result of the library's older parser.
    init(foundation object: Any) {
        switch object {
        case let text as String: self = .string(text)
        case let list as [Any]: self = .array(list.map(JSONValue.init(foundation:)))
        case let fields as [String: Any]: self = .object(fields.mapValues(JSONValue.init(foundation:)))
        case let number as NSNumber:
            // `decimalValue` goes through a Double, the text does not.
            let isBoolean = String(cString: number.objCType) == "c"
            self = isBoolean ? .bool(number.boolValue) : .number(Decimal(string: number.stringValue) ?? .nan)
        default: self = .null
        }
    }
}
