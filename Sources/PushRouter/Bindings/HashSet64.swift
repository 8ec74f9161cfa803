/// A set of 64-bit hashes, split into parts. When it grows with millions of hashes, it copies only one small part at a
/// time.
struct HashSet64 {
    private static let count = 64

    private var parts = [HashTable](repeating: HashTable(), count: count)

    func contains(_ hash: Int) -> Bool { parts[Self.part(of: hash)].contains(hash) }

    /// - Returns: whether it is new.
    mutating func insert(_ hash: Int) -> Bool { parts[Self.part(of: hash)].insert(hash) }

    private static func part(of hash: Int) -> Int { hash & (count - 1) }
}

/// A set that does not hash its hashes again. They are keyed, so an outsider cannot choose texts that collide.
private struct HashTable {
    /// The slots; 0 is free. Their number is a power of 2, and at least a quarter is free.
    private var slots = [Int](repeating: 0, count: 64)
    private var count = 0

    func contains(_ hash: Int) -> Bool { slots[slot(of: Self.value(hash))] != 0 }

    mutating func insert(_ hash: Int) -> Bool {
        let value = Self.value(hash)
        let free = slot(of: value)
        guard slots[free] == 0 else { return false }
        slots[free] = value
        count += 1
        if count > slots.count / 4 * 3 { grow() }
        return true
    }

    private mutating func grow() {
        let old = slots
        slots = [Int](repeating: 0, count: 2 * old.count)
        for value in old where value != 0 { slots[slot(of: value)] = value }
    }

    /// The slot of a value, or the free slot where it belongs.
    private func slot(of value: Int) -> Int {
        let mask = slots.count - 1
        // The lowest bits are the same in the whole table, so they do not count.
        var index = (value >> 6) & mask
        while slots[index] != 0, slots[index] != value { index = (index + 1) & mask }
        return index
    }

    private static func value(_ hash: Int) -> Int { hash == 0 ? 1 << 40 : hash }
}
