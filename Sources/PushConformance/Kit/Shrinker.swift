/// Finds a short sequence that still fails.
enum Shrinker {
    /// Removes ever smaller parts while the rest still fails, until no element can go. Then simplifies each element as
    /// far as it can.
    static func shortest<Element>(
        _ elements: [Element], simpler: (Element) -> [Element], fails: ([Element]) async -> Bool
    ) async -> [Element] {
        var shortest = elements
        var size = max(1, elements.count / 2)
        while true {
            var start = 0
            var hasShrunk = false
            while start < shortest.count {
                var candidate = shortest
                candidate.removeSubrange(start..<min(start + size, candidate.count))
                if await fails(candidate) {
                    shortest = candidate
                    hasShrunk = true
                } else {
                    start += size
                }
            }
            if size == 1, !hasShrunk { break }
            if !hasShrunk { size = max(1, size / 2) }
        }
        for index in shortest.indices {
            while let candidate = await firstFailing(
                simpler(shortest[index]).map { shortest.replacing(index, by: $0) }, fails)
            {
                shortest = candidate
            }
        }
        return shortest
    }

    private static func firstFailing<Element>(
        _ candidates: [[Element]], _ fails: ([Element]) async -> Bool
    ) async -> [Element]? {
        for candidate in candidates where await fails(candidate) { return candidate }
        return nil
    }
}

extension Array {
    fileprivate func replacing(_ index: Int, by element: Element) -> [Element] {
        var copy = self
        copy[index] = element
        return copy
    }
}
