/// A moment for each key, until it has passed.
struct Moments<Key: Hashable & Sendable>: Sendable {
    private var moments: [Key: Duration] = [:]
    /// How many are kept before those that have passed are removed. It grows with how many were left the last time, so that
    /// a key costs the same, however many there are.
    private var limit = 10_000

    subscript(key: Key) -> Duration? {
        get { moments[key] }
        set { moments[key] = newValue }
    }

    /// Removes what has passed, if there are many.
    mutating func forgetPassed(now: Duration) {
        guard moments.count > limit else { return }
        moments = moments.filter { $0.value > now }
        limit = 10_000 + 2 * moments.count
    }
}
