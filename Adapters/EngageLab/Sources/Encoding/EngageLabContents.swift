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

    func check() throws(PushError) {
        try EngageLabOptions.checkForeground(showsInForeground, "android")
        // A device shows the part that matches the style and drops the other.
        for (number, name, isGiven) in [(1, "big_text", longText != nil), (2, "inbox", inbox != nil)]
        where isGiven && style != number {
            throw EngageLabOptions.refusal("android.\(name) needs android.style \(number)")
        }
    }
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

    func check() throws(PushError) {
        try EngageLabOptions.checkForeground(showsInForeground, "hmos")
        if let style, ![0, 3].contains(style) { throw EngageLabOptions.refusal("hmos.style must be 0 or 3") }
        if let lines {
            guard style == 3, (1...3).contains(lines.count), lines.allSatisfy({ $0.unicodeScalars.count <= 1024 })
            else {
                throw EngageLabOptions.refusal(
                    "hmos.inbox_content needs style 3, and 1 to 3 lines of at most 1024 characters")
            }
        }
        guard let pushType else { return }
        guard [0, 2, 10].contains(pushType) else {
            throw EngageLabOptions.refusal("hmos.push_type must be 0, 2 or 10")
        }
        if pushType != 0, extraData == nil {
            throw EngageLabOptions.refusal("hmos.push_type \(pushType) needs extra_data")
        }
    }
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

extension EngageLabOptions {
    static func checkForeground(_ text: String?, _ part: String) throws(PushError) {
        guard let text, !["0", "1"].contains(text) else { return }
        throw refusal("\(part).display_foreground must be the text 0 or 1")
    }
}
