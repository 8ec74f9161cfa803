public import FoundationEssentials

/// What a send needs and an adapter must not make by itself: the client hands it to the call.
public struct SendContext: Sendable, Hashable {
    /// The moment at which the request is made, for times that a vendor counts from it.
    public var now: Date
    /// The idempotency key; nil for a request without one.
    public var key: IdempotencyKey?
    private let high: UInt64
    private let low: UInt64

    /// A context of this moment, with a random id.
    public init(at now: Date, key: IdempotencyKey? = nil) {
        self.init(at: now, key: key, id: (.random(in: .min ... .max), .random(in: .min ... .max)))
    }

    /// A context of this moment with an id of these bits, for a client that makes ids faster than the system does.
    package init(at now: Date, key: IdempotencyKey?, id: (high: UInt64, low: UInt64)) {
        self.now = now
        self.key = key
        (high, low) = id
    }

    /// A unique id, 32 hex digits in lower case, for vendors that let the sender name a message; the same each time.
    public var id: String {
        [high, low].map { half in
            let digits = String(half, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
