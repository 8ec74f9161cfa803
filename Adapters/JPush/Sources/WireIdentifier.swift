import FoundationEssentials

/// An id that the vendor writes as a number or as a text, with all its digits.
struct WireIdentifier: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self.text = text
        } else {
            text = try container.decode(Decimal.self).description
        }
    }
}

/// A value, or nil for whatever else stands in its place.
struct Lossy<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}
