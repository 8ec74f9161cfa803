public import PushAdapter

/// How JPush passes a message on to each phone maker's service, for devices that have one.
///
/// ```swift
/// var xiaomi = JPushChannel()
/// xiaomi.channelID = "137041"
/// var options = JPushOptions()
/// options.thirdPartyChannel = JPushChannels()
/// options.thirdPartyChannel?.xiaomi = xiaomi
/// ```
///
/// A maker that is nil gets the vendor's defaults, and the words for the class of the message. Fields that are set here
/// win over those words.
public struct JPushChannels: Codable, Sendable, Hashable {
    /// Xiaomi.
    public var xiaomi: JPushChannel?
    /// Huawei on Android.
    public var huawei: JPushChannel?
    /// Honor.
    public var honor: JPushChannel?
    /// Meizu.
    public var meizu: JPushChannel?
    /// OPPO.
    public var oppo: JPushChannel?
    /// vivo.
    public var vivo: JPushChannel?
    /// FCM.
    public var fcm: JPushChannel?
    /// NIO.
    public var nio: JPushChannel?
    /// Asus.
    public var asus: JPushChannel?
    /// HarmonyOS.
    public var hmos: JPushChannel?

    /// Changes nothing in a message until a maker is set.
    public init() {}
}

/// The settings for one phone maker. The vendor documents one table of fields for all makers, and for each field the makers
/// that read it. Each field of `Fields` is also a property of the channel.
@dynamicMemberLookup
public struct JPushChannel: Codable, Sendable, Hashable {
    /// The fields that have types here. Sources: Push API v3, 2025-04; community Go SDK 1.0.8, 2026-07.
    public struct Fields: Codable, Sendable, Hashable {
        /// The way of a notification: `jpush`, `secondary_push`, or with a contract `ospush` or `first_ospush`.
        public var distribution: String?
        /// The same for devices that have FCM too: `jpush`, `secondary_fcm_push`, `secondary_pns_push`, `fcm` or `pns`.
        public var distributionWithFCM: String?
        /// The same for a custom message.
        public var customDistribution: String?
        /// The channel of the maker's console: Xiaomi, Huawei, OPPO, NIO.
        public var channelID: String?
        /// Whether the vendor does not count the message in its own quota: Xiaomi, OPPO.
        public var skipsQuota: Bool?
        /// 0 for operational, 1 for system messages: vivo, NIO. The option `classification` wins.
        public var classification: Int?
        /// `LOW` or `NORMAL`: Huawei, Honor.
        public var importance: String?
        /// The maker's word for the class of the message: Huawei, OPPO, vivo.
        public var category: String?
        /// An approved template of Xiaomi.
        public var templateID: String?
        /// The values of that template: the text of a JSON object.
        public var templateParameters: String?
        /// The strength of the alert: 1, 2 or 16. OPPO, with `category`.
        public var notifyLevel: Int?
        /// An approved template of OPPO.
        public var privateTemplateID: String?
        /// The values of that template's title.
        public var privateTitleParameters: [String: String]?
        /// The values of that template's text.
        public var privateContentParameters: [String: String]?
        /// 1 for a test message of vivo.
        public var pushMode: Int?
        /// Whether vivo adds 1 to the number on the icon.
        public var addsBadge: Bool?

        enum CodingKeys: String, CodingKey {
            case distribution, classification, importance, category
            case distributionWithFCM = "distribution_fcm"
            case customDistribution = "distribution_customize"
            case channelID = "channel_id"
            case skipsQuota = "skip_quota"
            case templateID = "mi_template_id"
            case templateParameters = "mi_template_param"
            case notifyLevel = "notify_level"
            case privateTemplateID = "private_msg_template_id"
            case privateTitleParameters = "private_title_parameters"
            case privateContentParameters = "private_content_parameters"
            case pushMode = "push_mode"
            case addsBadge = "add_badge"
        }
    }

    /// The fields that have types here.
    public var fields = Fields()
    /// Other fields, under the vendor's keys.
    public var others: [String: JSONValue] = [:]

    /// Changes nothing in a message until a field is set.
    public init() {}

    /// A field that has a type here.
    public subscript<Value>(dynamicMember field: WritableKeyPath<Fields, Value>) -> Value {
        get { fields[keyPath: field] }
        set { fields[keyPath: field] = newValue }
    }

    public init(from decoder: any Decoder) throws {
        fields = try Fields(from: decoder)
        others = try [String: JSONValue](from: decoder).filter { Fields.CodingKeys(rawValue: $0.key) == nil }
    }

    public func encode(to encoder: any Encoder) throws {
        try others.encode(to: encoder)
        try fields.encode(to: encoder)
    }
}
