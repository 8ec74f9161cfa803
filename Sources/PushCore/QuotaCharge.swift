/// What one request takes from a bucket.
public struct QuotaCharge: Sendable, Hashable {
    public var bucket: QuotaBucket
    public var cost: Int

    public init(_ bucket: QuotaBucket, cost: Int = 1) {
        self.bucket = bucket
        self.cost = cost
    }
}
