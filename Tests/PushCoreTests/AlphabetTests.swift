import PushCore
import Testing

@Suite("Alphabets")
struct AlphabetTests {
    private let alphabet = Alphabet(
        "letters and Chinese", ascii: Alphabet.alphanumerics + "_@", ranges: Alphabet.han, source: "test")

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
}
