import PushCore

/// Recognises repeated targets by a 128-bit digest, so that a million of them need no million strings.
struct TargetDigests {
    private struct Digest: Hashable {
        var high: Int
        var low: Int

        /// Half of it is enough to choose a place in a table.
        func hash(into hasher: inout Hasher) { hasher.combine(low) }
    }

    private var positions: [Digest: UInt32]

    init(reserving count: Int) { positions = Dictionary(minimumCapacity: count) }

    /// The position of the first occurrence, nil when this is it.
    ///
    /// Two keyed 64-bit hashes with the process's random key: nobody outside can choose texts that collide.
    mutating func firstPosition(of target: Target, at position: Int) -> Int? {
        var high = Hasher()
        high.combine(target)
        // The same inner state of 256 bits, ended in another way.
        var low = high
        low.combine(1 as UInt8)
        let digest = Digest(high: high.finalize(), low: low.finalize())
        // One search for the many that are new, another for those that are not.
        guard let first = positions.updateValue(UInt32(truncatingIfNeeded: position), forKey: digest) else {
            return nil
        }
        positions[digest] = first
        return Int(first)
    }
}
