public import PushAdapter

/// The options of FCM beyond the common model. Their JSON form is part of the vendor's message, with the vendor's keys.
///
/// ```swift
/// var options = FCMOptions()
/// options.analyticsLabel = "spring"
/// options.android = .init()
/// options.android?.collapseKey = "offers"
/// try message.set(options)
/// ```
///
/// A send refuses with `invalidArgument` a value that the vendor does not accept, and an option that the message sets
/// too. The error names the option.
public struct FCMOptions: ProviderOptions, Hashable {
    /// `fcm`: only this vendor's adapter reads these options.
    public static let provider = FCM.id
    /// The vendor's own keys. A message with any other key in its FCM options is refused with `invalidArgument`.
    public static let keys = CodingKeys.allCases.map(\.rawValue)

    /// Settings for Android only.
    public var android: Android?
    /// The vendor's second form of `android`, a preview, as on the wire: either `remote_notification` or
    /// `background_sync`. It excludes everything that the adapter writes into `android`: a time to live, a delivery
    /// priority, Android texts or Android extras in the message, and ``android``.
    public var androidV2: [String: JSONValue]?
    /// Settings for Apple's platforms only.
    public var apns: APNs?
    /// Settings for browsers only.
    public var webpush: Webpush?
    private var settings: Label?

    /// A label for the vendor's reports. The vendor's Python SDK allows 1 to 50 letters, digits and `-_.~%`; its Java
    /// SDK also allows an empty label.
    public var analyticsLabel: String? {
        get { settings?.text }
        set { settings = newValue.map { Label(text: $0) } }
    }

    /// Changes nothing in a message until an option is set.
    public init() {}

    /// The vendor's keys of a message.
    enum CodingKeys: String, CodingKey, CaseIterable {
        case android
        case androidV2 = "android_v2"
        case apns, webpush
        case settings = "fcm_options"
    }

    /// The vendor's `fcm_options` of a message and of each platform.
    struct Label: Codable, Sendable, Hashable {
        var text: String?

        enum CodingKeys: String, CodingKey { case text = "analytics_label" }
    }
}
