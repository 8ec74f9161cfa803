/// How many units a bucket gives in how long.
public struct Quota: Sendable, Hashable {
    /// Units that the vendor gives in one window.
    public var limit: Int
    /// The time in which the limit counts.
    public var window: Duration
    /// The page or document that states it, and its date.
    public var source: String

    /// So many units in a window, and the page or document that states it.
    public init(_ limit: Int, per window: Duration, source: String) {
        self.limit = limit
        self.window = window
        self.source = source
    }
}
