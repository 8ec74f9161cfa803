public import PushAdapter

/// Android fields of a notification beyond the common model, under the vendor's own keys.
public struct JPushAndroid: Codable, Sendable, Hashable {
    /// The number of a notification style that the app defines.
    public var builderID: Int?
    /// 0 plain, 1 long text, 2 inbox, 3 picture. If the Android notification sets `image`, it gets style 3 as well.
    public var style: Int?
    /// The picture of style 3, if it is not an address: the id of an image that the vendor stores.
    public var bigPicture: String?
    /// The sum of 1 sound, 2 vibration and 4 lights; -1 for all.
    public var alertType: Int?
    /// The text of style 1.
    public var longText: String?
    /// The lines of style 2.
    public var inbox: [String: JSONValue]?
    /// The large icon: an image of at most 30 KB, or 300 KB from version 4.0.0 of the app's SDK.
    public var largeIcon: String?
    /// The small icon: an image of at most 30 KB, or 300 KB from version 4.0.0 of the app's SDK.
    public var smallIcon: String?
    /// The color behind the icon; needs version 5.5.0 of the app's SDK.
    public var iconColor: String?
    /// The class of the app's entry activity, whose icon carries the badge.
    public var badgeClass: String?
    /// The start of display: `yyyy-MM-dd HH:mm:ss`.
    public var showsFrom: String?
    /// The end of display, `yyyy-MM-dd HH:mm:ss`; needs version 3.5.0 of the app's SDK.
    public var showsUntil: String?
    /// `"0"` hides the notification while the app is in the foreground.
    public var showsInForeground: String?
    /// Buttons: `name` up to 20, `action_type` 1 to 4, `action` up to 300, `data` up to 100. The app needs SDK 5.9.0.
    public var buttons: [JSONValue]?

    /// Adds nothing to the notification until a field is set.
    public init() {}

    private enum CodingKeys: String, CodingKey {
        case style, inbox
        case builderID = "builder_id"
        case alertType = "alert_type"
        case bigPicture = "big_pic_path"
        case longText = "big_text"
        case largeIcon = "large_icon"
        case smallIcon = "small_icon_uri"
        case iconColor = "icon_bg_color"
        case badgeClass = "badge_class"
        case showsFrom = "show_begin_time"
        case showsUntil = "show_end_time"
        case showsInForeground = "display_foreground"
        case buttons = "custom_buttons"
    }

    static let rules: [OptionRule] = [
        .number("android.style", 0...3), .number("android.alert_type", -1...7),
        // The vendor shows the part that matches the style and drops the others.
        .needs("android.big_text", .option("android.style", 1)), .needs("android.inbox", .option("android.style", 2)),
        .needs("android.big_pic_path", .option("android.style", 3)),
        .needs("android.style", is: 3, .option("android.big_pic_path")),
    ]
}

/// iOS fields of a notification beyond the common model.
public struct JPushIOS: Codable, Sendable, Hashable {
    /// A critical sound. Replaces the notification's sound.
    public var sound: APSOptions.CriticalSound?
    /// More keys of Apple's alert, such as `launch-image`.
    public var alert: [String: JSONValue]?

    /// Adds nothing to the notification until a field is set.
    public init() {}
}

/// HarmonyOS fields of a notification beyond the common model, under the vendor's own keys.
public struct JPushHarmony: Codable, Sendable, Hashable {
    /// The large icon of the notification.
    public var largeIcon: String?
    /// Marks the notification as a test for Huawei's service.
    public var isTestMessage: Bool?
    /// The receipt configured with Huawei's service, for this notification on HarmonyOS.
    public var receiptID: String?
    /// 0 plain, 2 inbox.
    public var style: Int?
    /// The lines of style 2.
    public var inbox: [String: JSONValue]?
    /// 0 alert, 1 form update, 2 extension, 7 live view, 10 VoIP.
    public var pushType: Int?
    /// Data for types 2 and 10.
    public var extraData: String?
    /// The payload for types 1 and 7.
    public var payload: [String: JSONValue]?
    /// `"0"` hides the notification while the app is in the foreground, `"1"` shows it.
    public var showsInForeground: String?
    /// How long the sound plays, in seconds, 1 to 60.
    public var soundDuration: Int?

    /// Adds nothing to the notification until a field is set.
    public init() {}

    private enum CodingKeys: String, CodingKey {
        case style, inbox
        case largeIcon = "large_icon"
        case isTestMessage = "test_message"
        case receiptID = "receipt_id"
        case pushType = "push_type"
        case extraData = "extra_data"
        case payload = "hm_payload"
        case showsInForeground = "display_foreground"
        case soundDuration = "sound_duration"
    }

    static let rules: [OptionRule] =
        [
            .number("hmos.sound_duration", 1...60, "seconds"), .oneOf("hmos.style", 0, 2),
            .needs("hmos.inbox", .option("hmos.style", 2)), .oneOf("hmos.push_type", 0, 1, 2, 7, 10),
        ] + [2, 10].map { .needs("hmos.push_type", is: $0, .option("hmos.extra_data")) }
        + [1, 7].map { .needs("hmos.push_type", is: $0, .option("hmos.hm_payload")) }
}

/// A notification for quick apps.
public struct JPushQuickApp: Codable, Sendable, Hashable {
    /// The text; the vendor requires one.
    public var alert: String
    /// The line above the text; the vendor requires one.
    public var title: String
    /// The page that a tap opens.
    public var page: String
    /// The app's data, any JSON object.
    public var extras: [String: JSONValue]?

    /// Creates a text with a title that opens a page of the quick app; needs a contract.
    public init(alert: String, title: String, page: String, extras: [String: JSONValue]? = nil) {
        self.alert = alert
        self.title = title
        self.page = page
        self.extras = extras
    }
}

/// A text message for devices that did not get the push; needs the device's phone number.
public struct JPushSMS: Codable, Sendable, Hashable {
    /// The number of a template in the console.
    public var template: Int
    /// The wait in seconds, 0 to 86,400; 0 sends the text together with the push.
    public var delay: Int
    /// The number of the sender's signature in the text (`signid`).
    public var signature: Int?
    /// Values for the template's placeholders.
    public var parameters: [String: JSONValue]?
    /// Whether to skip devices that got the push; the vendor's default is true.
    public var leavesOutReached: Bool?

    /// Creates a text from a template. It goes out `delay` seconds after a push that did not arrive; with 0, together
    /// with the push.
    public init(template: Int, delay: Int) {
        self.template = template
        self.delay = delay
    }

    private enum CodingKeys: String, CodingKey {
        case template = "temp_id"
        case delay = "delay_time"
        case signature = "signid"
        case parameters = "temp_para"
        case leavesOutReached = "active_filter"
    }
}

/// The vendor's callbacks about one message; needs a contract.
public struct JPushCallback: Codable, Sendable, Hashable {
    /// The callback address; nil uses the one in the console's receipt settings.
    public var url: String?
    /// Values that the vendor returns unchanged.
    public var parameters: [String: JSONValue]?
    /// The sum of 1 delivered, 2 clicked, 4 not delivered and 8 accepted; nil uses the app's own setting.
    public var types: Int?

    /// Requests callbacks about this message. A nil address or nil types use the console's settings.
    public init(url: String? = nil, parameters: [String: JSONValue]? = nil, types: Int? = nil) {
        self.url = url
        self.parameters = parameters
        self.types = types
    }

    private enum CodingKeys: String, CodingKey {
        case url
        case parameters = "params"
        case types = "type"
    }
}
