public import FoundationEssentials

extension FCMOptions {
    /// The vendor's `AndroidConfig`, without the fields that the adapter writes from the message.
    public struct Android: Codable, Sendable, Hashable {
        /// Of several messages with the same key, an offline device gets only the last. The vendor keeps at most 4 keys
        /// per device; beyond that it may drop any. Nil uses the app's package name.
        public var collapseKey: String?
        /// The package name that a token must belong to. The vendor refuses tokens of other packages.
        public var restrictedPackageName: String?
        /// Delivers to an app while the device is locked after a restart.
        public var reachesLockedDevice: Bool?
        /// Delivers over networks of limited bandwidth.
        public var allowsConstrainedBandwidth: Bool?
        /// Delivers over restricted satellite networks.
        public var allowsRestrictedSatellite: Bool?
        /// The look and sound of the notification. Needs a message with a notification.
        public var notification: Notification?
        private var settings: Label?

        /// A label for the vendor's reports on Android, in the form of ``FCMOptions/analyticsLabel``.
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
        /// The text for accessibility services.
        public var ticker: String?
        /// Keeps the notification on the screen after a tap.
        public var isSticky: Bool?
        /// Shows the notification on this device only, not on linked devices.
        public var isLocalOnly: Bool?
        /// Plays the system's sound.
        public var usesDefaultSound: Bool?
        /// Vibrates in the system's pattern.
        public var usesDefaultVibration: Bool?
        /// Uses the system's light pattern.
        public var usesDefaultLights: Bool?
        /// The part that a locked screen shows. The vendor's default is `private`.
        public var visibility: Visibility?
        /// The light of the device.
        public var lights: Lights?
        /// When Google Play services may show the notification for the app. The vendor's default is
        /// `ifPriorityLowered`.
        public var proxy: Proxy?
        /// Keeps Google Play services from showing the notification. The vendor deprecates this; use ``proxy``.
        public var bypassesProxy: Bool?
        private var eventText: String?
        private var vibrationTexts: [String]?

        /// The time of the event behind the notification.
        public var eventTime: Date? {
            get { eventText.flatMap(FCMText.date) }
            set { eventText = newValue.map(FCMText.text) }
        }

        /// The vibration pattern: a pause, a vibration, and so on in turn. No duration is negative. The vendor takes
        /// nanoseconds.
        public var vibration: [Duration]? {
            get { vibrationTexts?.compactMap(FCMText.duration) }
            set { vibrationTexts = newValue?.map(FCMText.text) }
        }

        /// Changes nothing until a field is set.
        public init() {}

        private enum CodingKeys: String, CodingKey {
            case icon, color, ticker, visibility, proxy
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

    /// The part of a notification that a locked screen shows.
    public enum Visibility: String, Codable, Sendable, Hashable, CaseIterable {
        /// The vendor's default.
        case unspecified = "VISIBILITY_UNSPECIFIED"
        /// Shows that there is a notification. Hides the contents if the user wants it.
        case `private` = "PRIVATE"
        /// Shows everything.
        case `public` = "PUBLIC"
        /// Shows nothing.
        case secret = "SECRET"
    }

    /// When Google Play services may show a notification for the app.
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

    /// The light of the device. The vendor requires the color and both durations.
    public struct Lights: Codable, Sendable, Hashable {
        /// The color.
        public var color: Color
        private var onText: String
        private var offText: String

        /// How long the light is on, 0 or more.
        public var on: Duration {
            get { FCMText.duration(onText) ?? .zero }
            set { onText = FCMText.text(newValue) }
        }

        /// How long the light is off, 0 or more.
        public var off: Duration {
            get { FCMText.duration(offText) ?? .zero }
            set { offText = FCMText.text(newValue) }
        }

        /// Creates a blinking light.
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
        /// The opacity; nil leaves it to the vendor.
        public var alpha: Double?

        /// Creates a color from its parts.
        public init(red: Double, green: Double, blue: Double, alpha: Double? = nil) {
            self.red = red
            self.green = green
            self.blue = blue
            self.alpha = alpha
        }
    }
}
