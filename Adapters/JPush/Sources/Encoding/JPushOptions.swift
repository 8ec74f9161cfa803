public import PushCore

/// What JPush can do beyond the common model, by the vendor's own keys: its `options`, and the parts of a push that
/// other vendors do not have.
///
/// ```swift
/// var options = JPushOptions()
/// options.sendNumber = 4711
/// try message.set(options)
/// ```
public struct JPushOptions: ProviderOptions, Hashable {
    /// `jpush`: only this vendor's adapter reads these options.
    public static let provider = JPush.id
    /// The vendor's own keys; a message with any other among its JPush options is refused with `invalidArgument`.
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
    /// Uses texts that the console prepared for each person.
    public var usesAlternateTexts: Bool?
    /// The notification's text for devices without a personal one; goes with `usesAlternateTexts`.
    public var alternateAlert: String?
    /// The custom message's title for devices without a personal one.
    public var alternateTitle: String?
    /// The custom message's content for devices without a personal one.
    public var alternateContent: String?
    /// A place where the message is shown.
    public var geofence: JSONValue?
    /// Settings of the console, in the vendor's form.
    public var portalExtra: JSONValue?
    /// The version of `thirdPartyNotification`: `v1` or `v2`.
    public var thirdPartyVersion: String?

    // Parts of a push beside its options.
    /// An A/B test of the console whose devices alone get the message; narrows the audience.
    public var abTest: String?
    /// More of Android; reaches only messages with a notification, like the next three.
    public var android: JPushAndroid?
    /// More of iOS: a critical sound, and further keys of Apple's alert.
    public var ios: JPushIOS?
    /// More of HarmonyOS: Huawei's category, badge, style and kind of push.
    public var harmony: JPushHarmony?
    /// The notification for quick apps; without it a message that names them is refused with `invalidArgument`.
    public var quickApp: JPushQuickApp?
    /// What phone makers' services show in place of a custom message: fields of Android, or in version 2 an object for
    /// each platform.
    public var thirdPartyNotification: [String: JSONValue]?
    /// Shows the notification inside the app; needs a contract.
    public var isInApp: Bool?
    /// A text message to the phone number of a device, for when the push does not arrive.
    public var sms: JPushSMS?
    /// Where the vendor reports what became of this message, and which events; needs a contract.
    public var callback: JPushCallback?

    /// Changes nothing of a message until an option is set.
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

    /// The keys that are parts of the push and not of its `options`.
    static let parts: Set<String> = Set(
        [
            CodingKeys.android, .ios, .harmony, .quickApp, .thirdPartyNotification, .isInApp, .sms, .callback,
            .alternateAlert, .alternateTitle, .alternateContent, .abTest,
        ]
        .map(\.rawValue))

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
            throw refusal("ios.sound is in the notification as well; give one")
        }
        if let key = ios?.alert?.keys.first(where: ["title", "subtitle", "body"].contains) {
            throw refusal("ios.alert.\(key) is the notification's own; set it there")
        }
        if isActivePush == true, message.notification == nil { throw refusal("active_push is for notifications") }
        if thirdPartyVersion != "v2", let third = thirdPartyNotification, third["content"]?.stringValue?.isEmpty ?? true
        {
            throw refusal("notification_3rd needs content, or version v2")
        }
        if alternateAlert != nil, message.notification == nil { throw refusal("alternate_alert is for notifications") }
        if alternateTitle != nil || alternateContent != nil, message.custom == nil {
            throw refusal("alternate_title and alternate_content are for custom messages")
        }
        if thirdPartyNotification != nil, message.custom == nil {
            throw refusal("notification_3rd needs a custom message, which it stands for")
        }
        if let version = thirdPartyVersion, !["v1", "v2"].contains(version) {
            throw refusal("notification_3rd_ver is v1 or v2")
        }
        if isInApp == true, message.custom != nil { throw refusal("inapp_message goes with a notification alone") }
        try android?.check()
        try harmony?.check()
        try Self.check(sms?.delay, 0...86_400, "sms_message.delay_time")
        try Self.check(callback?.types, 1...15, "callback.type")
    }

    /// What is said for a platform that the message does not go to would be lost.
    private func checkPlatforms(_ message: Message) throws(PushError) {
        guard let platforms = message.platforms else { return }
        let parts: [(isGiven: Bool, name: String, platform: Platform)] = [
            (android != nil, "android", .android), (ios != nil, "ios", .ios), (harmony != nil, "hmos", .harmony),
            (quickApp != nil, "quickapp", "quickapp"),
        ]
        for part in parts where part.isGiven && !platforms.contains(part.platform) {
            throw refusal("\(part.name) is given, and the message does not go to that platform")
        }
    }

    private func refusal(_ text: String) -> PushError { Self.refusal(text) }

    static func refusal(_ text: String) -> PushError { PushError(.invalidArgument, "the jpush options: \(text)") }

    static func check(_ number: Int?, _ range: ClosedRange<Int>, _ name: String) throws(PushError) {
        guard let number, !range.contains(number) else { return }
        throw refusal("\(name) is \(number); give \(range.lowerBound) to \(range.upperBound)")
    }
}
