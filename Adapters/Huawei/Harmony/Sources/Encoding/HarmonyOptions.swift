public import PushAdapter

/// The options of HarmonyOS beyond the common model. Their JSON form is part of the vendor's body, with the vendor's
/// keys.
///
/// ```swift
/// var options = HarmonyOptions()
/// options.notification = .init()
/// options.notification?.foregroundShow = false
/// try message.set(options)
/// ```
///
/// A send refuses with `invalidArgument` a value that the vendor does not accept. The error names the option.
public struct HarmonyOptions: ProviderOptions, Hashable {
    /// `harmony`: only this vendor's adapter reads these options.
    public static let provider = Harmony.id
    /// The vendor's own keys. A message with any other key in these options is refused with `invalidArgument`.
    public static let keys = CodingKeys.allCases.map(\.rawValue)

    /// How the vendor delivers the message.
    public var pushOptions: PushOptions?
    /// The look of the notification.
    public var notification: Notification?
    /// The data that the app speaks. It makes a notification of the category `PLAY_VOICE`, which needs a right.
    public var extraData: String?
    /// Whether a proxy takes the app's background messages. For custom messages.
    public var proxyData: Proxy?

    /// Changes nothing in a message until an option is set.
    public init() {}

    enum CodingKeys: String, CodingKey, CaseIterable { case pushOptions, notification, extraData, proxyData }

    /// Whether a proxy takes the app's background messages.
    public enum Proxy: String, Codable, Sendable, Hashable, CaseIterable {
        /// It does.
        case enable = "ENABLE"
    }
}

extension HarmonyOptions {
    /// The vendor's `pushOptions`, without the time to live, which the message has.
    public struct PushOptions: Codable, Sendable, Hashable {
        /// Sends a test message to at most 10 devices. The vendor takes 1,000 of them a day and project, and counts
        /// them against no other limit.
        public var testMessage: Bool?
        /// A text of up to 64 bytes that receipts repeat.
        public var biTag: String?
        /// The name of a receipt configuration of the console.
        public var receiptId: String?
        /// 0 to 100: of several messages of a group, an offline device gets only the last. -1 keeps all. For
        /// notifications.
        public var collapseKey: Int?
        /// 1 lets an app for instant messages run for 30 seconds, which needs a right. For custom messages.
        public var backgroundMode: Int?

        /// Changes nothing until a field is set.
        public init() {}
    }

    /// The vendor's `notification`, without the fields that the adapter writes from the message.
    public struct Notification: Codable, Sendable, Hashable {
        /// The vendor's word for the class. It replaces the word of the message's class.
        public var category: String?
        /// 0 shows the text, 3 the lines of `inboxContent`. The vendor is withdrawing 1, a big text.
        public var style: Int?
        /// The title of the style 1.
        public var bigTitle: String?
        /// The text of the style 1.
        public var bigBody: String?
        /// The lines of the style 3: one to three, of up to 1,024 characters.
        public var inboxContent: [String]?
        /// The account on the device that the notification is for, up to 64 characters.
        public var profileId: String?
        /// How long the sound lasts, 1 to 60 seconds. The phone repeats or cuts it. Needs a sound.
        public var soundDuration: Int?
        /// False gives the app the data, and shows nothing, while it is in the foreground.
        public var foregroundShow: Bool?

        /// Changes nothing until a field is set.
        public init() {}
    }
}

extension HarmonyOptions {
    static let rules: [OptionRule] = [
        .form("pushOptions.biTag", "1 to 64 bytes", refusing: ["", .string(String(repeating: "a", count: 65))]) {
            (1...64).contains($0.stringValue?.utf8.count ?? 0)
        },
        .number("pushOptions.collapseKey", -1...100), .needs("pushOptions.collapseKey", .notification),
        .number("pushOptions.backgroundMode", 0...1), .needs("pushOptions.backgroundMode", .custom),
        .needs("notification", .notification),
        .form("notification.category", "the vendor's word for the class", refusing: [""]) { $0 != "" },
        .oneOf("notification.style", 0, 1, 3),
        .needs("notification.bigTitle", .option("notification.style", 1)),
        .needs("notification.bigBody", .option("notification.style", 1)),
        .needs("notification.inboxContent", .option("notification.style", 3)),
        .needs("notification.style", is: 3, .option("notification.inboxContent")),
        .form(
            "notification.inboxContent", "1 to 3 lines of up to 1024 characters",
            refusing: [[], ["a", "b", "c", "d"], [.string(String(repeating: "a", count: 1025))]], isInbox),
        .form(
            "notification.profileId", "1 to 64 characters", refusing: ["", .string(String(repeating: "a", count: 65))]
        ) {
            (1...64).contains($0.stringValue?.unicodeScalars.count ?? 0)
        },
        .custom("notification.soundDuration", "1 to 60 seconds, with a sound", refusing: [0, 61]) { value, message in
            (1...60).contains(value.intValue ?? 0) && message.notification?.harmony?.sound != nil
        },
        .needs("extraData", .notification), .needs("proxyData", .custom),
        .form("extraData", "the text to speak", refusing: [""]) { $0 != "" },
    ]

    /// A text to speak also changes the notification's category.
    static let places = OptionPlaces(
        of: Self.self,
        [
            "pushOptions": ["pushOptions.*"], "payload": ["proxyData"], "payload.notification": ["notification.*"],
        ], elsewhere: ["extraData"])

    private static func isInbox(_ value: JSONValue) -> Bool {
        let lines = value.arrayValue ?? []
        return (1...3).contains(lines.count)
            && lines.allSatisfy { ($0.stringValue?.unicodeScalars.count ?? .max) <= 1024 }
    }

    /// The options of a message as JSON, which is the vendor's form. Empty if the message has none.
    static func fields(of message: Message) throws(PushError) -> [String: JSONValue] {
        guard try message.options(HarmonyOptions.self) != nil else { return [:] }
        try message.check(rules, of: provider)
        return message.options[provider].fields
    }
}
