/// A limit's number, what it counts, what happens above it, and where it comes from.
public struct Bound: Sendable, Hashable {
    public enum Unit: String, Sendable, Hashable {
        case count
        case utf8Bytes
        case characters
        case seconds
    }

    public enum Overflow: String, Sendable, Hashable {
        /// The client makes several requests.
        case split
        /// The client refuses before anything is sent.
        case reject
        /// The vendor decides, for example because the number depends on a contract.
        case leaveToVendor
    }

    public var maximum: Int
    public var unit: Unit
    public var overflow: Overflow
    /// The page or document and its date.
    public var source: String

    public init(_ maximum: Int, _ unit: Unit, _ overflow: Overflow, source: String) {
        self.maximum = maximum
        self.unit = unit
        self.overflow = overflow
        self.source = source
    }
}
