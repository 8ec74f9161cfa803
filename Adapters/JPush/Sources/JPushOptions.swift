public import PushCore

/// What JPush can do beyond the common model: the vendor's `options`, by the vendor's own keys.
///
/// ```swift
/// var options = JPushOptions()
/// options.sendNumber = 4711
/// try message.set(options)
/// ```
public struct JPushOptions: ProviderOptions, Hashable {
    public static let provider = JPush.id
    public static let keys = CodingKeys.allCases.map(\.rawValue)

    /// A number of your own, echoed in the reply; not 0.
    public var sendNumber: Int?
    /// The message to replace, sent within the last day; Android and HarmonyOS.
    public var overrideMessageID: Int?
    /// Spreads the push over so many minutes, at most 1400.
    public var bigPushDuration: Int?
    /// Settings by phone maker, as the vendor documents them.
    public var thirdPartyChannel: [String: JSONValue]?
    /// 0 for operational messages, 1 for system messages.
    public var classification: Int?
    /// Shows the message on events of the app such as `jg_app_show`; needs a contract.
    public var targetEvents: [String]?
    /// Marks the message as a test for phone makers' services.
    public var isTestMessage: Bool?
    /// The receipt configured with Huawei's service.
    public var receiptID: String?
    /// Waits until the screen is on; notifications only.
    public var isActivePush: Bool?
    /// Delivers an active push in any case in the end.
    public var needsBackup: Bool?
    /// The push plan that the message belongs to.
    public var businessOperationCode: String?
    /// Delivers to registered test devices only.
    public var usesTestDevices: Bool?
    /// Lets the vendor shorten texts for phone makers' limits.
    public var truncatesAutomatically: Bool?
    /// Marks the message as advertising.
    public var isCommercial: Bool?
    /// Passes over users who turned notifications off; needs a contract.
    public var skipsMutedUsers: Bool?

    public init() {}

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case sendNumber = "sendno"
        case overrideMessageID = "override_msg_id"
        case bigPushDuration = "big_push_duration"
        case thirdPartyChannel = "third_party_channel"
        case classification
        case targetEvents = "target_event"
        case isTestMessage = "test_message"
        case receiptID = "receipt_id"
        case isActivePush = "active_push"
        case needsBackup = "need_backup"
        case businessOperationCode = "business_operation_code"
        case usesTestDevices = "test_model"
        case truncatesAutomatically = "auto_truncation"
        case isCommercial = "mkt_enable"
        case skipsMutedUsers = "notification_switch_filter"
    }

    /// Refuses values that the vendor documents as wrong.
    func check(_ message: Message) throws(PushError) {
        if sendNumber == 0 { throw refusal("sendno must not be 0") }
        if let bigPushDuration, !(0...1400).contains(bigPushDuration) {
            throw refusal("big_push_duration is \(bigPushDuration); give 0 to 1400 minutes")
        }
        if let classification, !(0...1).contains(classification) { throw refusal("classification is 0 or 1") }
        if isActivePush == true, message.custom != nil || bigPushDuration != nil {
            throw refusal("active_push goes neither with a custom message nor with big_push_duration")
        }
        if needsBackup == true, isActivePush != true { throw refusal("need_backup needs active_push") }
    }

    private func refusal(_ text: String) -> PushError {
        PushError(.invalidArgument, "the jpush options: \(text)")
    }
}
