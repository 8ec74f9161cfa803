public import PushAdapter

/// JPush settings beyond the common model, under the vendor's own keys: its `options`, and the parts of a push that
/// only this vendor has.
///
/// ```swift
/// var options = JPushOptions()
/// options.sendNumber = 4711
/// try message.set(options)
/// ```
public struct JPushOptions: ProviderOptions, Hashable {
    /// `jpush`: only this vendor's adapter reads these options.
    public static let provider = JPush.id
    /// The vendor's own keys. Any other key in a message's JPush options is refused with `invalidArgument`.
    public static let keys = CodingKeys.allCases.map(\.rawValue)

    /// A number of your own. The vendor returns it in the response. Not 0.
    public var sendNumber: Int?
    /// The message to replace. It was sent within the last day. Android and HarmonyOS.
    public var overrideMessageID: Int?
    /// Spreads the push over these minutes, at most 1400.
    public var bigPushDuration: Int?
    /// Settings for each phone maker, in the vendor's documented form.
    public var thirdPartyChannel: [String: JSONValue]?
    /// 0 for operational messages, 1 for system messages.
    public var classification: Int?
    /// Shows the message on events of the app such as `jg_app_show`; needs a contract.
    public var targetEvents: [String]?
    /// Marks the message as a test for phone makers' services.
    public var isTestMessage: Bool?
    /// The receipt configured with Huawei's service.
    public var receiptID: String?
    /// Waits until the screen is on. Notifications only.
    public var isActivePush: Bool?
    /// Makes sure that an active push is eventually delivered.
    public var needsBackup: Bool?
    /// The push plan of the message.
    public var businessOperationCode: String?
    /// Delivers to registered test devices only.
    public var usesTestDevices: Bool?
    /// Lets the vendor shorten texts for phone makers' limits.
    public var truncatesAutomatically: Bool?
    /// Marks the message as advertising.
    public var isCommercial: Bool?
    /// Skips users who turned notifications off; needs a contract.
    public var skipsMutedUsers: Bool?
    /// Uses the console's personal texts for each device.
    public var usesAlternateTexts: Bool?
    /// The notification's text for devices without a personal one. Use it with `usesAlternateTexts`.
    public var alternateAlert: String?
    /// The custom message's title for devices without a personal one.
    public var alternateTitle: String?
    /// The custom message's content for devices without a personal one.
    public var alternateContent: String?
    /// Shows the message only in this place.
    public var geofence: JSONValue?
    /// Settings of the console, in the vendor's form.
    public var portalExtra: JSONValue?
    /// The version of `thirdPartyNotification`: `v1` or `v2`.
    public var thirdPartyVersion: String?

    // Parts of a push outside its options.
    /// An A/B test of the console; narrows the audience to the test's devices.
    public var abTest: String?
    /// More Android fields. Like the next three, they need a message with a notification.
    public var android: JPushAndroid?
    /// More iOS fields: a critical sound, and further keys of Apple's alert.
    public var ios: JPushIOS?
    /// More HarmonyOS fields: Huawei's category, badge, style and kind of push.
    public var harmony: JPushHarmony?
    /// The notification for quick apps. A message that lists quick apps without it is refused with `invalidArgument`.
    public var quickApp: JPushQuickApp?
    /// A notification that phone makers' services show in place of a custom message: Android fields, or in version 2 an
    /// object for each platform.
    public var thirdPartyNotification: [String: JSONValue]?
    /// Shows the notification inside the app; needs a contract.
    public var isInApp: Bool?
    /// A text message to the device's phone number, if the push does not arrive.
    public var sms: JPushSMS?
    /// The address and the events of callbacks about this message; needs a contract.
    public var callback: JPushCallback?

    /// Changes nothing in a message until an option is set.
    public init() {}

    enum CodingKeys: String, CodingKey, CaseIterable {
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
        case usesAlternateTexts = "alternate_set"
        case alternateAlert = "alternate_alert"
        case alternateTitle = "alternate_title"
        case alternateContent = "alternate_content"
        case geofence
        case portalExtra = "portal_extra"
        case thirdPartyVersion = "notification_3rd_ver"
        case abTest = "abtest"
        case android, ios
        case harmony = "hmos"
        case quickApp = "quickapp"
        case thirdPartyNotification = "notification_3rd"
        case isInApp = "inapp_message"
        case sms = "sms_message"
        case callback
    }

    /// Keys of the push itself, not of its `options`.
    static let parts: Set<String> = Set(
        [
            CodingKeys.android, .ios, .harmony, .quickApp, .thirdPartyNotification, .isInApp, .sms, .callback,
            .alternateAlert, .alternateTitle, .alternateContent, .abTest,
        ]
        .map(\.rawValue))

    /// Refuses values that the vendor documents as invalid.
    func check(_ message: Message) throws(PushError) {
        if sendNumber == 0 { throw refusal("sendno must not be 0") }
        if let bigPushDuration, !(0...1400).contains(bigPushDuration) {
            throw refusal("big_push_duration is \(bigPushDuration); give 0 to 1400 minutes")
        }
        if let classification, !(0...1).contains(classification) { throw refusal("classification must be 0 or 1") }
        if isActivePush == true, message.custom != nil || bigPushDuration != nil {
            throw refusal("active_push cannot be combined with a custom message or big_push_duration")
        }
        if needsBackup == true, isActivePush != true { throw refusal("need_backup needs active_push") }
        try checkParts(message)
    }

    private func checkParts(_ message: Message) throws(PushError) {
        if message.notification == nil {
            let own: [(Bool, String)] = [
                (android != nil, "android"), (ios != nil, "ios"), (harmony != nil, "hmos"),
                (quickApp != nil, "quickapp"),
                (isInApp != nil, "inapp_message"),
            ]
            if let part = own.first(where: \.0) { throw refusal("\(part.1) needs a notification in the message") }
        }
        try checkPlatforms(message)
        let shown = message.notification?.ios
        if ios?.sound != nil, shown?.sound != nil {
            throw refusal("ios.sound and the notification both set a sound; set only one")
        }
        if isActivePush == true, message.notification == nil { throw refusal("active_push needs a notification") }
        if thirdPartyVersion != "v2", let third = thirdPartyNotification, third["content"]?.stringValue?.isEmpty ?? true
        {
            throw refusal("notification_3rd needs content, or version v2")
        }
        if alternateAlert != nil, message.notification == nil { throw refusal("alternate_alert needs a notification") }
        if alternateTitle != nil || alternateContent != nil, message.custom == nil {
            throw refusal("alternate_title and alternate_content need a custom message")
        }
        if thirdPartyNotification != nil, message.custom == nil {
            throw refusal("notification_3rd stands in for a custom message; add one")
        }
        if let version = thirdPartyVersion, !["v1", "v2"].contains(version) {
            throw refusal("notification_3rd_ver must be v1 or v2")
        }
        if isInApp == true, message.custom != nil {
            throw refusal("inapp_message cannot be combined with a custom message")
        }
        try ios?.sound?.check(in: "the jpush option ios")
        try android?.check()
        try harmony?.check()
        try Self.check(sms?.delay, 0...86_400, "sms_message.delay_time")
        try Self.check(callback?.types, 1...15, "callback.type")
    }

    /// Refuses fields for a platform that the message does not go to. They would be lost.
    private func checkPlatforms(_ message: Message) throws(PushError) {
        guard let platforms = message.platforms else { return }
        let parts: [(isGiven: Bool, name: String, platform: Platform)] = [
            (android != nil, "android", .android), (ios != nil, "ios", .ios), (harmony != nil, "hmos", .harmony),
            (quickApp != nil, "quickapp", "quickapp"),
        ]
        for part in parts where part.isGiven && !platforms.contains(part.platform) {
            throw refusal("\(part.name) is set, but the message does not go to that platform")
        }
    }

    private func refusal(_ text: String) -> PushError { Self.refusal(text) }

    static func refusal(_ text: String) -> PushError { PushError(.invalidArgument, "the jpush options: \(text)") }

    static func check(_ number: Int?, _ range: ClosedRange<Int>, _ name: String) throws(PushError) {
        guard let number, !range.contains(number) else { return }
        throw refusal("\(name) is \(number); give \(range.lowerBound) to \(range.upperBound)")
    }
}
