/// How many units a bucket allows in a window of time.
public struct Quota: Sendable, Hashable {
    /// Units that the vendor allows in one window.
    public var limit: Int
    /// The length of the window.
    public var window: Duration
    /// The page or document that states it, and its date.
    public var source: String

    /// A number of units per window, and the page or document that states it.
    public init(_ limit: Int, per window: Duration, source: String) {
        self.limit = limit
        self.window = window
        self.source = source
    }
}
