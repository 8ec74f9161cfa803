public import FoundationEssentials

/// One HTTP request to a vendor and how to read its answer: all that an adapter has to say about a call.
///
/// It is a value without I/O. The client signs, sends, retries, meters and decodes it; a vendor's extra call is just one
/// more exchange for `PushClient.run(_:)`.
public struct Exchange<Output: Sendable>: Sendable {
    public var operation: Feature
    public var request: WireRequest
    /// Which key signs the request.
    public var credential: CredentialScope
    /// What a repetition would do.
    public var idempotency: Idempotency
    /// What the request takes from the vendor's quotas.
    public var charges: [QuotaCharge]
    /// The device, alias or tag that the vendor's pace counts on.
    public var subject: Subject?
    /// Reads a successful response; throws `malformedResponse` for one that cannot be read.
    public var decode: @Sendable (WireResponse) throws(PushError) -> Output

    public init(
        _ operation: Feature, _ request: WireRequest, credential: CredentialScope = .app, idempotency: Idempotency,
        charges: [QuotaCharge] = [], subject: Subject? = nil,
        decode: @escaping @Sendable (WireResponse) throws(PushError) -> Output
    ) {
        self.operation = operation
        self.request = request
        self.credential = credential
        self.idempotency = idempotency
        self.charges = charges
        self.subject = subject
        self.decode = decode
    }
}

/// Which of a vendor's keys signs a request.
public enum CredentialScope: String, Sendable, Hashable {
    case app
    case group
    case account
}

/// What a repetition of a request does.
public enum Idempotency: Sendable, Hashable {
    /// The same as once: reads, and writes of a state.
    case idempotent
    /// Nothing, as long as the vendor remembers the key.
    case keyed(IdempotencyKey)
    /// It acts again: never repeated while the outcome of the first try is unknown.
    case unkeyed

    /// Whether a repetition after an unknown outcome is harmless.
    public var isRepeatable: Bool { self != .unkeyed }
}

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

/// What a vendor's pace or a client's serialisation counts on.
public enum Subject: Sendable, Hashable {
    case device(DeviceID)
    case alias(Alias)
    case tag(Tag)
}

/// What a vendor says about an accepted send.
public struct SendReceipt: Sendable, Hashable {
    /// Nil where the vendor gives none, for example for a validation.
    public var messageID: MessageID?
    /// Targets that the vendor skipped as invalid while it accepted the rest.
    public var invalidTargets: [String]

    public init(messageID: MessageID?, invalidTargets: [String] = []) {
        self.messageID = messageID
        self.invalidTargets = invalidTargets
    }
}
