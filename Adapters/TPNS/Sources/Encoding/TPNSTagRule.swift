public import PushAdapter

/// How two conditions are joined.
public enum TPNSOperator: String, Sendable, Hashable, Codable {
    /// Both.
    case and = "AND"
    /// At least one.
    case or = "OR"
}

/// A rule over tags. The rules of a push are joined in order; AND binds tighter than OR.
public struct TPNSTagRule: Sendable, Hashable, Codable {
    /// The conditions, joined in order. AND binds tighter than OR.
    public var items: [TPNSTagItem]
    /// How the rule is joined with the previous rule. Has no meaning for the first rule.
    public var joinedBy: TPNSOperator
    /// Whether the rule matches the devices that its conditions do not match.
    public var isNegated: Bool

    /// Creates a rule from these conditions.
    public init(_ items: [TPNSTagItem], joinedBy: TPNSOperator = .or, isNegated: Bool = false) {
        self.items = items
        self.joinedBy = joinedBy
        self.isNegated = isNegated
    }

    private enum CodingKeys: String, CodingKey {
        case items = "tag_items"
        case joinedBy = "operator"
        case isNegated = "is_not"
    }
}

/// A condition in a rule: some values of one kind of tag.
public struct TPNSTagItem: Sendable, Hashable, Codable {
    /// A kind of tag: your own, or one of the vendor's. Other values are possible.
    public struct Kind: TextIdentifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Tags that you set.
        public static let custom: Kind = "xg_user_define"
        /// The version of the app.
        public static let appVersion: Kind = "xg_auto_version"
        /// The province, in lower case: `guangdong`.
        public static let province: Kind = "xg_auto_province"
        /// A day on which the device was active: `20261120`.
        public static let activeDay: Kind = "xg_auto_active"
        /// The version of the vendor's SDK.
        public static let sdkVersion: Kind = "xg_auto_sdkversion"
        /// The language of the system: `zh`, `en`, `ja`.
        public static let language: Kind = "xg_auto_systemlanguage"
        /// The country, in capitals: `CN`.
        public static let country: Kind = "xg_auto_country"
        /// The brand of the device.
        public static let brand: Kind = "xg_auto_devicebrand"
        /// The model of the device.
        public static let model: Kind = "xg_auto_deviceversion"
    }

    /// The kind of the values.
    public var kind: Kind
    /// Values of the kind.
    public var tags: [String]
    /// Whether a device needs one of the values or all.
    public var tagsOperator: TPNSOperator
    /// How the condition is joined with the previous one. Has no meaning for the first condition.
    public var joinedBy: TPNSOperator
    /// Whether the condition matches the devices that its values do not match.
    public var isNegated: Bool

    /// Creates a condition on values of one kind.
    public init(
        _ kind: Kind, _ tags: [String], _ tagsOperator: TPNSOperator = .or, joinedBy: TPNSOperator = .and,
        isNegated: Bool = false
    ) {
        self.kind = kind
        self.tags = tags
        self.tagsOperator = tagsOperator
        self.joinedBy = joinedBy
        self.isNegated = isNegated
    }

    private enum CodingKeys: String, CodingKey {
        case kind = "tag_type"
        case tags
        case tagsOperator = "tags_operator"
        case joinedBy = "items_operator"
        case isNegated = "is_not"
    }
}
