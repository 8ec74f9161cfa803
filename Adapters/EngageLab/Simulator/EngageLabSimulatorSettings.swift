public import PushAdapter

/// What a simulated EngageLab app may do, and answers to questions that the vendor's documents leave open.
public struct EngageLabSimulatorSettings: Sendable {
    /// The answer to a key that the data center does not know.
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
        /// Nothing.
        case empty
        /// An empty object.
        case object
    }

    /// Where callbacks go, and how they are signed.
    public struct Callback: Sendable {
        /// The backend's address.
        public var url: String
        /// The name in the signature; without one the simulator sends no header.
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

    /// The words that callbacks and device reports use for what happened.
    public struct Words: Sendable {
        /// It was handed to a channel.
        public var sent = "sent"
        /// It will not reach the device.
        public var sentFailed = "sent_failed"
        /// It arrived.
        public var delivered = "delivered"
        /// It was shown.
        public var impression = "impression"
        /// It was opened.
        public var click = "click"
        /// The same as `sentFailed`, for reports.
        public var failed = "failed"

        /// The words of the vendor's tests, and others like them.
        public init() {}
    }

    // The app.
    /// Requests per second; each target of a batch counts as one.
    public var callsPerSecond = 500
    /// Whether the paid plan is active; if not, 21038.
    public var isPaid = true
    /// Whether the console has a P8 key, which live activities need; if not, 21055.
    public var hasP8Key = true
    /// Whether requests come from an address on the app's allow-list; if not, 23009.
    public var isAddressAllowed = true
    /// Devices by segment of the console.
    public var segments: [String: Set<String>] = [:]
    /// Devices by live activity, as their apps registered them.
    public var liveActivities: [String: Set<String>] = [:]
    /// Schedules that have not expired.
    public var schedulesPerApp = 1000
    /// Nil for none.
    public var callback: Callback?

    // What the documents leave open.
    /// The answer to a wrong secret, and to an app of another data center.
    public var unknownKeyAnswer = UnknownKeyAnswer.unauthorized
    /// The answer to a change of a device or a tag.
    public var writeAnswer = WriteAnswer.success
    /// Whether errors lack the `error` object around them.
    public var sendsFlatErrors = false
    /// Whether a push may have a notification and a custom message at once; else 21306.
    public var allowsMixedContents = false
    /// Whether a taken alias moves; else 21003 refuses the call.
    public var movesTakenAliases = true
    /// Whether an empty alias clears a device's alias, as at the vendor's sibling; else 21003 refuses it.
    public var clearsEmptyAliases = true
    /// Whether to ignore a list's unknown devices while others are known; else the push is refused.
    public var skipsUnknownDevices = true
    /// The status of the throttle: 400 according to the error list, 429 according to the list of statuses.
    public var throttleStatus = 400
    /// How long after its response a deletion takes effect.
    public var deletionDelay: Duration = .seconds(1)
    /// Hours that the app's own time zone is ahead of UTC.
    public var clockOffset = 0
    /// Schedules per page.
    public var schedulesPerPage = 50
    /// Whether an empty list of an audience counts as missing, as at the vendor's sibling; else it matches no device.
    public var ignoresEmptyLists = true
    /// Whether to refuse a notification without any text, except one of iOS that works in the background.
    public var needsAlert = true
    /// The allowed words for a phone maker's `distribution`; nil for any.
    public var distributions: Set<String>?
    /// Whether the apps on iOS have the extension that reports an arrival, which a push with `mutable-content` wakes;
    /// without it, no arrival on iOS is known.
    public var hasExtension = true
    /// Whether the apps report that a custom message was shown.
    public var reportsCustomDisplay = false
    /// Whether the check of a callback's address is signed.
    public var signsChecks = false
    /// The vendor's words for what happens to a message; only `delivered` is documented.
    public var words = Words()
    /// Tags in a list of an audience, and ids in one.
    public var tagsPerAudience = 20
    /// Devices or aliases in an audience.
    public var idsPerAudience = 1000
    /// Whether a callback is signed anew on a retry.
    public var signsCallbacksAnew = true

    /// A paid app with the documented numbers, without segments, live activities and callbacks.
    public init() {}
}
