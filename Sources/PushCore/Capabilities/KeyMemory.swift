/// A request that can carry an idempotency key.
public enum KeyedRequest: String, Sendable, Hashable {
    /// Sends a message at once.
    case push
    /// Creates a schedule.
    case schedule
}

/// How a vendor treats the idempotency keys of a caller: how long it remembers them, which repetitions they stop,
/// and where it says so.
public struct KeyMemory: Sendable, Hashable {
    /// The effect of a key on a repeated request.
    public enum Grade: String, Sendable, Hashable, CaseIterable {
        /// The vendor drops the repeated request as a whole.
        case vendor
        /// The vendor drops the request for each target that had it, and sends it to the others.
        case target
        /// The vendor takes the repeated request and counts it against its quotas. A phone shows only the first message.
        case device
        /// The vendor has a field for it, but no document or test shows its effect.
        case unproven
    }

    /// Which requests share a key.
    public enum Scope: String, Sendable, Hashable {
        /// Each request has a key of its own.
        case request
        /// All requests of a message have one key, also when the message is sent again. A target is then recognized in
        /// another slice too.
        case message
    }

    /// The time from the first request that succeeded with the key; for the grades `target` and `device`, from the first
    /// one to the same target.
    public var duration: Duration
    /// The effect of a key on a repeated request.
    public var grade: Grade
    /// Which requests share a key. A vendor that drops whole requests needs one for each: it would drop the second slice
    /// of a message.
    public var scope: Scope
    /// The page or document that states it, and its date.
    public var source: String

    /// A time, a grade, and the page or document that states them.
    /// - Parameters:
    ///   - duration: the time from the first request that succeeded with the key.
    ///   - grade: the effect of a key on a repeated request.
    ///   - scope: which requests share a key; by default, all of a message for the grades `target` and `device`, else
    ///     none.
    ///   - source: the page or document that states it, and its date.
    public init(_ duration: Duration, grade: Grade = .vendor, scope: Scope? = nil, source: String) {
        self.duration = duration
        self.grade = grade
        self.scope = scope ?? (grade == .target || grade == .device ? .message : .request)
        self.source = source
    }
}

extension KeyMemory.Grade {
    /// For people: the effect of a key on a repeated request.
    public var summary: String {
        switch self {
        case .vendor: "the vendor drops a repeated request"
        case .target: "the vendor drops a repeated request for each target that had it"
        case .device: "the vendor counts a repeated request; a phone shows only the first message"
        case .unproven: "nothing shows what the vendor does with a repeated request"
        }
    }
}
