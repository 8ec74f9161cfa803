/// The number on an app's icon. Its JSON form is a number, or `"+1"` and `"-1"` for a change.
public enum Badge: Sendable, Hashable {
    /// Sets the number; 0 removes it from the icon.
    case set(Int)
    /// Adds to the number that the vendor or the phone keeps; may be negative on Apple's devices.
    case change(by: Int)

    /// Whether it adds to a number.
    var isChange: Bool { if case .change = self { true } else { false } }
}

extension Badge: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
            self = .set(number)
            return
        }
        let text = try container.decode(String.self)
        guard text.hasPrefix("+") || text.hasPrefix("-"), let change = Int(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a badge is a number, or a text such as \"+1\" or \"-1\"")
        }
        self = .change(by: change)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .set(let number): try container.encode(number)
        case .change(let number): try container.encode(number < 0 ? "\(number)" : "+\(number)")
        }
    }
}
