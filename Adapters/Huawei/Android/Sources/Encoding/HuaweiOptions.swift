public import PushAdapter

/// The options of Huawei on Android beyond the common model. Their JSON form is part of the vendor's body, with the
/// vendor's keys.
///
/// ```swift
/// var options = HuaweiOptions()
/// options.android = .init()
/// options.android?.collapseKey = 7
/// try message.set(options)
/// ```
///
/// A send refuses with `invalidArgument` a value that the vendor does not accept. The error names the option.
public struct HuaweiOptions: ProviderOptions, Hashable {
    /// `huawei`: only this vendor's adapter reads these options.
    public static let provider = Huawei.id
    /// The vendor's own keys. A message with any other key in these options is refused with `invalidArgument`.
    public static let keys = CodingKeys.allCases.map(\.rawValue)

    /// How the vendor delivers and shows the message.
    public var android: Android?
    /// The result of a review of the text outside of the vendor, in the vendor's form.
    public var review: [JSONValue]?

    /// Changes nothing in a message until an option is set.
    public init() {}

    enum CodingKeys: String, CodingKey, CaseIterable { case android, review }
}

extension HuaweiOptions {
    /// The vendor's `android`, without the fields that the adapter writes from the message.
    public struct Android: Codable, Sendable, Hashable {
        /// The vendor's word for the class. It replaces the word of the message's class. `PLAY_VOICE` is for custom
        /// messages.
        public var category: String?
        /// 0 keeps the newest message for an offline device, 1 to 100 the newest of a group, -1 all.
        public var collapseKey: Int?
        /// 1 sends a test message: 500 a day and app, besides the limits of a device.
        public var targetUserType: Int?
        /// A text that receipts repeat.
        public var biTag: String?
        /// The name of a receipt configuration of the console.
        public var receiptID: String?
        /// The look of the notification.
        public var notification: Notification?

        /// Changes nothing until a field is set.
        public init() {}

        private enum CodingKeys: String, CodingKey {
            case category, notification
            case collapseKey = "collapse_key"
            case targetUserType = "target_user_type"
            case biTag = "bi_tag"
            case receiptID = "receipt_id"
        }
    }

    /// The vendor's `AndroidNotification`, without the fields that the adapter writes from the message.
    public struct Notification: Codable, Sendable, Hashable {
        /// The name of an icon of the app.
        public var icon: String?
        /// The color of the icon: `#RRGGBB`.
        public var color: String?
        /// Plays the system's sound.
        public var usesDefaultSound: Bool?
        /// Texts by key and language, at most three languages for each.
        public var multilingualTexts: [String: JSONValue]?
        /// 0 shows the text, 1 a big text, 3 several lines.
        public var style: Int?
        /// The title of the style 1.
        public var bigTitle: String?
        /// The text of the style 1.
        public var bigBody: String?
        /// The lines of the style 3: up to five, of up to 1,024 characters.
        public var inboxContent: [String]?
        /// A number of your own. A later notification with the same number replaces this one; so does `collapseID` of the
        /// Android notification, with texts.
        public var notifyID: Int?
        /// Notifications of a group are shown together.
        public var group: String?
        /// The time of the event, in the vendor's form.
        public var when: String?
        /// `LOW` or `NORMAL`: how it is shown. It is no class.
        public var importance: String?
        /// The vibration pattern: up to 10 durations, in the vendor's form.
        public var vibration: [String]?
        /// The part that a locked screen shows, in the vendor's words.
        public var visibility: String?
        /// The light of the device, in the vendor's form.
        public var lights: [String: JSONValue]?
        /// False gives the app the notification while it is in the foreground.
        public var foregroundShow: Bool?
        /// The account on the device that the notification is for, up to 64 characters.
        public var profileID: String?
        /// Up to three buttons in the vendor's form, with a `name` of up to 40 and `data` of up to 1,024 characters.
        public var buttons: [JSONValue]?

        /// Changes nothing until a field is set.
        public init() {}

        private enum CodingKeys: String, CodingKey {
            case icon, color, style, group, when, importance, visibility, buttons
            case usesDefaultSound = "default_sound"
            case multilingualTexts = "multi_lang_key"
            case bigTitle = "big_title"
            case bigBody = "big_body"
            case inboxContent = "inbox_content"
            case notifyID = "notify_id"
            case vibration = "vibrate_config"
            case lights = "light_settings"
            case foregroundShow = "foreground_show"
            case profileID = "profile_id"
        }
    }
}
