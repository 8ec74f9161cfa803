import FoundationEssentials

/// A vendor's own error code: a number or a word, kept as its text.
///
/// Number and string literals create one, so a table reads like the vendor's page: `1011`, `"UNREGISTERED"`.
public struct VendorCode: TextIdentifier, ExpressibleByIntegerLiteral {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A code that is a number.
    public init(_ number: Int) { rawValue = String(number) }
    /// A code that is a number, as a literal.
    public init(integerLiteral value: Int) { self.init(value) }

    /// Stands in tables for a response that has a status and no body: `HTTP 503`.
    public static func status(_ status: Int) -> VendorCode { VendorCode(rawValue: "HTTP \(status)") }

    /// The number; nil for a code that is a word.
    public var number: Int? { Int(rawValue) }

    /// The code as JSON: a number if it is one, otherwise a text.
    public var json: JSONValue { number.map { JSONValue(integerLiteral: $0) } ?? .string(rawValue) }

    /// Orders numbers by value and before words, and words by their bytes.
    public static func < (left: VendorCode, right: VendorCode) -> Bool {
        switch (left.number, right.number) {
        case (let left?, let right?): left < right
        case (_?, nil): true
        case (nil, _?): false
        case (nil, nil): left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8)
        }
    }
}

extension VendorCode {
    /// Whether it looks like a code: a whole number, or readable words of at most 64 bytes, such as `NOT_FOUND`,
    /// `invalid_grant` and `BadDeviceToken`. Anything else could be an identifier or a secret that a broken server put
    /// there.
    var isPlausible: Bool {
        if number != nil || rawValue.isEmpty { return true }
        let words = rawValue.utf8.count <= 64 ? words : []
        // In random text, the case changes about every second letter.
        let isReadable = words.count == 1 || words.reduce(0, +) >= 3 * words.count
        return !words.isEmpty && words.allSatisfy { $0 <= 20 } && isReadable
    }

    /// The lengths of its words, divided by `_`, `-`, `.` or a capital after a small letter; empty if it has anything
    /// else.
    private var words: [Int] {
        var words: [Int] = []
        var isInside = false
        var wasSmall = false
        for byte in rawValue.utf8 {
            switch byte {
            case 0x61...0x7A, 0x41...0x5A:
                let isSmall = byte >= 0x61
                if !isInside || !isSmall && wasSmall { words.append(0) }
                words[words.count - 1] += 1
                (isInside, wasSmall) = (true, isSmall)
            case 0x5F, 0x2D, 0x2E: (isInside, wasSmall) = (false, false)
            default: return []
            }
        }
        return words
    }

    /// Reads a text, or a number as its text.
    public init(from decoder: any Decoder) throws { self.init(rawValue: try Self.text(from: decoder)) }

    /// Reads a text or a number of up to 38 digits; throws for anything else.
    package static func text(from decoder: any Decoder) throws -> String {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) { return text }
        let text = try container.decode(Decimal.self).description
        // The decoder rounds a longer number, and a rounded id is a different id.
        guard text.utf8.count <= 38 else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "an id of more than 38 digits")
        }
        return text
    }
}
