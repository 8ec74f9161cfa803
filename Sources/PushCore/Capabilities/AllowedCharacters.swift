/// The characters that a vendor allows in a tag or an alias.
public struct AllowedCharacters: Sendable, Hashable {
    /// A description for people: "letters, digits, _ and Chinese".
    public let summary: String
    /// The page or document that lists the characters, and its date.
    public let source: String
    private let low: UInt64
    private let high: UInt64
    private let ranges: [ClosedRange<UInt32>]

    /// - Parameters:
    ///   - summary: a description for error messages: "letters, digits and _".
    ///   - ascii: every allowed ASCII character.
    ///   - ranges: allowed code points beyond ASCII.
    ///   - source: the page and its date.
    public init(_ summary: String, ascii: String, ranges: [ClosedRange<UInt32>], source: String) {
        self.summary = summary
        self.source = source
        self.ranges = ranges
        var low: UInt64 = 0
        var high: UInt64 = 0
        for byte in ascii.utf8 {
            if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
        }
        self.low = low
        self.high = high
    }

    /// The first character that is not allowed, nil when all are.
    public func firstRefused(in text: String) -> Unicode.Scalar? {
        text.unicodeScalars.first { !allows($0) }
    }

    /// Whether every character is allowed.
    ///
    /// Reads the bytes, which are valid UTF-8 in every string, because the client checks whole lists of tags and
    /// devices.
    package func allows(_ text: String) -> Bool {
        text.withBytes { bytes in
            var index = 0
            while index < bytes.count {
                let first = bytes[index]
                var code = UInt32(first)
                index += 1
                if first >= 0x80 {
                    let more = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3
                    code &= 0x3F >> UInt32(more)
                    for byte in bytes[index..<(index + more)] { code = code << 6 | UInt32(byte & 0x3F) }
                    index += more
                }
                guard allows(code) else { return false }
            }
            return true
        }
    }

    package func allows(_ scalar: Unicode.Scalar) -> Bool { allows(scalar.value) }

    private func allows(_ code: UInt32) -> Bool {
        switch code {
        case 0..<64: low >> UInt64(code) & 1 == 1
        case 64..<128: high >> UInt64(code & 63) & 1 == 1
        default: ranges.contains { $0.contains(code) }
        }
    }
}

extension AllowedCharacters {
    /// Everything except blanks and control characters, for vendors that do not state the allowed characters.
    package static let anyText = AllowedCharacters(
        "any characters except blanks and control characters",
        ascii: String(String.UnicodeScalarView((0x21...0x7E).map { Unicode.Scalar($0 as UInt8) })),
        ranges: [
            // Excludes C1 controls, Unicode blanks and separators, zero-width characters except the joiners U+200C and
            // U+200D, and direction marks.
            0xA1...0xAC, 0xAE...0x61B, 0x61D...0x167F, 0x1681...0x180D, 0x180F...0x1FFF, 0x200C...0x200D,
            0x2010...0x2027, 0x2030...0x205E, 0x2070...0x2FFF, 0x3001...0x3163, 0x3165...0xFEFE, 0xFF00...0xFFF8,
            0xFFFC...0xDFFFF,
            0xE0020...0x10FFFF,
        ], source: "this library")

    /// ASCII letters and digits.
    public static let alphanumerics = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

    /// The Han blocks of Unicode 15, which vendors call "Chinese characters"; the most common block comes first.
    public static let han: [ClosedRange<UInt32>] = [
        0x4E00...0x9FFF, 0x3007...0x3007, 0x3400...0x4DBF, 0xF900...0xFAFF, 0x20000...0x323AF,
    ]
}
