public import FoundationEssentials
public import PushCore

extension FCMOptions {
    /// The vendor's `ApnsConfig`, without the fields that the adapter writes from the message.
    public struct APNs: Codable, Sendable, Hashable {
        /// Header fields of APNs, such as `apns-push-type` and `apns-topic`. Without them, the vendor sends
        /// `apns-priority` 10 and an `apns-expiration` in 30 days.
        public var headers: [String: String]?
        /// More of the payload.
        public var payload: Payload?
        /// Apple's token of one Live Activity, or its push-to-start token. The message goes to the device of the
        /// activity, with the ``APS/event`` and what it needs in the payload. iOS 16.1, a start iOS 17.2.
        public var liveActivityToken: String?
        private var settings: Label?

        /// A label for the vendor's reports on Apple's platforms; the same form as ``FCMOptions/analyticsLabel``.
        public var analyticsLabel: String? {
            get { settings?.text }
            set { settings = newValue.map { Label(text: $0) } }
        }

        /// Changes nothing until a field is set.
        public init() {}

        private enum CodingKeys: String, CodingKey {
            case headers, payload
            case liveActivityToken = "live_activity_token"
            case settings = "fcm_options"
        }
    }
}

extension FCMOptions.APNs {
    /// A payload in Apple's form: `aps`, and keys of your own.
    public struct Payload: Sendable, Hashable {
        /// Apple's part.
        public var aps: APS?
        /// Keys beside `aps`; `aps` itself stands in ``aps``.
        public var own: [String: JSONValue]

        /// A payload of these parts.
        public init(aps: APS? = nil, own: [String: JSONValue] = [:]) {
            self.aps = aps
            self.own = own
        }
    }

    /// Keys of Apple's `aps` that the model does not have.
    public struct APS: Codable, Sendable, Hashable {
        /// More of the alert; needs a message with a notification.
        public var alert: Alert?
        /// A critical sound, in place of the notification's; needs a message with a notification.
        public var sound: Sound?
        /// What happens to the Live Activity.
        public var event: Event?
        /// The new state of the Live Activity.
        public var contentState: [String: JSONValue]?
        /// The type of the attributes; for a start.
        public var attributesType: String?
        /// The attributes of the new Live Activity; for a start.
        public var attributes: [String: JSONValue]?
        private var seconds: Int?

        /// The moment of the change of the Live Activity, in whole seconds.
        public var timestamp: Date? {
            get { seconds.map { Date(timeIntervalSince1970: Double($0)) } }
            set { seconds = newValue.flatMap { Int(exactly: $0.timeIntervalSince1970.rounded(.down)) } }
        }

        /// Changes nothing until a field is set.
        public init() {}

        private enum CodingKeys: String, CodingKey {
            case alert, sound, event, attributes
            case contentState = "content-state"
            case attributesType = "attributes-type"
            case seconds = "timestamp"
        }
    }

    /// Keys of Apple's `alert` that the model does not have.
    public struct Alert: Codable, Sendable, Hashable {
        /// The image or storyboard that the app shows when it starts by a tap.
        public var launchImage: String?

        /// Changes nothing until a field is set.
        public init() {}

        private enum CodingKeys: String, CodingKey { case launchImage = "launch-image" }
    }

    /// Apple's sound with a volume.
    public struct Sound: Codable, Sendable, Hashable {
        /// A sound file of the app, or `default`.
        public var name: String?
        /// From 0 to 1.
        public var volume: Double?
        private var critical: Int?

        /// Sounds even on a muted device; the app needs Apple's permission.
        public var isCritical: Bool {
            get { critical == 1 }
            set { critical = newValue ? 1 : nil }
        }

        /// A sound, critical by default.
        public init(_ name: String, volume: Double? = nil, isCritical: Bool = true) {
            self.name = name
            self.volume = volume
            critical = isCritical ? 1 : nil
        }

        private enum CodingKeys: String, CodingKey { case name, volume, critical }
    }

    /// What happens to a Live Activity.
    public enum Event: String, Codable, Sendable, Hashable, CaseIterable {
        /// Begins; needs timestamp, content state, attributes and their type, and texts of the iOS notification.
        case start
        /// Changes; needs timestamp and content state.
        case update
        /// Ends; needs timestamp and content state.
        case end
    }
}

extension FCMOptions.APNs.Payload: Codable {
    private enum CodingKeys: String, CodingKey { case aps }

    public init(from decoder: any Decoder) throws {
        own = try decoder.singleValueContainer().decode([String: JSONValue].self)
        own["aps"] = nil
        let container = try decoder.container(keyedBy: CodingKeys.self)
        aps = try container.decodeIfPresent(FCMOptions.APNs.APS.self, forKey: .aps)
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = own
        if let aps { fields["aps"] = try JSONValue(parsing: Array(try JSONEncoder().encode(aps))) }
        var container = encoder.singleValueContainer()
        try container.encode(fields)
    }
}
