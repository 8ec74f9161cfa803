import FoundationEssentials
public import PushAdapter

extension FCMOptions {
    /// Creates options for a change of a Live Activity. Apple gave the token to the app.
    public init(liveActivityToken: String) {
        self.init()
        apns = APNs()
        apns?.liveActivityToken = liveActivityToken
    }

    /// The vendor's `ApnsConfig`, without the fields that the adapter writes from the message.
    public struct APNs: Codable, Sendable, Hashable {
        /// Header fields of APNs, such as `apns-push-type` and `apns-topic`. Without them, the vendor sends
        /// `apns-priority` 10 and an `apns-expiration` in 30 days.
        public var headers: [String: String]?
        /// More fields of the payload.
        public var payload: Payload?
        /// Apple's token of one Live Activity. To start one, the app's push-to-start token. A message with a Live
        /// Activity needs it, and no other message may have it. The message goes to the activity's device, which the
        /// vendor knows by the device's own token. iOS 16.1; a start needs iOS 17.2.
        public var liveActivityToken: String?
        private var settings: Label?

        /// A label for the vendor's reports on Apple's platforms, in the form of ``FCMOptions/analyticsLabel``.
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
        public var aps: APSOptions?
        /// Keys beside `aps`. Put `aps` itself in ``aps``.
        public var own: [String: JSONValue]

        /// Creates a payload from these parts.
        public init(aps: APSOptions? = nil, own: [String: JSONValue] = [:]) {
            self.aps = aps
            self.own = own
        }
    }
}

extension FCMOptions.APNs.Payload: Codable {
    private enum CodingKeys: String, CodingKey { case aps }

    public init(from decoder: any Decoder) throws {
        own = try decoder.singleValueContainer().decode([String: JSONValue].self)
        own["aps"] = nil
        let container = try decoder.container(keyedBy: CodingKeys.self)
        aps = try container.decodeIfPresent(APSOptions.self, forKey: .aps)
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = own
        if let aps { fields["aps"] = try JSONValue(parsing: Array(try JSONEncoder().encode(aps))) }
        var container = encoder.singleValueContainer()
        try container.encode(fields)
    }
}
