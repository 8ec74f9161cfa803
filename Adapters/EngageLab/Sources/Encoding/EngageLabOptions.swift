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

    /// Keys that are not part of the vendor's `options`.
    static let parts: Set<String> = Set(
        [CodingKeys.from, .requestID, .customArguments, .android, .ios, .harmony, .custom].map(\.rawValue))

    /// Refuses values that the vendor documents as invalid, and parts that do not apply to the message.
    func check(_ message: Message) throws(PushError) {
        if let bigPushDuration, bigPushDuration < 0 { throw refusal("big_push_duration is negative") }
        if let planID { try EngageLab.check(plans: [planID]) }
        try checkDistribution(message)
        let own: [(isGiven: Bool, name: String, platform: Platform)] = [
            (android != nil, "android", .android), (ios != nil, "ios", .ios), (harmony != nil, "hmos", .harmony),
        ]
        for part in own where part.isGiven {
            guard message.notification != nil else {
                throw refusal("\(part.name) needs a notification in the message")
            }
            guard message.platforms?.contains(part.platform) ?? true else {
                throw refusal("\(part.name) is set, but the message does not go to that platform")
            }
        }
        if custom != nil, message.custom == nil { throw refusal("message needs a custom message") }
        if custom?.content != nil, message.custom?.content.isEmpty == false {
            throw refusal("message.msg_content replaces the custom message's content; leave that empty")
        }
        let shown = message.notification?.ios
        if ios?.sound != nil, shown?.sound != nil {
            throw refusal("ios.sound and the notification both set a sound; set only one")
        }
        try ios?.sound?.check(in: "the engagelab option ios")
        try android?.check()
        try harmony?.check()
    }

    /// The options that have their own limits.
    func inputs() throws(PushError) -> [Input] {
        var inputs: [Input] = []
        if let bigPushDuration {
            inputs.append(.amount(min(bigPushDuration, .max / 60) * 60, .engageLabPacing, "big_push_duration"))
        }
        if let planID { inputs.append(.text(planID, .engageLabPlanID, "the plan's id")) }
        guard let customArguments else { return inputs }
        let text: String
        switch customArguments {
        case .string(let given): text = given
        case .object: text = String(decoding: JSONWriter.bytes(of: customArguments), as: UTF8.self)
        default: throw refusal("custom_args must be an object or a text")
        }
        return inputs + [.amount(text.unicodeScalars.count, .engageLabCustomArguments, "custom_args")]
    }

    /// Checks how the phone maker's channel and the vendor's own share the delivery (27008, 27009).
    private func checkDistribution(_ message: Message) throws(PushError) {
        for (maker, settings) in (thirdPartyChannel ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard case .object(let fields) = settings else {
                throw refusal("third_party_channel.\(maker) must be an object")
            }
            guard let distribution = fields["distribution"] else { continue }
            guard distribution.stringValue?.isEmpty == false else {
                throw refusal("third_party_channel.\(maker).distribution must be a word, such as mtpush or ospush")
            }
            guard let notification = message.notification else { continue }
            guard notification.body(on: .android)?.plain?.isEmpty == false else {
                throw refusal("third_party_channel.\(maker).distribution needs a notification with a text")
            }
        }
    }

    private func refusal(_ text: String) -> PushError { Self.refusal(text) }

    static func refusal(_ text: String) -> PushError { PushError(.invalidArgument, "the engagelab options: \(text)") }

    static func check(_ number: Int?, _ range: ClosedRange<Int>, _ name: String) throws(PushError) {
        guard let number, !range.contains(number) else { return }
        throw refusal("\(name) is \(number); give \(range.lowerBound) to \(range.upperBound)")
    }
}
