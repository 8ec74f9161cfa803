import FoundationEssentials

/// An id that a vendor writes sometimes as text and sometimes as a number; kept as text with all its digits.
public struct WireText: Sendable, Hashable, Decodable {
    /// The text, or the digits of the number.
    public let text: String

    /// Reads a text or a number of up to 38 digits; throws for anything else.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self.text = text
        } else {
            text = try container.decode(Decimal.self).description
            // The decoder rounds a longer number, and a rounded id is a different id.
            guard text.utf8.count <= 38 else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "an id of more than 38 digits")
            }
        }
    }
}
