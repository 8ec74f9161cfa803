import PushAdapter
import Testing

@Suite("Allowed characters")
struct AlphabetTests {
    private let alphabet = AllowedCharacters(
        "letters and Chinese", ascii: AllowedCharacters.alphanumerics + "_@", ranges: AllowedCharacters.han,
        source: "test")

    @Test("allowed characters pass", arguments: ["aZ09_@", "字城市", "𠀀"])
    func allowed(text: String) {
        #expect(alphabet.firstRefused(in: text) == nil)
    }

    @Test(
        "the first character that is not allowed is named",
        arguments: [("a b", " "), ("x-y", "-"), ("😀", "😀"), ("e\u{301}", "\u{301}"), ("\u{0}", "\u{0}"), ("é", "é")]
            as [(String, Unicode.Scalar)])
    func refused(text: String, scalar: Unicode.Scalar) {
        #expect(alphabet.firstRefused(in: text) == scalar)
    }

    @Test("a text and its characters are judged alike, at both ends of every length that a character can have")
    func edges() throws {
        let limits = Limits(characters: [.tagLength: alphabet])
        let edges: [UInt32] = [
            0x00, 0x20, 0x30, 0x3A, 0x40, 0x5F, 0x7F, 0x80, 0x7FF, 0x800, 0x3007, 0x3400, 0x4DBF, 0x4DC0, 0x4E00,
            0x9FFF,
            0xA000, 0xFFFF, 0x10000, 0x20000, 0x323AF, 0x323B0, 0x10FFFF,
        ]
        for code in edges {
            let scalar = try #require(Unicode.Scalar(code))
            for text in ["\(scalar)", "a\(scalar)", "字\(scalar)9", "𠀀\(scalar)"] {
                let isAllowed = (try? limits.check(.tags([Tag(text)]), of: "test")) != nil
                #expect(isAllowed == (alphabet.firstRefused(in: text) == nil), "U+\(String(code, radix: 16))")
            }
        }
    }

    @Test("without a list of allowed characters, everything but blanks and control characters passes")
    func anyText() {
        let refused = [
            "a b", "\u{7F}", "a\n", "\u{85}", "\u{9B}", "a\u{A0}", "\u{2003}", "\u{2028}", "\u{2029}", "\u{202E}a",
            "\u{200B}",
            "\u{3000}", "\u{FEFF}a", "\u{AD}", "a\u{61C}", "\u{206F}", "\u{FFF9}", "\u{E0001}", "\u{3164}",
        ]
        let allowed = ["a", "é字😀", "👩‍👩‍👧", "\u{A1}", "“a”", "\u{10FFFF}"]
        for (text, isAllowed) in refused.map({ ($0, false) }) + allowed.map({ ($0, true) }) {
            #expect(((try? Limits().check(.tags([Tag(text)]), of: "test")) != nil) == isAllowed, "\(text)")
        }
    }

    @Test(
        "a text may have 1,024 bytes, and more where the vendor states more",
        arguments: [
            (nil, 1024), (Limit(9000, .utf8Bytes, .reject, source: "test"), 9000),
            (Limit(9000, .utf8Bytes, .leaveToVendor, source: "test"), 9000),
            (Limit(2000, .characters, .leaveToVendor, source: "test"), 8000),
        ] as [(Limit?, Int)])
    func longTexts(limit: Limit?, longest: Int) {
        var limits = Limits()
        limits[.tagLength] = limit
        for (count, isAllowed) in [(longest, true), (longest + 1, false)] {
            let tag = Tag(String(repeating: "a", count: count))
            #expect(((try? limits.check(.tags([tag]), of: "test")) != nil) == isAllowed, "\(count)")
        }
    }

    @Test("of a set, the same tag is refused on every run")
    func sets() {
        let tags = Set((0..<50).map { Tag("bad tag \($0)") } + ["good", "a b"])
        let error = #expect(throws: PushError.self) {
            try Limits([.tagLength: Limit(9, .utf8Bytes, .reject, source: "test")]).check(.tags(tags), of: "test")
        }
        #expect(error?.message.contains("U+0020") == true)
    }
}

@Suite("Identifiers")
struct IdentifierTests {
    @Test("are equal when their bytes are, whatever strings think")
    func equality() {
        #expect(Tag("e\u{301}") != Tag("é"))
        #expect("e\u{301}" == "é")
        #expect(Tag("") == Tag(""))
        #expect(Tag("") != Tag("a"))
        let long = String(repeating: "字", count: 20)
        #expect(Tag(long) == Tag(long + ""))
        #expect(Tag(long) != Tag(String(long.dropLast()) + "市"))
        #expect(Set([Tag("é"), Tag("e\u{301}"), Tag("é")]).count == 2)
    }
}
