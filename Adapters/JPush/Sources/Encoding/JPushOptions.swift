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
    /// Settings for each phone maker.
    public var thirdPartyChannel: JPushChannels?
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

    /// A test is part of the audience, and an in-app message is an object of its own.
    static let places = OptionPlaces(
        of: Self.self,
        [
            "": ["callback", "notification_3rd", "sms_message"], "notification": ["alternate_alert", "quickapp"],
            "notification.android": ["android.*"], "notification.hmos": ["hmos.*"], "notification.ios": ["ios.sound"],
            "notification.ios.alert": ["ios.alert.*"], "message": ["alternate_title", "alternate_content"],
            // As a whole, because every maker takes any field.
            "options": ["*", "third_party_channel"],
        ], elsewhere: ["abtest", "inapp_message"])

    /// The values that the vendor documents as invalid, and parts that the message would lose.
    static let rules: [OptionRule] =
        ["android", "ios", "hmos", "quickapp", "inapp_message", "alternate_alert"].map { .needs($0, .notification) }
        + ["alternate_title", "alternate_content", "notification_3rd"].map { .needs($0, .custom) }
        + [("android", .android), ("ios", .ios), ("hmos", .harmony), ("quickapp", "quickapp")]
        .map { .needs($0, .platform($1)) }
        + [
            .form("sendno", "a number that is not 0", refusing: [0]) { $0 != 0 },
            .number("big_push_duration", 0...1400, "minutes"), .number("classification", 0...1),
            .needs("active_push", is: true, .notification), .excludes("active_push", is: true, .custom),
            .excludes("active_push", is: true, .option("big_push_duration")),
            .needs("need_backup", is: true, .option("active_push", true)),
            .excludes("inapp_message", is: true, .custom), .oneOf("notification_3rd_ver", "v1", "v2"),
            .custom("notification_3rd", "content, or notification_3rd_ver v2", refusing: [["content": ""]]) {
                $0["content"]?.stringValue?.isEmpty == false
                    || $1.options[provider]?["notification_3rd_ver"] == "v2"
            },
            .number("sms_message.delay_time", 0...86_400, "seconds"), .number("callback.type", 1...15),
            .excludes("ios.sound", .field(.ios("sound"))),
        ] + OptionRule.criticalSound("ios.sound") + JPushAndroid.rules + JPushHarmony.rules
}
