/// A value, or nil for whatever else stands in its place.
package struct Lossy<Value: Decodable>: Decodable {
    package let value: Value?

    package init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}
