public import PushAdapter

/// The options of Web Push beyond the common model.
///
/// ```swift
/// var options = WebPushOptions()
/// options.collapseID = "ferry-77"
/// options.notification = .init(navigate: "https://port.example/ferry/77")
/// try message.set(options)
/// ```
///
/// A send refuses with `invalidArgument` a value that browsers or services do not accept. The error names the option.
public struct WebPushOptions: ProviderOptions, Hashable {
    /// `webpush`: only this adapter reads these options.
    public static let provider = WebPush.id
    /// The keys of these options. A message with any other key in them is refused with `invalidArgument`.
    public static let keys = CodingKeys.allCases.map(\.rawValue)

    /// How a device's battery counts, as RFC 8030 names it (section 5.3).
    public enum Urgency: String, Codable, Sendable, Hashable, CaseIterable {
        /// On power and Wi-Fi.
        case veryLow = "very-low"
        /// On power or Wi-Fi.
        case low
        /// On neither, while the battery is not low.
        case normal
        /// Always.
        case high
    }

    /// More of the notification.
    public var notification: Notification?
    /// A later message with the same id replaces this one while the service still stores it (`Topic`, of which the
    /// service sees a digest), and on the screen unless `notification.tag` is set.
    public var collapseID: String?
    /// The urgency, in place of the message's delivery priority.
    public var urgency: Urgency?
    /// Whether the service worker may change a declarative notification before it is shown.
    public var mutable: Bool?
    /// The number on the icon of an installed web app; 0 removes it. Browsers read it in declarative messages.
    public var appBadge: Int?

    /// Changes nothing in a message until an option is set.
    public init() {}

    enum CodingKeys: String, CodingKey, CaseIterable {
        case notification, collapseID, urgency, mutable
        case appBadge = "app_badge"
    }
}

extension WebPushOptions {
    /// Members of the notification, with the names of the Notification API.
    public struct Notification: Codable, Sendable, Hashable {
        /// The absolute address that a tap opens. Declarative messages need it.
        public var navigate: String?
        /// Replaces a shown notification with the same tag.
        public var tag: String?
        /// The language of the texts, such as `en-GB`.
        public var lang: String?
        /// The direction of the texts.
        public var dir: Direction?
        /// The address of a small picture.
        public var icon: String?
        /// The address of a picture in one color, for a status bar.
        public var badge: String?
        /// How to vibrate: milliseconds on, off, on, and so on.
        public var vibrate: [Int]?
        /// When it happened, in milliseconds since 1970.
        public var timestamp: Int?
        /// Whether a replacement makes a sound again. Needs a tag.
        public var renotify: Bool?
        /// Whether it makes no sound.
        public var silent: Bool?
        /// Whether it stays until the user acts.
        public var requireInteraction: Bool?
        /// Buttons.
        public var actions: [Action]?

        /// Members of a notification; nil changes nothing.
        public init(navigate: String? = nil) { self.navigate = navigate }
    }

    /// The direction of texts.
    public enum Direction: String, Codable, Sendable, Hashable, CaseIterable {
        /// As the language.
        case auto
        /// From left to right.
        case ltr
        /// From right to left.
        case rtl
    }

    /// A button of a notification.
    public struct Action: Codable, Sendable, Hashable {
        /// The name that the service worker gets.
        public var action: String
        /// The text.
        public var title: String
        /// The address that it opens in a declarative message.
        public var navigate: String?
        /// The address of a picture.
        public var icon: String?

        /// A button.
        public init(_ action: String, title: String, navigate: String? = nil, icon: String? = nil) {
            (self.action, self.title, self.navigate, self.icon) = (action, title, navigate, icon)
        }
    }
}

extension WebPushOptions {
    static let rules: [OptionRule] = [
        .needs("notification", .notification), .needs("mutable", .notification), .needs("app_badge", .notification),
        .number("app_badge", 0...9_007_199_254_740_991),
        .excludes("urgency", .field(.deliveryPriority)),
        .form("collapseID", "a name", refusing: [""]) { $0 != "" },
        .form(
            "notification.navigate", "an absolute https: or http: address", refusing: ["", "/order/7", "javascript:0"]
        ) {
            isAddress($0.stringValue)
        },
        .excludes("notification.silent", is: true, .option("notification.vibrate")),
        .needs("notification.renotify", is: true, .option("notification.tag"), or: .option("collapseID")),
        .form("notification.vibrate", "times of 0 ms or more", refusing: [[-1]]) { value in
            value.arrayValue?.allSatisfy { ($0.intValue ?? -1) >= 0 } ?? false
        },
        .number("notification.timestamp", 0...8_640_000_000_000_000),
    ]

    /// A collapse id is also the tag of a notification without one.
    static let places = OptionPlaces(
        of: Self.self, ["notification": ["notification.*"], "": ["mutable", "app_badge"]],
        elsewhere: ["collapseID", "urgency", "notification.navigate"])

    static func isAddress(_ text: String?) -> Bool {
        guard let text, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return false }
        return ["https://", "http://"].contains { text.hasPrefix($0) && text.utf8.count > $0.utf8.count }
    }

    /// The options of a message as JSON; empty if the message has none.
    static func fields(of message: Message) throws(PushError) -> JSONValue {
        guard try message.options(WebPushOptions.self) != nil else { return [:] }
        try message.check(rules, of: provider)
        return message.options[provider] ?? [:]
    }
}
