extension Duration {
    /// Clamped to the range of system calls.
    package var wholeMilliseconds: Int {
        Int(min(max(components.seconds, 0), 2_000_000)) * 1000
            + Int(max(components.attoseconds, 0) / 1_000_000_000_000_000)
    }
}
