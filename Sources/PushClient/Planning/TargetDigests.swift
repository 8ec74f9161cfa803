import PushAdapter

/// Recognizes repeated targets by a 128-bit digest, so that a million targets do not need a million strings.
struct TargetDigests {
    private struct Digest: Hashable {
        var high: Int
        var low: Int

        /// Half of the digest is enough to choose a bucket.
        func hash(into hasher: inout Hasher) { hasher.combine(low) }
    }

    private var positions: [Digest: UInt32]

    init(reserving count: Int) { positions = Dictionary(minimumCapacity: count) }

    /// Returns the position of the first occurrence, or nil if this is it.
    ///
    /// Two keyed 64-bit hashes with the process's random key: an outsider cannot choose texts that collide.
    mutating func firstPosition(of target: Target, at position: Int) -> Int? {
        var high = Hasher()
        high.combine(target)
        // The same inner state of 256 bits, finished differently.
        var low = high
        low.combine(1 as UInt8)
        let digest = Digest(high: high.finalize(), low: low.finalize())
        // A new target, the usual case, takes one lookup; a repeated one takes two.
        guard let first = positions.updateValue(UInt32(truncatingIfNeeded: position), forKey: digest) else {
            return nil
        }
        positions[digest] = first
        return Int(first)
    }
}
