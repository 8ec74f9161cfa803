public import PushAdapter

/// The options of APNs beyond the common model.
///
/// ```swift
/// var options = APNsOptions()
/// options.pushType = .widgets
/// try message.set(options)
/// ```
///
/// A send refuses with `invalidArgument` a value that the vendor does not accept, and a value that the message sets
/// too. The error names the option.
public struct APNsOptions: ProviderOptions, Hashable {
    /// `apns`: only this vendor's adapter reads these options.
    public static let provider = APNs.id
    /// The keys of these options. A message with any other key in them is refused with `invalidArgument`.
    public static let keys = CodingKeys.allCases.map(\.rawValue)

    /// The push type of a custom message; nil for a background push. The contents decide the type of all other
    /// messages.
    public var pushType: APNsPushType?
    /// The whole topic. It replaces the app's topic with its suffix, for a device-management certificate or another app
    /// of the team.
    public var topic: String?
    /// 10 delivers at once, 5 respects the device's battery, 1 never wakes the device. Use it instead of the message's
    /// delivery priority.
    public var priority: Int?
    /// A later push with the same id replaces this one on the screen. At most 64 bytes. For messages without an iOS
    /// notification, which has its own collapse id.
    public var collapseID: String?
    /// The action of a `pushToTalk` push: `service-update`. iOS 17.2.
    public var pushToTalkType: String?
    /// More fields of the payload's `aps`.
    public var aps: APSOptions?

    /// Changes nothing in a message until an option is set.
    public init(pushType: APNsPushType? = nil) { self.pushType = pushType }

    enum CodingKeys: String, CodingKey, CaseIterable { case pushType, topic, priority, collapseID, pushToTalkType, aps }
}
