public import PushAdapter

/// EngageLab settings beyond the common model, under the vendor's own keys: its `options`, and the parts of a push that
/// only this vendor has.
///
/// ```swift
/// var options = EngageLabOptions()
/// options.requestID = "order-4711"
/// try message.set(options)
/// ```
public struct EngageLabOptions: ProviderOptions, Hashable {
    /// `engagelab`: only this vendor's adapter reads these options.
    public static let provider = EngageLab.id
    /// The vendor's own keys. Any other key in a message's EngageLab options is refused with `invalidArgument`.
    public static let keys = CodingKeys.allCases.map(\.rawValue)

    // Outside the body.
    /// A label of the sender.
    public var from: String?
    /// A text of your own. The vendor returns it in the response. It does not prevent duplicates.
    public var requestID: String?
    /// A value that the vendor returns in callbacks: an object of at most 128 characters as JSON, or a text of at most
    /// 128.
    public var customArguments: JSONValue?

    // The vendor's options.
    /// The message to replace. It was sent within the last day.
    public var overrideMessageID: Int?
    /// Spreads the push over these minutes, at most 1440. Some kinds of message do not allow it.
    public var bigPushDuration: Int?
    /// Texts by language: `{"fr": {"title": ..., "content": ...}}`.
    public var languages: [String: JSONValue]?
    /// Settings for each phone maker, in the vendor's documented form: `xiaomi`, `huawei`, `honor`, `meizu`, `oppo`,
    /// `vivo`, `fcm`, `hmos`.
    public var thirdPartyChannel: [String: JSONValue]?
    /// 0 for operational messages, 1 for system messages (recalled from the JPush lineage, not checked).
    public var classification: Int?
    /// The text that the phone speaks, in apps with text to speech.
    public var voice: String?
    /// Shows the content inside the app if notifications are off (inferred).
    public var isEnhanced: Bool?
    /// The push plan of the message. It must exist.
    public var planID: String?
    /// Lets the vendor shorten texts that are too long.
    public var truncatesAutomatically: Bool?

    // Parts of the body.
    /// More Android fields. Like the next two, they need a message with a notification.
    public var android: EngageLabAndroid?
    /// More iOS fields: a critical sound, and further keys of Apple's alert.
    public var ios: EngageLabIOS?
    /// More HarmonyOS fields: Huawei's category, badge, style and kind of push.
    public var harmony: EngageLabHarmony?
    /// More fields of a custom message.
    public var custom: EngageLabCustom?

    /// Changes nothing in a message until an option is set.
    public init() {}

    enum CodingKeys: String, CodingKey, CaseIterable {
        case from
        case requestID = "request_id"
        case customArguments = "custom_args"
        case overrideMessageID = "override_msg_id"
        case bigPushDuration = "big_push_duration"
        case languages = "multi_language"
        case thirdPartyChannel = "third_party_channel"
        case classification
        case voice = "voice_value"
        // The vendor's own spelling.
        case isEnhanced = "enhanc_message"
        case planID = "plan_id"
        case truncatesAutomatically = "auto_truncation"
        case android, ios
        case harmony = "hmos"
        case custom = "message"
    }

    static let places = OptionPlaces(
        of: Self.self,
        [
            "": ["custom_args", "from", "request_id"], "body.notification.android": ["android.*"],
            "body.notification.hmos": ["hmos.*"], "body.notification.ios": ["ios.sound"],
            "body.notification.ios.alert": ["ios.alert.*"], "body.message": ["message.*"], "body.options": ["*"],
        ])

    /// The values that the vendor documents as invalid, and parts that the message would lose.
    static let rules: [OptionRule] =
        [("android", .android), ("ios", .ios), ("hmos", .harmony)].flatMap { (part, platform) -> [OptionRule] in
            [.needs(part, .notification), .needs(part, .platform(platform))]
        } + [
            .form("big_push_duration", "0 minutes or more", refusing: [-1]) { $0.intValue.map { $0 >= 0 } ?? false },
            .form("plan_id", "an id that does not begin with _", refusing: ["_a"]) {
                $0.stringValue?.first != "_"
            },
            .form("custom_args", "an object or a text", refusing: [7, [1]]) { value in
                switch value {
                case .object, .string: true
                default: false
                }
            },
            // How the phone maker's channel and the vendor's own share the delivery (27008, 27009).
            .form(
                "third_party_channel",
                "an object for each maker; its distribution is a word, such as mtpush or ospush",
                refusing: [["xiaomi": 1], ["xiaomi": ["distribution": ""]], ["xiaomi": ["distribution": 1]]]
            ) { channel in makers(of: channel).allSatisfy { $0.isGood } },
            .custom(
                "third_party_channel", "a notification with a text, which a distribution needs", refusing: []
            ) { channel, message in
                guard let notification = message.notification else { return true }
                return notification.body(on: .android)?.plain?.isEmpty == false
                    || !makers(of: channel).contains { $0.hasDistribution }
            },
            .needs("message", .custom),
            .custom("message.msg_content", "the custom message an empty content, which it replaces", refusing: []) {
                $1.custom?.content.isEmpty != false
            },
            .excludes("ios.sound", .field(.ios("sound"))),
        ] + OptionRule.criticalSound("ios.sound") + EngageLabAndroid.rules + EngageLabHarmony.rules

    /// The settings of each phone maker.
    private static func makers(of channel: JSONValue) -> [(isGood: Bool, hasDistribution: Bool)] {
        guard case .object(let makers) = channel else { return [] }
        return makers.values.map { settings in
            guard case .object(let fields) = settings else { return (false, false) }
            guard let distribution = fields["distribution"] else { return (true, false) }
            return (distribution.stringValue?.isEmpty == false, true)
        }
    }

    /// The options that have their own limits.
    func inputs() -> [Input] {
        var inputs: [Input] = []
        if let bigPushDuration {
            inputs.append(.amount(min(bigPushDuration, .max / 60) * 60, .engageLabPacing, "big_push_duration"))
        }
        if let planID { inputs.append(.text(planID, .engageLabPlanID, "the plan's id")) }
        guard let customArguments else { return inputs }
        let text =
            customArguments.stringValue
            ?? String(decoding: JSONWriter.bytes(of: customArguments), as: UTF8.self)
        return inputs + [.amount(text.unicodeScalars.count, .engageLabCustomArguments, "custom_args")]
    }
}
