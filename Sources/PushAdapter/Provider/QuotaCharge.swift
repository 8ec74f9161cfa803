/// The units that one request takes from a bucket.
public struct QuotaCharge: Sendable, Hashable {
    /// The quota that is charged.
    public var bucket: QuotaBucket
    /// Units that the request takes.
    public var cost: Int

    /// A charge of `cost` units; most requests take 1.
    public init(_ bucket: QuotaBucket, cost: Int = 1) {
        self.bucket = bucket
        self.cost = cost
    }
}
