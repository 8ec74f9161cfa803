/// What the requests of a quota could still give back if they did not leave: never more together than the bucket had
/// room for since they took it, because without them it would have been full.
struct UnusedTokens {
    private struct Entry {
        let number: Int
        var tokens: Double
    }

    /// Oldest first.
    private var entries: ArraySlice<Entry> = []
    private var total = 0.0

    /// Adds a request that has taken its tokens and may leave.
    mutating func add(_ tokens: Double, number: Int) {
        entries.append(Entry(number: number, tokens: tokens))
        total += tokens
    }

    /// Removes a request, which is among the latest; returns what it can give back.
    mutating func remove(_ number: Int) -> Double {
        guard let index = entries.lastIndex(where: { $0.number == number }) else { return 0 }
        let tokens = entries.remove(at: index).tokens
        total = entries.isEmpty ? 0 : total - tokens
        return tokens
    }

    /// Lowers the sum to the room that the bucket has. The oldest requests lose theirs first.
    mutating func limit(to room: Double) {
        while total > room, let first = entries.first {
            let excess = total - max(0, room)
            if first.tokens > excess {
                entries[entries.startIndex].tokens -= excess
                total -= excess
                return
            }
            entries.removeFirst()
            total = entries.isEmpty ? 0 : total - first.tokens
        }
    }
}
