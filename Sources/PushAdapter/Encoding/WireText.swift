import PushCore

/// An id that a vendor writes sometimes as text and sometimes as a number; kept as text with all its digits.
public struct WireText: Sendable, Hashable, Decodable {
    /// The text, or the digits of the number.
    public let text: String

    /// Reads a text or a number of up to 38 digits; throws for anything else.
    public init(from decoder: any Decoder) throws { text = try VendorCode.text(from: decoder) }
}
