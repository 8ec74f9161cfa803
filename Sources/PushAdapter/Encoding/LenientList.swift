/// The well-formed items among the first 64 of a vendor's list; empty if there is no list.
///
/// Ignores the rest, because each malformed item costs as much as a thousand of its bytes.
public struct LenientList<Item: Decodable>: Decodable {
    /// The items in their order.
    public let items: [Item]

    /// Reads the items, and never throws.
    public init(from decoder: any Decoder) throws {
        var items: [Item] = []
        if var list = try? decoder.unkeyedContainer() {
            for _ in 0..<64 where !list.isAtEnd {
                guard let item = try? list.decode(Lenient<Item>.self) else { break }
                if let value = item.value { items.append(value) }
            }
        }
        self.items = items
    }
}
