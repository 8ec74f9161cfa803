/// A text that a user reads: plain, or a key of the app's own table of texts, which the phone translates.
///
/// A literal is plain: `Notification(title: "Shop", body: "Your order is on its way")`. The JSON form is a text, or an
/// object such as `{"key": "ORDER_SENT", "arguments": ["77"]}`. If a vendor has no localized form, a send refuses a
/// localized text by name.
public enum Text: Sendable, Hashable {
    /// This text, the same for every user.
    case plain(String)
    /// The text that the app has under a key, in the user's language, with these values for its placeholders, in order.
    case localized(key: String, arguments: [String] = [])

    /// A plain text that is not a literal.
    public init(_ text: String) { self = .plain(text) }

    /// The text itself; nil for a localized one.
    public var plain: String? { if case .plain(let text) = self { text } else { nil } }
    /// Whether the app translates it.
    public var isLocalized: Bool { plain == nil }
}

extension Text: ExpressibleByStringInterpolation {
    /// A plain text.
    public init(stringLiteral value: String) { self = .plain(value) }
}

extension Text: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable { case key, arguments }

    public init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            self = .plain(text)
            return
        }
        guard let container = try? decoder.container(keyedBy: CodingKeys.self) else {
            let reason = "not a text, or an object with key and arguments"
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: reason))
        }
        try StrictKeys.check(decoder, CodingKeys.allCases.map(\.rawValue))
        self = .localized(
            key: try container.decode(String.self, forKey: .key),
            arguments: try container.decodeIfPresent([String].self, forKey: .arguments) ?? [])
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .plain(let text):
            var container = encoder.singleValueContainer()
            try container.encode(text)
        case .localized(let key, let arguments):
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(key, forKey: .key)
            if !arguments.isEmpty { try container.encode(arguments, forKey: .arguments) }
        }
    }
}
