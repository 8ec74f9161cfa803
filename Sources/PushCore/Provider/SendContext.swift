public import FoundationEssentials

/// What a send needs and an adapter must not make by itself: the client hands it to the call.
public struct SendContext: Sendable, Hashable {
    /// The moment at which the request is made, for times that a vendor counts from it.
    public var now: Date
    /// A random id, 32 hex digits in lower case, for vendors that let the sender name a message.
    public var id: String
    /// The idempotency key; nil for a request without one.
    public var key: IdempotencyKey?

    /// A context of this moment, with a random id by default.
    public init(at now: Date, id: String? = nil, key: IdempotencyKey? = nil) {
        self.now = now
        self.id = id ?? UUID().uuidString.replacing("-", with: "").lowercased()
        self.key = key
    }
}
