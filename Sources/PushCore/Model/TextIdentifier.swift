#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A named value of the model that is stored as text: a feature, a device id, a tag.
///
/// The text is kept exactly as given. The client checks it against the provider's limits and allowed characters.
public protocol TextIdentifier: RawRepresentable<String>, Hashable, Sendable, Codable, Comparable,
    ExpressibleByStringLiteral, CustomStringConvertible
{
    /// Wraps a text unchanged.
    init(rawValue: String)
}

extension TextIdentifier {
    /// Wraps a text that is not a literal.
    public init(_ text: String) { self.init(rawValue: text) }
    /// Wraps a text that is a literal.
    public init(stringLiteral value: String) { self.init(rawValue: value) }
    public var description: String { rawValue }

    /// Orders by UTF-8 bytes, the same on every machine.
    public static func < (left: Self, right: Self) -> Bool {
        left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8)
    }
}

extension TextIdentifier {
    /// Equal when the bytes are. Unlike strings, vendors treat two spellings of an accent as different names.
    public static func == (left: Self, right: Self) -> Bool {
        left.rawValue.withBytes { left in
            right.rawValue.withBytes { right in
                guard left.count == right.count, let first = left.baseAddress, let second = right.baseAddress else {
                    return left.isEmpty && right.isEmpty
                }
                return memcmp(first, second, left.count) == 0
            }
        }
    }

    public func hash(into hasher: inout Hasher) {
        rawValue.withBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension TextIdentifier {
    /// Reads a text unchanged.
    public init(from decoder: any Decoder) throws {
        self.init(rawValue: try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the whole text, even where the description is shortened.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
