/// The name of a request quota of a vendor: calls that count against the same quota share a bucket.
public struct QuotaBucket: TextIdentifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}
