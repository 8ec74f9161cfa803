/// What a response says beside its contents.
public struct ResponseFacts: Sendable, Hashable {
    /// The vendor's id of the request.
    public var requestID: String?
    public var rate: RateFacts?

    public init(requestID: String? = nil, rate: RateFacts? = nil) {
        self.requestID = requestID
        self.rate = rate
    }
}

/// A vendor's rate headers; nil for each that was missing or unreadable.
public struct RateFacts: Sendable, Hashable {
    public var limit: Int?
    public var remaining: Int?
    /// From the response until the quota opens again.
    public var reset: Duration?

    public init(limit: Int? = nil, remaining: Int? = nil, reset: Duration? = nil) {
        self.limit = limit
        self.remaining = remaining
        self.reset = reset
    }
}
