public import PushAdapter

/// The options of FCM beyond the common model. Their JSON form is a part of the vendor's message, under its own keys.
///
/// ```swift
/// var options = FCMOptions()
/// options.analyticsLabel = "spring"
/// options.android = .init()
/// options.android?.collapseKey = "offers"
/// try message.set(options)
/// ```
///
/// A send refuses with `invalidArgument` a value that the vendor would not take, and an option that the message sets as
/// well; the error names it.
public struct FCMOptions: ProviderOptions, Hashable {
    /// `fcm`: only this vendor's adapter reads these options.
    public static let provider = FCM.id
    /// The vendor's own keys; a message with any other key in its FCM options is refused with `invalidArgument`.
    public static let keys = CodingKeys.allCases.map(\.rawValue)

    /// What differs on Android.
    public var android: Android?
    /// The vendor's second form of `android`, a preview, as it stands on the wire: `remote_notification` or
    /// `background_sync`, and not both. It goes with nothing that the adapter writes into `android`: no time to live,
    /// delivery priority, Android texts or Android extras in the message, and no ``android``.
    public var androidV2: [String: JSONValue]?
    /// What differs on Apple's platforms.
    public var apns: APNs?
    /// What differs in browsers.
    public var webpush: Webpush?
    private var settings: Label?

    /// A label for the vendor's reports: 1 to 50 letters, digits and `-_.~%`, by the vendor's Python SDK. Its Java SDK
    /// also takes an empty one.
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
