import PushCore

/// Recognises repeated targets by a 128-bit digest, so that a million of them need no million strings.
struct TargetDigests {
    private struct Digest: Hashable {
        var high: Int
        var low: Int
    }

    private var positions: [Digest: UInt32] = [:]

    /// The position of the first occurrence, nil when this is it.
    ///
    /// Two keyed 64-bit hashes with the process's random key: nobody outside can choose texts that collide.
    mutating func firstPosition(of target: Target, at position: Int) -> Int? {
        var high = Hasher()
        var low = Hasher()
        low.combine(1 as UInt8)
        high.combine(target)
        low.combine(target)
        let digest = Digest(high: high.finalize(), low: low.finalize())
        guard let first = positions[digest] else {
            positions[digest] = UInt32(truncatingIfNeeded: position)
            return nil
        }
        return Int(first)
    }
}
