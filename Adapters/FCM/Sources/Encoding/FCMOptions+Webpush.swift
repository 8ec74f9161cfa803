public import PushAdapter

extension FCMOptions {
    /// The vendor's `WebpushConfig`.
    public struct Webpush: Codable, Sendable, Hashable {
        /// Header fields of RFC 8030, such as `Topic`. If the message has a time to live and a delivery priority, the
        /// adapter writes `TTL` and `Urgency`. A `TTL` here is in whole seconds, 0 or more.
        public var headers: [String: String]?
        /// The data for browsers. It replaces the common data. FCM reserves some keys.
        public var data: [String: String]?
        /// A notification in the form of the Web Notification API: `icon`, `badge`, `actions`, `requireInteraction`.
        public var notification: [String: JSONValue]?
        private var settings: Settings?

        /// The address that a tap opens. It starts with `https://`.
        public var link: String? {
            get { settings?.link }
            set { settings = Settings(link: newValue, label: settings?.label) }
        }

        /// A label for the vendor's reports on browsers, in the form of ``FCMOptions/analyticsLabel``.
        public var analyticsLabel: String? {
            get { settings?.label }
            set { settings = Settings(link: settings?.link, label: newValue) }
        }

        /// Changes nothing until a field is set.
        public init() {}

        private enum CodingKeys: String, CodingKey {
            case headers, data, notification
            case settings = "fcm_options"
        }

        private struct Settings: Codable, Sendable, Hashable {
            var link: String?
            var label: String?

            enum CodingKeys: String, CodingKey {
                case link
                case label = "analytics_label"
            }
        }
    }
}
