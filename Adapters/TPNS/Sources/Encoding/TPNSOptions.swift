public import PushAdapter

/// The options of TPNS beyond the common model, under the vendor's own keys of `/v3/push/app`.
///
/// ```swift
/// var options = TPNSOptions()
/// options.sendTime = try tpns.vendorTime(of: tomorrow)
/// try message.set(options)
/// ```
///
/// The vendor allows some options only for some audiences. For others, they are refused with `invalidArgument`.
public struct TPNSOptions: ProviderOptions, Hashable {
    /// `tpns`: only this vendor's adapter reads these options.
    public static let provider = TPNS.id
    /// The vendor's own keys. A message with any other key in its TPNS options is refused with `invalidArgument`.
    public static let keys = CodingKeys.allCases.map(\.rawValue)

    // When and how fast.

    /// The time to send at, on the vendor's clock, `2026-12-01 09:30:00`, at most 90 days ahead; see
    /// ``TPNS/vendorTime(of:)``. For everyone, tags and account packages. If the time has just passed, the vendor sends
    /// at once; its pages disagree about times further in the past.
    public var sendTime: String?
    /// Repeats the push. The report then has a message for each repetition. For everyone, tags and account packages.
    public var loop: TPNSLoop?
    /// Devices per second, 1,000 to 50,000. For everyone, tags and account packages.
    public var pushSpeed: Int?

    // Which devices.

    /// Rules over tags, including the vendor's own tags. They replace the audience; needs `Audience.everyone`.
    public var tagRules: [TPNSTagRule]?
    /// Whether a push to accounts goes to all of their devices (1) or to the device bound last (0, the vendor's
    /// default). If unset, the adapter sends 1, because an audience of accounts means all of their devices.
    public var accountPushType: Int?
    /// With 1 the vendor ignores invalid tokens and lists them; with 0 a single invalid token makes it refuse the call.
    /// If unset, the adapter sends 1, so that a report can list the tokens. For devices.
    public var ignoreInvalidToken: Int?
    /// Pushes to all package names of an Android app.
    public var isMultiPackage: Bool?

    // Which task.

    /// The plan under which the push counts, from ``TPNS/createPlan(_:describing:)``.
    public var planID: String?
    /// A number of your own. The vendor returns it.
    public var sequence: Int?
    /// Replaces an earlier push: its `collapseID` from ``TPNS/readPush(_:)``. For everyone, tags and account packages.
    public var collapseID: Int?
    /// Also delivers through OPPO and vivo, which cannot replace a push; needs `collapseID`.
    public var forcesCollapse: Bool?

    // Which channels.

    /// Channels to turn off or on; all are on by default.
    public var channelRules: [TPNSChannelRule]?
    /// 0 prefers the vendor's own connection while a device is online, 1 does not.
    public var onlinePushType: Int?
    /// Shows a banner inside the app to users who turned notifications off.
    public var suppliesInAppMessage: Bool?
    /// Sends a text message if the push does not arrive, with the settings of `smsInfo`.
    public var resendsBySMS: Bool?
    /// The text message: `delay_trigger_time` and the other fields of the vendor's page.
    public var smsInfo: [String: JSONValue]?

    // The notification on the screen.

    /// Replaces `{{name}}` in the texts with the device's attributes. Needs `defaultContent`, and on Android also
    /// `defaultTitle`.
    public var usesAttributes: Bool?
    /// The title for devices without the attribute.
    public var defaultTitle: String?
    /// The text for devices without the attribute.
    public var defaultContent: String?
    /// The subtitle for devices without the attribute.
    public var defaultSubtitle: String?
    /// The URL of an image, sound or video for iOS, or of a big picture for Android.
    public var mediaResources: String?
    /// The URL of a sound for Android. Works over the vendor's own connection only.
    public var audioResources: String?
    /// Groups notifications on Android. On iOS, use `threadID` of the message.
    public var threadID: String?
    /// The text of a group of notifications on Android. Works over the vendor's own connection only.
    public var threadSummary: String?
    /// The hours of the day in which Android shows the notification. Works over the vendor's own connection only.
    public var acceptTime: [TPNSAcceptTime]?
    /// 1 hides the notification while the app is in the foreground; 2, the default, shows it.
    public var showType: Int?
    /// More iOS fields.
    public var ios: TPNSIOS?
    /// More Android fields: the fields of `message.android` that the model does not have, under the vendor's own names.
    public var android: [String: JSONValue]?

    /// Changes nothing in a message until an option is set.
    public init() {}

    enum CodingKeys: String, CodingKey, CaseIterable {
        case sendTime = "send_time"
        case loop = "loop_param"
        case pushSpeed = "push_speed"
        case tagRules = "tag_rules"
        case accountPushType = "account_push_type"
        case ignoreInvalidToken = "ignore_invalid_token"
        case isMultiPackage = "multi_pkg"
        case planID = "plan_id"
        case sequence = "seq"
        case collapseID = "collapse_id"
        case forcesCollapse = "force_collapse"
        case channelRules = "channel_rules"
        case onlinePushType = "tpns_online_push_type"
        case suppliesInAppMessage = "supply_inapp_msg"
        case resendsBySMS = "resend_by_sms"
        case smsInfo = "sms_info"
        case usesAttributes = "ntf_wt_attrs"
        case defaultTitle = "default_title"
        case defaultContent = "default_content"
        case defaultSubtitle = "default_subtitle"
        case mediaResources = "xg_media_resources"
        case audioResources = "xg_media_audio_resources"
        case threadID = "thread_id"
        case threadSummary = "thread_sumtext"
        case acceptTime = "accept_time"
        case showType = "show_type"
        case ios, android
    }

    /// An app has one platform. Options for the other one, and those of an audience, have forms of their own.
    static func places(on platform: Platform) -> OptionPlaces { platform == .ios ? onIOS : onAndroid }

    private static let onIOS = OptionPlaces(
        of: Self.self, ["": ["*"], "message": shown + ["show_type"], "message.ios.aps": ["ios.*"]],
        elsewhere: ofAudience + ["android", "thread_id"])
    private static let onAndroid = OptionPlaces(
        of: Self.self,
        ["": ["*"], "message": shown + ["thread_id"], "message.android": ["android.*", "show_type"]],
        elsewhere: ofAudience + ["ios"])

    private static let ofAudience = ["tag_rules", "ignore_invalid_token", "account_push_type"]
    private static let shown = [
        "default_title", "default_content", "default_subtitle", "xg_media_resources", "xg_media_audio_resources",
        "thread_sumtext", "accept_time",
    ]
}

/// iOS fields that the model does not have.
public struct TPNSIOS: Sendable, Hashable, Codable {
    /// 0 bypasses the app's service extension, which the vendor needs for its arrival counts. 1 is the vendor's
    /// default.
    public var mutableContent: Int?

    /// Creates iOS fields. They change nothing until one is set.
    public init(mutableContent: Int? = nil) { self.mutableContent = mutableContent }

    private enum CodingKeys: String, CodingKey { case mutableContent = "mutable-content" }
}

/// The rhythm of a repeated push. Days and times are on the vendor's clock.
public struct TPNSLoop: Sendable, Hashable, Codable {
    /// How often the push repeats.
    public enum Rhythm: Int, Sendable, Hashable, Codable, CaseIterable {
        /// Every day; `days` is `[0]`.
        case daily = 1
        /// Days of the week, 0 for Sunday to 6.
        case weekly = 2
        /// Days of the month.
        case monthly = 3
    }

    /// The first day, `2026-12-01`, within the next 90 days.
    public var startDate: String
    /// The last day, `2026-12-31`, within the next 90 days.
    public var endDate: String
    /// How often the push repeats.
    public var rhythm: Rhythm
    /// The days of the rhythm.
    public var days: [Int]
    /// The times of the day: `09:30:00`.
    public var times: [String]

    /// Creates a rhythm between two days, at these times.
    public init(from startDate: String, to endDate: String, _ rhythm: Rhythm, on days: [Int] = [0], at times: [String])
    {
        self.startDate = startDate
        self.endDate = endDate
        self.rhythm = rhythm
        self.days = days
        self.times = times
    }

    private enum CodingKeys: String, CodingKey {
        case startDate, endDate
        case rhythm = "loopType"
        case days = "loopDayIndexs"
        case times = "dayTimes"
    }
}

/// Whether a push may use a channel to the device.
public struct TPNSChannelRule: Sendable, Hashable, Codable {
    /// `xg`, the vendor's own, or `apns`, `hw`, `honor`, `xm`, `mz`, `oppo`, `vivo`, `fcm`.
    public var channel: String
    /// Whether the channel is turned off.
    public var isDisabled: Bool

    /// Creates a rule that turns a channel off, or on again.
    public init(_ channel: String, isDisabled: Bool = true) {
        self.channel = channel
        self.isDisabled = isDisabled
    }

    private enum CodingKeys: String, CodingKey {
        case channel
        case isDisabled = "disable"
    }

    static let channels: Set<String> = ["xg", "apns", "hw", "honor", "xm", "mz", "oppo", "vivo", "fcm"]
}

/// A part of the day.
public struct TPNSAcceptTime: Sendable, Hashable, Codable {
    /// A time of the day: two texts, `hour` 0 to 23 and `min` 0 to 59.
    public struct Moment: Sendable, Hashable, Codable {
        /// 0 to 23.
        public var hour: String
        /// 0 to 59.
        public var min: String

        /// A time of the day.
        public init(hour: Int, minute: Int) {
            self.hour = String(hour)
            min = String(minute)
        }
    }

    /// The start.
    public var start: Moment
    /// The end.
    public var end: Moment

    /// Creates the span between two times of a day.
    public init(from start: Moment, to end: Moment) {
        self.start = start
        self.end = end
    }
}
