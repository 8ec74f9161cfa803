public import PushAdapter

/// The options of Honor beyond the common model, under the vendor's keys.
///
/// ```swift
/// var options = HonorOptions()
/// options.android = .init()
/// options.android?.biTag = "campaign-7"
/// try message.set(options)
/// ```
///
/// A send refuses with `invalidArgument` a value that the vendor is said not to accept. The error names the option.
/// Source: public clients that cite the vendor's page, 2024 to 2025.
public struct HonorOptions: ProviderOptions, Hashable {
    /// `honor`: only this vendor's adapter reads these options.
    public static let provider = Honor.id
    /// The vendor's own keys. A message with any other key in these options is refused with `invalidArgument`.
    public static let keys = CodingKeys.allCases.map(\.rawValue)

    /// How the vendor delivers and shows the message.
    public var android: Android?

    /// Changes nothing in a message until an option is set.
    public init() {}

    enum CodingKeys: String, CodingKey, CaseIterable { case android }
}

extension HonorOptions {
    /// The vendor's `android`, without the fields that the adapter writes from the message.
    public struct Android: Codable, Sendable, Hashable {
        /// A text that receipts repeat.
        public var biTag: String?
        /// 1 sends a test message: 1,000 a day and app, besides the limits of a device.
        public var targetUserType: Int?
        /// The look of the notification.
        public var notification: Notification?

        /// Changes nothing until a field is set.
        public init() {}
    }

    /// The vendor's `android.notification`, without the fields that the adapter writes from the message.
    public struct Notification: Codable, Sendable, Hashable {
        /// `LOW` for marketing, `NORMAL` for service. It replaces the word of the message's class.
        public var importance: String?
        /// 1 shows the title and the text in full. The adapter then repeats both in the vendor's `bigTitle` and
        /// `bigBody`.
        public var style: Int?
        /// A later notification with the same number replaces this one; so does `collapseID` of the Android
        /// notification, with texts. Give a number. Some clients write it as a text, and so may you.
        public var notifyId: JSONValue?
        /// Notifications of a group are shown together.
        public var group: String?
        /// The time of the event: a text such as `2026-12-01T09:30:00.000Z`, or a number as in one client.
        public var when: JSONValue?
        /// Up to three buttons in the vendor's form, with a `name` of up to 40 and `data` of up to 1,024 characters.
        public var buttons: [JSONValue]?

        /// Changes nothing until a field is set.
        public init() {}
    }
}
