/// What a provider can do, with its limits, as data: read it to choose a vendor, to draw a matrix, to refuse early.
public struct Capabilities: Sendable {
    /// How each feature is supported; one that is missing is unsupported.
    public var support: [Feature: Support]
    /// The limits of texts, lists and spans of time that the vendor states.
    public var limits: Limits
    /// Request quotas by bucket, as the vendor documents them; headers of replies correct them at run time.
    public var quotas: [QuotaBucket: Quota]
    /// The least time between two writes of one operation on one subject.
    public var minimumInterval: [Feature: Duration]
    /// How long after its answer an accepted call may still be carried out. Until then the client holds back further
    /// calls of the same family, such as `tags`, about the same subject: a vendor that clears later would undo them. A
    /// time of zero holds nothing back, and still says that the vendor carries the call out later.
    public var writeDelay: [Feature: Duration]
    /// How the vendor remembers idempotency keys that the caller makes, by the kind of request; empty at a vendor that
    /// makes the keys itself or has none. The client makes texts of 32 hex digits, which the vendor has to take.
    public var callerKeys: [IdempotencyKey.Kind: KeyMemory]
    /// How many devices may share an alias.
    public var aliasSharing: AliasSharing
    /// The type of account that stands for aliases, at a vendor that has accounts and no aliases; nil for none.
    public var aliasAccountType: Int?
    /// The fields of a message that the provider carries; a message with another one is refused.
    public var fields: Set<MessageField>
    /// Why the provider does not carry other fields, and what to use instead, where that is worth saying.
    public var absentFields: [MessageField: String]
    /// The platforms that the provider's app can have; what a message says for others is not for it. Nil is any.
    public var platforms: Set<Platform>?

    /// What a provider can do, with the limits, quotas and minimumIntervals that its vendor states.
    public init(
        support: [Feature: Support], limits: Limits = Limits(), quotas: [QuotaBucket: Quota] = [:],
        minimumInterval: [Feature: Duration] = [:], writeDelay: [Feature: Duration] = [:],
        callerKeys: [IdempotencyKey.Kind: KeyMemory] = [:],
        aliasSharing: AliasSharing = .unstated, aliasAccountType: Int? = nil, fields: Set<MessageField> = [],
        absentFields: [MessageField: String] = [:], platforms: Set<Platform>? = nil
    ) {
        self.support = support
        self.limits = limits
        self.quotas = quotas
        self.minimumInterval = minimumInterval
        self.writeDelay = writeDelay
        self.callerKeys = callerKeys
        self.aliasSharing = aliasSharing
        self.aliasAccountType = aliasAccountType
        self.fields = fields
        self.absentFields = absentFields
        self.platforms = platforms
    }

    /// How a feature is supported; what is not declared is unsupported.
    public subscript(feature: Feature) -> Support {
        support[feature] ?? .unsupported("the vendor has no call for it that the adapter knows")
    }

    /// What is made from other calls and loses something, so that it needs a caller's consent; in order.
    public var lossyEmulations: [Feature] {
        support.filter { _, support in
            if case .emulated(let recipe) = support { recipe.fidelity == .lossy } else { false }
        }.keys.sorted()
    }

    /// Whether a request of this kind can carry an idempotency key, of the vendor's making or of the caller's.
    public func takesKeys(for kind: IdempotencyKey.Kind) -> Bool {
        self[.mintKeys] == .native || callerKeys[kind] != nil
    }
}

extension Capabilities {
    /// Whether several devices may have the same alias.
    public enum AliasSharing: Sendable, Hashable {
        /// One: giving it to a second device takes it from the first, or is refused.
        case one
        /// Several; a bound in the limits says how many.
        case several
        /// The vendor does not say.
        case unstated
    }
}
