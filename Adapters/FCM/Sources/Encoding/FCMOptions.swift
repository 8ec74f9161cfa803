public import PushCore

/// The options of FCM beyond the common model, under the vendor's own keys of a message.
///
/// ```swift
/// var options = FCMOptions()
/// options.analyticsLabel = "spring"
/// try message.set(options)
/// ```
public struct FCMOptions: ProviderOptions, Hashable {
    /// `fcm`: only this vendor's adapter reads these options.
    public static let provider = FCM.id
    /// The vendor's own keys; a message with any other key in its FCM options is refused with `invalidArgument`.
    public static let keys = CodingKeys.allCases.map(\.rawValue)

    /// A label for the vendor's reports, at most 50 letters, digits and `-_.~%`.
    public var analyticsLabel: String?
    /// The address of an image that the notification shows.
    public var image: String?
    /// Fields of `AndroidConfig` that the model does not have.
    public var android: Android?
    /// Header fields and payload for Apple's platforms that the model does not have.
    public var apns: APNs?
    /// The whole `webpush` object; the client adds the message's time to live to its headers.
    public var webpush: [String: JSONValue]?

    /// Fields of `AndroidConfig` besides those that the adapter writes from the message.
    public struct Android: Codable, Sendable, Hashable {
        /// Such as `collapse_key`, `priority`, `direct_boot_ok`, under the vendor's names.
        public var fields: [String: JSONValue]
        /// Of `AndroidNotification`, such as `tag`, `color`, `icon`, under the vendor's names.
        public var notification: [String: JSONValue]

        /// Fields under the vendor's names.
        public init(fields: [String: JSONValue] = [:], notification: [String: JSONValue] = [:]) {
            self.fields = fields
            self.notification = notification
        }
    }

    /// Parts of `ApnsConfig` besides those that the adapter writes from the message.
    public struct APNs: Codable, Sendable, Hashable {
        /// Such as `apns-topic`.
        public var headers: [String: String]
        /// Keys beside `aps`.
        public var payload: [String: JSONValue]

        /// Header fields and payload keys of your own.
        public init(headers: [String: String] = [:], payload: [String: JSONValue] = [:]) {
            self.headers = headers
            self.payload = payload
        }
    }

    /// No options.
    public init() {}

    /// The vendor's keys.
    enum CodingKeys: String, CodingKey, CaseIterable {
        case analyticsLabel = "analytics_label"
        case image, android, apns, webpush
    }
}
