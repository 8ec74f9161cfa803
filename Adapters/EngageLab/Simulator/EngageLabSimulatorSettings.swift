public import PushAdapter

/// The permissions of a simulated EngageLab app, and answers to questions that the vendor's documents leave open.
public struct EngageLabSimulatorSettings: Sendable {
    /// The response to a key that the data center does not know.
    public enum UnknownKeyAnswer: Sendable, Hashable {
        /// 401 with 21004.
        case unauthorized
        /// 400 with 21008.
        case invalidKey
    }

    /// The body of a successful write.
    public enum WriteAnswer: Sendable, Hashable {
        /// The word `success`, which is not JSON.
        case success
        /// No body.
        case empty
        /// An empty object.
        case object
    }

    /// The address of callbacks, and their signature.
    public struct Callback: Sendable {
        /// The backend's address.
        public var url: String
        /// The name in the signature. If it is empty, the simulator sends no header.
        public var username: String
        /// The key of the signature.
        public var secret: Secret

        /// Sends callbacks to an address, signed with this name and secret.
        public init(url: String, username: String, secret: Secret) {
            self.url = url
            self.username = username
            self.secret = secret
        }
    }

    /// The words for events in callbacks and device reports.
    public struct Words: Sendable {
        /// The message went to a channel.
        public var sent = "sent"
        /// The message will not reach the device.
        public var sentFailed = "sent_failed"
        /// The message arrived.
        public var delivered = "delivered"
        /// The device showed the message.
        public var impression = "impression"
        /// The user opened the message.
        public var click = "click"
        /// The same as `sentFailed`, for reports.
        public var failed = "failed"

        /// Creates the words of the vendor's tests, and others like them.
        public init() {}
    }

    // The app.
    /// Requests per second. Each target of a batch counts as one.
    public var callsPerSecond = 500
    /// Whether the paid plan is active. If not, 21038.
    public var isPaid = true
    /// Whether the console has a P8 key, which live activities need. If not, 21055.
    public var hasP8Key = true
    /// Whether requests come from an address on the app's allow-list. If not, 23009.
    public var isAddressAllowed = true
    /// The devices of each segment in the console.
    public var segments: [String: Set<String>] = [:]
    /// The devices of each live activity, as registered by their apps.
    public var liveActivities: [String: Set<String>] = [:]
    /// Schedules that have not expired.
    public var schedulesPerApp = 1000
    /// The callbacks; nil for none.
    public var callback: Callback?

    // Questions that the documents leave open.
    /// The response to a wrong secret, and to an app of another data center.
    public var unknownKeyAnswer = UnknownKeyAnswer.unauthorized
    /// The response to a change of a device or a tag.
    public var writeAnswer = WriteAnswer.success
    /// Whether errors come without the `error` object around them.
    public var sendsFlatErrors = false
    /// Whether a push may have both a notification and a custom message. If not, 21306.
    public var allowsMixedContents = false
    /// Whether an alias that is taken moves. If not, 21003 refuses the call.
    public var movesTakenAliases = true
    /// Whether an empty alias clears a device's alias, as at the vendor's sibling. If not, 21003 refuses it.
    public var clearsEmptyAliases = true
    /// Whether unknown devices in a list are ignored if others are known. If not, the push is refused.
    public var skipsUnknownDevices = true
    /// The status of the throttle: 400 in the error list, 429 in the list of statuses.
    public var throttleStatus = 400
    /// The delay between the response to a deletion and its effect.
    public var deletionDelay: Duration = .seconds(1)
    /// How many hours the app's own time zone is ahead of UTC.
    public var clockOffset = 0
    /// Schedules per page.
    public var schedulesPerPage = 50
    /// Whether an empty list in an audience counts as missing, as at the vendor's sibling. If not, it matches no
    /// device.
    public var ignoresEmptyLists = true
    /// Whether a notification without any text is refused, except an iOS notification that works in the background.
    public var needsAlert = true
    /// The allowed words for a phone maker's `distribution`; nil for any.
    public var distributions: Set<String>?
    /// Whether iOS apps have the extension that reports an arrival. A push with `mutable-content` wakes it. Without it,
    /// the vendor learns of no arrival on iOS.
    public var hasExtension = true
    /// Whether the apps report that a custom message was shown.
    public var reportsCustomDisplay = false
    /// Whether the check of a callback's address is signed.
    public var signsChecks = false
    /// The vendor's words for the events of a message. Only `delivered` is documented.
    public var words = Words()
    /// The maximum of tags in one list of an audience.
    public var tagsPerAudience = 20
    /// The maximum of devices or aliases in an audience.
    public var idsPerAudience = 1000
    /// Whether a retry of a callback gets a new signature.
    public var signsCallbacksAnew = true

    /// Creates settings of a paid app with the documented numbers, without segments, live activities and callbacks.
    public init() {}
}
