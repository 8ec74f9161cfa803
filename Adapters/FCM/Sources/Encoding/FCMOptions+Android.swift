public import FoundationEssentials

extension FCMOptions {
    /// The vendor's `AndroidConfig`, without the fields that the adapter writes from the message.
    public struct Android: Codable, Sendable, Hashable {
        /// Of the messages with one key, an offline device gets the last. The vendor keeps at most 4 keys for a device;
        /// beyond that it may drop any. Nil is the app's package name.
        public var collapseKey: String?
        /// The package name that a token must belong to; the vendor refuses tokens of others.
        public var restrictedPackageName: String?
        /// Delivers to an app while the device is locked after a restart.
        public var reachesLockedDevice: Bool?
        /// Delivers over networks of limited bandwidth.
        public var allowsConstrainedBandwidth: Bool?
        /// Delivers over restricted satellite networks.
        public var allowsRestrictedSatellite: Bool?
        /// How the notification looks and sounds; needs a message with a notification.
        public var notification: Notification?
        private var settings: Label?

        /// A label for the vendor's reports on Android; the same form as ``FCMOptions/analyticsLabel``.
        public var analyticsLabel: String? {
            get { settings?.text }
            set { settings = newValue.map { Label(text: $0) } }
        }

        /// Changes nothing until a field is set.
        public init() {}

        private enum CodingKeys: String, CodingKey {
            case collapseKey = "collapse_key"
            case restrictedPackageName = "restricted_package_name"
            case reachesLockedDevice = "direct_boot_ok"
            case allowsConstrainedBandwidth = "bandwidth_constrained_ok"
            case allowsRestrictedSatellite = "restricted_satellite_ok"
            case notification
            case settings = "fcm_options"
        }
    }
}

extension FCMOptions.Android {
    /// The vendor's `AndroidNotification`, without the fields that the adapter writes from the message.
    public struct Notification: Codable, Sendable, Hashable {
        /// The name of a drawable of the app.
        public var icon: String?
        /// The color of the icon: `#rrggbb`.
        public var color: String?
        /// A later notification with the same tag replaces this one.
        public var tag: String?
        /// The text for accessibility services.
        public var ticker: String?
        /// Stays after a tap.
        public var isSticky: Bool?
        /// Concerns this device only, not others that are linked to it.
        public var isLocalOnly: Bool?
        /// Plays the system's sound.
        public var usesDefaultSound: Bool?
        /// Vibrates in the system's way.
        public var usesDefaultVibration: Bool?
        /// Lights up in the system's way.
        public var usesDefaultLights: Bool?
        /// What a locked screen shows of it; the vendor's default is `private`.
        public var visibility: Visibility?
        /// The light of the device.
        public var lights: Lights?
        /// When Google Play services may show it in place of the app; the vendor's default is `ifPriorityLowered`.
        public var proxy: Proxy?
        /// Keeps Google Play services from showing it. The vendor deprecates it; use ``proxy``.
        public var bypassesProxy: Bool?
        private var eventText: String?
        private var vibrationTexts: [String]?

        /// The moment of the event that it is about.
        public var eventTime: Date? {
            get { eventText.flatMap(FCMText.date) }
            set { eventText = newValue.map(FCMText.text) }
        }

        /// The vibration: a pause, a vibration, and so on in turn; none is negative. The vendor takes nanoseconds.
        public var vibration: [Duration]? {
            get { vibrationTexts?.compactMap(FCMText.duration) }
            set { vibrationTexts = newValue?.map(FCMText.text) }
        }

        /// Changes nothing until a field is set.
        public init() {}

        private enum CodingKeys: String, CodingKey {
            case icon, color, tag, ticker, visibility, proxy
            case isSticky = "sticky"
            case isLocalOnly = "local_only"
            case usesDefaultSound = "default_sound"
            case usesDefaultVibration = "default_vibrate_timings"
            case usesDefaultLights = "default_light_settings"
            case lights = "light_settings"
            case bypassesProxy = "bypass_proxy_notification"
            case eventText = "event_time"
            case vibrationTexts = "vibrate_timings"
        }
    }

    /// What a locked screen shows of a notification.
    public enum Visibility: String, Codable, Sendable, Hashable, CaseIterable {
        /// The vendor's default.
        case unspecified = "VISIBILITY_UNSPECIFIED"
        /// That there is one, without its contents if the user wants so.
        case `private` = "PRIVATE"
        /// All of it.
        case `public` = "PUBLIC"
        /// Nothing.
        case secret = "SECRET"
    }

    /// When Google Play services may show a notification in place of the app.
    public enum Proxy: String, Codable, Sendable, Hashable, CaseIterable {
        /// The vendor's default.
        case unspecified = "PROXY_UNSPECIFIED"
        /// Always.
        case allow = "ALLOW"
        /// Never.
        case deny = "DENY"
        /// If the vendor lowered the priority of the message.
        case ifPriorityLowered = "IF_PRIORITY_LOWERED"
    }

    /// The light of the device; the vendor needs the color and both durations.
    public struct Lights: Codable, Sendable, Hashable {
        /// The color.
        public var color: Color
        private var onText: String
        private var offText: String

        /// How long it is on, 0 or more.
        public var on: Duration {
            get { FCMText.duration(onText) ?? .zero }
            set { onText = FCMText.text(newValue) }
        }

        /// How long it is off, 0 or more.
        public var off: Duration {
            get { FCMText.duration(offText) ?? .zero }
            set { offText = FCMText.text(newValue) }
        }

        /// A light that blinks.
        public init(_ color: Color, on: Duration, off: Duration) {
            self.color = color
            onText = FCMText.text(on)
            offText = FCMText.text(off)
        }

        private enum CodingKeys: String, CodingKey {
            case color
            case onText = "light_on_duration"
            case offText = "light_off_duration"
        }
    }

    /// A color of the light; each part is from 0 to 1.
    public struct Color: Codable, Sendable, Hashable {
        /// The part of red.
        public var red: Double?
        /// The part of green.
        public var green: Double?
        /// The part of blue.
        public var blue: Double?
        /// How opaque it is; nil leaves it to the vendor.
        public var alpha: Double?

        /// A color of these parts.
        public init(red: Double, green: Double, blue: Double, alpha: Double? = nil) {
            self.red = red
            self.green = green
            self.blue = blue
            self.alpha = alpha
        }
    }
}
