/// How many units a bucket gives in how long.
public struct Quota: Sendable, Hashable {
    public var limit: Int
    public var window: Duration
    public var source: String

    public init(_ limit: Int, per window: Duration, source: String) {
        self.limit = limit
        self.window = window
        self.source = source
    }
}
