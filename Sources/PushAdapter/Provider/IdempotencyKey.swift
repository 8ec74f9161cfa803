public import FoundationEssentials

/// An idempotency key: requests with the same key act once, as far as its grade says.
public struct IdempotencyKey: Sendable, Hashable {
    /// The vendor's text or the caller's, sent exactly as it is.
    public let value: String
    /// The kind of request that the key applies to.
    public let kind: KeyedRequest
    /// When it was made.
    public let mintedAt: Date
    /// When the vendor may forget it.
    public let expiresAt: Date
    /// When a request first carried it, if that may have been in another process; nil for a key that is new.
    public let firstUsedAt: Date?
    /// Its effect on a repeated request.
    public var grade = KeyMemory.Grade.vendor

    /// A key of the grade `vendor` that was made at one date, and that the vendor may forget at another.
    public init(_ value: String, kind: KeyedRequest, mintedAt: Date, expiresAt: Date, firstUsedAt: Date? = nil) {
        self.value = value
        self.kind = kind
        self.mintedAt = mintedAt
        self.expiresAt = expiresAt
        self.firstUsedAt = firstUsedAt
    }

    /// Whether the vendor certainly still remembers it. False if the clock was set back after its first use, because its age is
    /// unknown then.
    package func isRemembered(at now: Date) -> Bool {
        now < expiresAt && (firstUsedAt.map { $0 <= now.addingTimeInterval(Self.clockTolerance) } ?? true)
    }

    private static let clockTolerance: TimeInterval = 60
}
