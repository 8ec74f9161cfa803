extension Array {
    /// The elements in groups of this many; the last group may have fewer.
    package func pages(of size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
