/// The request id and the rate headers of a response.
public struct ResponseFacts: Sendable, Hashable {
    /// The vendor's id of the request.
    public var requestID: String?
    /// The rate headers; nil without any.
    public var rate: RateFacts?

    /// The request id and the rate headers of a response; leave out those that it does not have.
    public init(requestID: String? = nil, rate: RateFacts? = nil) {
        self.requestID = requestID
        self.rate = rate
    }
}

/// A vendor's rate headers; nil for each that was missing or unreadable.
public struct RateFacts: Sendable, Hashable {
    /// Requests that the quota allows in a window.
    public var limit: Int?
    /// Requests that are left in the quota.
    public var remaining: Int?
    /// The time from the response until the quota resets.
    public var reset: Duration?

    /// The rate headers of one response; leave out those that are missing or unreadable.
    public init(limit: Int? = nil, remaining: Int? = nil, reset: Duration? = nil) {
        self.limit = limit
        self.remaining = remaining
        self.reset = reset
    }
}
