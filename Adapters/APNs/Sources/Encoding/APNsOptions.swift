import FoundationEssentials
public import PushCore

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
    /// More of the payload's `aps`.
    public var aps: APS?

    /// Changes nothing in a message until an option is set.
    public init(pushType: APNsPushType? = nil) { self.pushType = pushType }

    enum CodingKeys: String, CodingKey, CaseIterable { case pushType, topic, priority, collapseID, aps }
}

extension APNsOptions {
    /// Keys of Apple's `aps` that the model does not have.
    ///
    /// Source: Generating a remote notification, 2026; Updating widgets with WidgetKit push notifications, 2026.
    public struct APS: Codable, Sendable, Hashable {
        /// More of the alert; needs a notification.
        public var alert: Alert?
        /// A critical sound, in place of the notification's.
        public var sound: CriticalSound?
        /// The window that comes forward.
        public var targetContentID: String?
        /// From 0 to 1: what the system shows first in a summary.
        public var relevanceScore: Double?
        /// What a Focus filter of the app compares.
        public var filterCriteria: String?
        /// The values for the address of a website, for pushes to Safari.
        public var urlArguments: [String]?
        /// What a push for Push to Talk does: `service-update`. iOS 17.2.
        public var pushToTalkType: String?

        /// Changes nothing until a field is set.
        public init() {}

        private enum CodingKeys: String, CodingKey {
            case alert, sound
            case targetContentID = "target-content-id"
            case relevanceScore = "relevance-score"
            case filterCriteria = "filter-criteria"
            case urlArguments = "url-args"
            case pushToTalkType = "ptt-push-type"
        }
    }

    /// Keys of Apple's `alert` that the model does not have.
    public struct Alert: Codable, Sendable, Hashable {
        /// The image or storyboard that the app shows when it starts by a tap.
        public var launchImage: String?
        /// The title of the button, from the app's table of texts. No longer on the vendor's page.
        public var actionKey: String?
        /// The name in a summary. Ignored since iOS 15.
        public var summaryArgument: String?
        /// How many items it stands for in a summary. Ignored since iOS 15.
        public var summaryArgumentCount: Int?

        /// Changes nothing until a field is set.
        public init() {}

        private enum CodingKeys: String, CodingKey {
            case launchImage = "launch-image"
            case actionKey = "action-loc-key"
            case summaryArgument = "summary-arg"
            case summaryArgumentCount = "summary-arg-count"
        }
    }

    /// A sound that plays on a muted device as well; the app needs Apple's permission.
    public struct CriticalSound: Codable, Sendable, Hashable {
        /// A sound file of the app, or `default`.
        public var name: String
        /// From 0 to 1; nil leaves it to the system.
        public var volume: Double?
        private(set) var critical = 1

        /// A critical sound.
        public init(_ name: String, volume: Double? = nil) {
            self.name = name
            self.volume = volume
        }

        private enum CodingKeys: String, CodingKey { case name, volume, critical }
    }
}

extension APNsOptions.APS {
    /// The keys as they stand in the payload.
    var fields: [String: JSONValue] {
        var fields: [String: JSONValue] = [:]
        fields["alert"] = alert.flatMap { alert in
            var more: [String: JSONValue] = [:]
            more["launch-image"] = alert.launchImage.map(JSONValue.string)
            more["action-loc-key"] = alert.actionKey.map(JSONValue.string)
            more["summary-arg"] = alert.summaryArgument.map(JSONValue.string)
            more["summary-arg-count"] = alert.summaryArgumentCount.map { JSONValue(integerLiteral: $0) }
            return more.isEmpty ? nil : .object(more)
        }
        fields["sound"] = sound.map { sound in
            var value: [String: JSONValue] = ["critical": 1, "name": .string(sound.name)]
            value["volume"] = sound.volume.map(JSONValue.init(exactly:))
            return .object(value)
        }
        fields["target-content-id"] = targetContentID.map(JSONValue.string)
        fields["relevance-score"] = relevanceScore.map(JSONValue.init(exactly:))
        fields["filter-criteria"] = filterCriteria.map(JSONValue.string)
        fields["url-args"] = urlArguments.map { .array($0.map(JSONValue.string)) }
        fields["ptt-push-type"] = pushToTalkType.map(JSONValue.string)
        return fields
    }
}

extension JSONValue {
    /// The number with the digits that a person would write.
    init(exactly number: Double) { self = Decimal(string: "\(number)").map(JSONValue.number) ?? .null }
}
