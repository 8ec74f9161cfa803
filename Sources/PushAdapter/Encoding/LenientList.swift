/// The first items of a list that a vendor wrote, without those that are malformed; empty where there is no list.
///
/// It reads 64 items and passes over the rest: each malformed one costs as much as a thousand of its bytes.
public struct LenientList<Item: Decodable>: Decodable {
    /// The items that could be read, in their order.
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
