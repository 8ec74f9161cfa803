public import FoundationEssentials

/// A vendor's key for one send: requests with the same key act once.
public struct IdempotencyKey: Sendable, Hashable {
    /// A key counts for one kind of request.
    public enum Kind: String, Sendable, Hashable {
        case push
        case schedule
    }

    public let value: String
    public let kind: Kind
    public let mintedAt: Date
    /// When the vendor may forget it.
    public let expiresAt: Date

    public init(_ value: String, kind: Kind, mintedAt: Date, expiresAt: Date) {
        self.value = value
        self.kind = kind
        self.mintedAt = mintedAt
        self.expiresAt = expiresAt
    }
}
