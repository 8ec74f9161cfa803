public import PushCore

/// What became of a change of tags that may take several requests.
public struct TagOutcome: Sendable {
    /// Tags that the vendor confirmed as added by this call.
    public internal(set) var added: Set<Tag> = []
    /// Tags that the vendor confirmed as removed by this call.
    public internal(set) var removed: Set<Tag> = []
    /// All tags the device now has, as far as known; nil where nothing was read.
    public internal(set) var current: Set<Tag>?
    /// Requests that succeeded.
    public internal(set) var requests = 0
    /// Whether nobody could see a state in between.
    public internal(set) var isAtomic = true
    /// Why the change stopped half-way; nil when it is complete.
    public internal(set) var failure: PushError?

    /// Whether the whole change was made.
    public var isComplete: Bool { failure == nil }
}
