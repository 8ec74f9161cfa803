public import PushAdapter

/// The options of APNs beyond the common model.
///
/// ```swift
/// var options = APNsOptions()
/// options.pushType = .widgets
/// try message.set(options)
/// ```
///
/// A send refuses with `invalidArgument` a value that the vendor would not take, and one that the message sets as well; the
/// error names it.
public struct APNsOptions: ProviderOptions, Hashable {
    /// `apns`: only this vendor's adapter reads these options.
    public static let provider = APNs.id
    /// The keys of these options; a message with any other key in them is refused with `invalidArgument`.
    public static let keys = CodingKeys.allCases.map(\.rawValue)

    /// What a custom message is for; nil for a background push. The contents decide it for all other messages.
    public var pushType: APNsPushType?
    /// The whole topic, in place of the app's with the suffix of the push type: the topic of a certificate for device
    /// management, or of another app of the team.
    public var topic: String?
    /// 10 for at once, 5 by the state of the device's battery, 1 so that it never wakes the device; in place of the message's
    /// delivery priority.
    public var priority: Int?
    /// A later push with the same id replaces this one on the screen; at most 64 bytes. For messages without an iOS
    /// notification, which has its own.
    public var collapseID: String?
    /// What a push of the type `pushToTalk` does: `service-update`. iOS 17.2.
    public var pushToTalkType: String?
    /// More of the payload's `aps`.
    public var aps: APSOptions?

    /// Changes nothing in a message until an option is set.
    public init(pushType: APNsPushType? = nil) { self.pushType = pushType }

    enum CodingKeys: String, CodingKey, CaseIterable { case pushType, topic, priority, collapseID, pushToTalkType, aps }
}
