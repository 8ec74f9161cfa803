/// A limit: its number, its unit, its treatment of larger values, and its source.
public struct Limit: Sendable, Hashable {
    /// The unit that a limit counts in.
    public enum Unit: String, Sendable, Hashable {
        /// Items, such as devices, tags or messages.
        case count
        /// Bytes of a text in UTF-8.
        case utf8Bytes
        /// Unicode scalars of a text.
        case characters
        /// Bytes of a text after percent-encoding.
        case encodedBytes
        /// Seconds of a duration.
        case seconds
    }

    /// The treatment of a value above the limit.
    public enum Overflow: String, Sendable, Hashable {
        /// The client splits the call into several requests.
        case split
        /// The client refuses the call before it sends anything.
        case reject
        /// The vendor decides, for example because the number depends on a contract.
        case leaveToVendor
    }

    /// The largest value that the vendor accepts.
    public var maximum: Int
    /// The unit of the maximum.
    public var unit: Unit
    /// The treatment of a value above the maximum.
    public var overflow: Overflow
    /// The page or document and its date.
    public var source: String

    /// A limit: its number and unit, its treatment of larger values, and the page or document that states it.
    public init(_ maximum: Int, _ unit: Unit, _ overflow: Overflow, source: String) {
        self.maximum = maximum
        self.unit = unit
        self.overflow = overflow
        self.source = source
    }
}
