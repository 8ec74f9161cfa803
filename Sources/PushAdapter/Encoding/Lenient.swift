/// A value that decodes to nil if it is malformed, so that one bad row does not lose the others.
public struct Lenient<Value: Decodable>: Decodable {
    /// The value; nil if it is malformed.
    public let value: Value?

    /// Decodes the value, and never throws.
    public init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}
