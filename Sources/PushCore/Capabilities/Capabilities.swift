/// A provider's features and limits as data: for choosing a vendor, drawing a matrix and refusing early.
public struct Capabilities: Sendable {
    /// How the provider supports each feature; a missing feature is unsupported.
    public var support: [Feature: Support]
    /// The vendor's stated limits on texts, lists and durations.
    public var limits: Limits
    /// Request quotas by bucket, as the vendor documents them; response headers correct them at run time.
    public var quotas: [QuotaBucket: Quota]
    /// The least time between two writes of one operation on one subject.
    public var minimumInterval: [Feature: Duration]
    /// How long after its response the vendor may still be applying an accepted call.
    ///
    /// Until then, the client holds back further calls of the same family, such as `tags`, for the same subject: a late
    /// clear would undo them. Zero holds nothing back, but still says that the vendor applies the call later.
    public var writeDelay: [Feature: Duration]
    /// How the vendor treats caller-made idempotency keys, by kind of request; empty for a vendor that makes the keys
    /// itself or has none. The client makes keys of 32 hex digits; if `limits[.idempotencyKey]` is less, of that many
    /// letters and digits.
    public var callerKeys: [KeyedRequest: KeyMemory]
    /// The least wait after errors of a kind that name no time, as the vendor asks. After a throttle, it is taken for the
    /// time at which the throttle ends.
    public var leastWaits: [PushError.Kind: Duration] = [:]
    /// The most requests in flight that the vendor asks for; nil leaves it to the transport. Applies to sends to lists,
    /// at a vendor that takes one target per request.
    public var concurrency: Int?
    /// Whether two device ids that differ only in the case of the letters A to Z name one device, as hexadecimal tokens do;
    /// a list then reaches it once.
    public var deviceIDsIgnoreCase = false
    /// How many devices may share an alias.
    public var aliasSharing: AliasSharing
    /// Whether a request takes accounts of one type only; a list then leaves in a request for each type.
    public var separatesAccountTypes = false
    /// The account type that stands in for aliases, for a vendor with accounts and no aliases; nil for none.
    public var aliasAccountType: Int?
    /// The message fields that the provider carries; the client refuses a message with any other field.
    public var fields: Set<MessageField>
    /// Why the provider does not carry a field, and an alternative, where that is worth saying.
    public var absentFields: [MessageField: String]
    /// The rules of the vendor's own options, beyond their types.
    public var optionRules: [OptionRule]
    /// Where the vendor's own options stand in the body of a send; nil if the adapter copies none of them.
    public var optionPlaces: OptionPlaces?
    /// Why the provider ignores a field that its vendor has no use for. The client accepts a message with such a field.
    public var ignoredFields: [MessageField: String] = [:]
    /// The phone makers whose words for the classes of messages the provider writes: the vendor itself, or makers that
    /// it passes messages to.
    public var classMakers: Set<ProviderID> = []
    /// The app's agreements with these makers.
    public var classes = ClassSettings()
    /// How many notifications of a class these makers show a day.
    public var classQuotas: [ClassQuota] = []
    /// Whether the adapter is a draft: its authors could not read the vendor's page, and relied on other sources.
    public var isDraft = false
    /// The platforms that the app can have; message fields for other platforms are ignored. Nil means any.
    public var platforms: Set<Platform>?

    /// The capabilities of a provider, with the limits, quotas and minimum intervals that its vendor states.
    public init(
        support: [Feature: Support], limits: Limits = Limits(), quotas: [QuotaBucket: Quota] = [:],
        minimumInterval: [Feature: Duration] = [:], writeDelay: [Feature: Duration] = [:],
        callerKeys: [KeyedRequest: KeyMemory] = [:],
        aliasSharing: AliasSharing = .unstated, aliasAccountType: Int? = nil, fields: Set<MessageField> = [],
        absentFields: [MessageField: String] = [:], optionRules: [OptionRule] = [], optionPlaces: OptionPlaces? = nil,
        platforms: Set<Platform>? = nil
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
        self.optionRules = optionRules
        self.optionPlaces = optionPlaces
        self.platforms = platforms
    }

    /// How the provider supports a feature; an undeclared feature is unsupported.
    public subscript(feature: Feature) -> Support {
        support[feature] ?? .unsupported("the adapter knows no vendor call for it")
    }

    /// The features whose emulation loses something, so the caller must opt in; sorted.
    public var lossyEmulations: [Feature] {
        support.filter { _, support in
            if case .emulated(let recipe) = support { recipe.fidelity == .lossy } else { false }
        }.keys.sorted()
    }

    /// Whether a request of this kind can carry an idempotency key, made by the vendor or by the caller.
    public func takesKeys(for kind: KeyedRequest) -> Bool {
        keyGrade(for: kind) != nil
    }

    /// The effect of an idempotency key on a repeated request of this kind; nil if there are no keys. A key that the
    /// vendor made is of the grade `vendor`.
    public func keyGrade(for kind: KeyedRequest) -> KeyMemory.Grade? {
        callerKeys[kind]?.grade ?? (self[.mintKeys] == .native ? .vendor : nil)
    }
}

extension Capabilities {
    /// Whether several devices may have the same alias.
    public enum AliasSharing: Sendable, Hashable {
        /// Only one: giving it to a second device takes it from the first, or is refused.
        case one
        /// Several; the limit ``LimitKey/devicesPerAlias`` says how many.
        case several
        /// The vendor does not say.
        case unstated
    }
}
