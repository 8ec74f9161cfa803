public import PushAdapter

/// Android fields of a notification beyond the common model, under the vendor's own keys.
public struct EngageLabAndroid: Codable, Sendable, Hashable {
    /// The number of a notification style that the app defines.
    public var builderID: Int?
    /// 0 plain, 1 long text, 2 inbox (recalled from the JPush lineage, not checked). `image` of the Android
    /// notification makes it a picture.
    public var style: Int?
    /// The text of style 1.
    public var longText: String?
    /// The lines of style 2.
    public var inbox: [String: JSONValue]?
    /// The large icon.
    public var largeIcon: String?
    /// The small icon.
    public var smallIcon: String?
    /// The class of the app's entry activity, whose icon carries the badge.
    public var badgeClass: String?
    /// `"0"` hides the notification while the app is in the foreground, `"1"` shows it.
    public var showsInForeground: String?
    /// The group of the notification.
    public var groupID: String?
    /// Whether to fold the notification into its group.
    public var isFolded: Bool?

    /// Adds nothing to the notification until a field is set.
    public init() {}

    private enum CodingKeys: String, CodingKey {
        case style, inbox
        case builderID = "builder_id"
        case longText = "big_text"
        case largeIcon = "large_icon"
        case smallIcon = "small_icon"
        case badgeClass = "badge_class"
        case showsInForeground = "display_foreground"
        case groupID = "group_id"
        case isFolded = "is_fold"
    }

    static let rules: [OptionRule] = [
        .oneOf("android.display_foreground", "0", "1"),
        // A device shows the part that matches the style and drops the other.
        .needs("android.big_text", .option("android.style", 1)), .needs("android.inbox", .option("android.style", 2)),
    ]
}

/// iOS fields of a notification beyond the common model.
public struct EngageLabIOS: Codable, Sendable, Hashable {
    /// A critical sound. Replaces the notification's sound.
    public var sound: APSOptions.CriticalSound?
    /// More keys of Apple's alert, such as `launch-image`.
    public var alert: [String: JSONValue]?

    /// Adds nothing to the notification until a field is set.
    public init() {}
}

/// HarmonyOS fields of a notification beyond the common model, under the vendor's own keys.
public struct EngageLabHarmony: Codable, Sendable, Hashable {
    /// The large icon: an HTTPS address of an image of at most 30 KB.
    public var largeIcon: String?
    /// Marks the notification as a test for Huawei's service.
    public var isTestMessage: Bool?
    /// The receipt configured with Huawei's service.
    public var receiptID: String?
    /// 0 plain, 3 several lines. JPush uses another number for several lines.
    public var style: Int?
    /// The lines of style 3: at most three, each of at most 1024 characters.
    public var lines: [String]?
    /// 0 notification, 2 extension, 10 VoIP call.
    public var pushType: Int?
    /// Data for types 2 and 10.
    public var extraData: String?
    /// `"0"` hides the notification while the app is in the foreground, `"1"` shows it.
    public var showsInForeground: String?

    /// Adds nothing to the notification until a field is set.
    public init() {}

    private enum CodingKeys: String, CodingKey {
        case style
        case largeIcon = "large_icon"
        case isTestMessage = "test_message"
        case receiptID = "receipt_id"
        case lines = "inbox_content"
        case pushType = "push_type"
        case extraData = "extra_data"
        case showsInForeground = "display_foreground"
    }

    static let rules: [OptionRule] = [
        .oneOf("hmos.display_foreground", "0", "1"), .oneOf("hmos.style", 0, 3), .oneOf("hmos.push_type", 0, 2, 10),
        .needs("hmos.inbox_content", .option("hmos.style", 3)),
        .form(
            "hmos.inbox_content", "1 to 3 lines of at most 1024 characters",
            refusing: [[], ["a", "b", "c", "d"], [.string(String(repeating: "x", count: 1025))]]
        ) { value in
            let lines = value.arrayValue ?? []
            return (1...3).contains(lines.count)
                && lines.allSatisfy { $0.stringValue.map { $0.unicodeScalars.count <= 1024 } ?? false }
        },
        .needs("hmos.push_type", is: 2, .option("hmos.extra_data")),
        .needs("hmos.push_type", is: 10, .option("hmos.extra_data")),
    ]
}

/// Fields of a custom message beyond the common model, under the vendor's own keys.
public struct EngageLabCustom: Codable, Sendable, Hashable {
    /// The content as an object. Replaces the custom message's text.
    public var content: [String: JSONValue]?
    /// Marks the message as a test for Huawei's service.
    public var isTestMessage: Bool?
    /// The receipt configured with Huawei's service.
    public var receiptID: String?

    /// Adds nothing to the message until a field is set.
    public init() {}

    private enum CodingKeys: String, CodingKey {
        case content = "msg_content"
        case isTestMessage = "test_message"
        case receiptID = "receipt_id"
    }
}
