public import PushCore

/// How one send is made.
public struct SendOptions: Sendable {
    /// The time the whole send may take; nil: as long as its slices need.
    public var deadline: Duration?
    /// Refuses to send a slice without an idempotency key, where the provider has keys.
    public var requiresKeys = false
    /// Told about each slice as it ends, in the order they end.
    public var onSlice: (@Sendable (SliceReport) -> Void)?

    /// The defaults: as long as the slices need, keys where they can be had, nobody told about slices.
    public init() {}
}
