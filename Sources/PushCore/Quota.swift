/// The name of a request quota of a vendor: calls that count against the same number share a bucket.
public struct QuotaBucket: TextIdentifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

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

/// What one request takes from a bucket.
public struct QuotaCharge: Sendable, Hashable {
    public var bucket: QuotaBucket
    public var cost: Int

    public init(_ bucket: QuotaBucket, cost: Int = 1) {
        self.bucket = bucket
        self.cost = cost
    }
}
