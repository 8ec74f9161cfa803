/// A vendor's own error code: a number or a word, kept as its text.
///
/// A literal of either form makes one, so a table reads as the vendor's page does: `1011`, `"UNREGISTERED"`.
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

    /// As JSON: a number where it is one.
    public var json: JSONValue { number.map { JSONValue(integerLiteral: $0) } ?? .string(rawValue) }

    /// Numbers by their value and before words, words by their bytes.
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
    /// Whether it is a whole number or a word of at most 64 letters. Anything else could be an identifier that a broken
    /// server put there.
    var isPlausible: Bool {
        number != nil
            || rawValue.utf8.count <= 64
                && rawValue.utf8.allSatisfy { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A || "_-.".utf8.contains($0) }
    }

    /// Reads a text, or a number as its text.
    public init(from decoder: any Decoder) throws {
        self.init(rawValue: try WireText(from: decoder).text)
    }
}
