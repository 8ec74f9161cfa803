/// One `name=value` pair of a query.
public struct QueryItem: Sendable, Hashable {
    /// Left of the equals sign, not yet percent-encoded.
    public var name: String
    /// Right of the equals sign, not yet percent-encoded.
    public var value: String

    /// A pair for a query, not yet percent-encoded: `WireRequest.target()` encodes it.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
