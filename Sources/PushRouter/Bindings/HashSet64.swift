/// Hashes of 64 bits, in parts, so that of the memory of millions a small part is copied at a time as they grow.
struct HashSet64 {
    private static let count = 64

    private var parts = [HashTable](repeating: HashTable(), count: count)

    func contains(_ hash: Int) -> Bool { parts[Self.part(of: hash)].contains(hash) }

    /// - Returns: whether it is new.
    mutating func insert(_ hash: Int) -> Bool { parts[Self.part(of: hash)].insert(hash) }

    private static func part(of hash: Int) -> Int { hash & (count - 1) }
}

/// A set of hashes, which it does not hash again: they are keyed, so an outsider cannot choose texts that collide.
private struct HashTable {
    /// 0 is a free slot. A power of 2, at least a quarter of it free.
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

    /// Where a value is, or would be.
    private func slot(of value: Int) -> Int {
        let mask = slots.count - 1
        // The lowest bits are the same in the whole table.
        var index = (value >> 6) & mask
        while slots[index] != 0, slots[index] != value { index = (index + 1) & mask }
        return index
    }

    private static func value(_ hash: Int) -> Int { hash == 0 ? 1 << 40 : hash }
}
