public import PushAdapter

/// The rules of one generation of a vendor's device SDK, as data: calls, limits, slots, windows.
///
/// These are the SDK's rules, not the server's. The session refuses the calls that the SDK would refuse. The client
/// behind it refuses those that the server would refuse.
public struct SessionRules: Sendable {
    /// A rate limit: a number of calls in a span of time, shared by some kinds of calls.
    public struct Window: Sendable, Hashable {
        /// The kinds that count.
        public var kinds: Set<SessionCall.Kind>
        /// The most calls allowed in any span of this length.
        public var count: Int
        /// The length of the span; a call exactly this long ago no longer counts.
        public var length: Duration

        /// Allows at most `count` calls of these kinds in any span of `length`.
        public init(_ kinds: Set<SessionCall.Kind>, _ count: Int, in length: Duration) {
            self.kinds = kinds
            self.count = count
            self.length = length
        }
    }

    /// How a phone number is written.
    public enum PhoneForm: Sendable, Hashable {
        /// First `+` or a digit, then digits and `-`.
        case digitsAndHyphens
        /// `+`, then digits, country code first.
        case e164
    }

    /// How often a device may poll for in-app messages.
    public struct Polling: Sendable, Hashable {
        /// The shortest interval.
        public var shortest: Duration
        /// The interval if none is set.
        public var usual: Duration

        /// A shortest interval, and the interval if none is set.
        public init(shortest: Duration, usual: Duration) {
            self.shortest = shortest
            self.usual = usual
        }
    }

    /// The name of vendor and generation, for people.
    public var name: String
    /// Kinds of calls that the generation has.
    public var calls: Set<SessionCall.Kind>
    /// Limits of texts and lists. Characters are counted as the SDK's strings count them: UTF-16 units.
    public var limits = Limits()
    /// The most bytes for all tags of a call, by kind of call.
    public var bytes: [SessionCall.Kind: Int] = [:]
    /// Whether the alias counts toward the bytes of the tags.
    public var countsAliasBytes = false
    /// The slots that a kind of call holds until it is answered. If several are taken, the refusal names the first.
    public var slots: [SessionCall.Kind: [SessionSubject]] = [:]
    /// The rate limits.
    public var windows: [Window] = []
    /// How a phone number is written.
    public var phoneForm = PhoneForm.digitsAndHyphens
    /// The allowed badge numbers; nil if the guide states none.
    public var badges: ClosedRange<Int>?
    /// The most bytes in an app's Live Activity id.
    public var activityBytes: Int?
    /// The most tags in one page of a query.
    public var largestPage: Int?
    /// How often the device polls for in-app messages; nil if the vendor pushes them.
    public var polling: Polling?
    /// The account type of phone numbers, for a vendor that has accounts but no phone numbers.
    public var phoneAccountType: Int?
    /// Whether the SDK has a stop call, after which the device must register again.
    public var stoppingEndsRegistration = false
    /// Waits before each retry of a background update, in order; the last one repeats. Empty means a single attempt.
    public var backgroundWaits: [Duration] = [.seconds(1), .seconds(5), .seconds(30), .seconds(120)]

    /// A generation with these calls, without limits, slots or windows.
    public init(name: String, calls: Set<SessionCall.Kind>) {
        self.name = name
        self.calls = calls
    }
}

/// An opt-in to calls that a session makes from other calls although something is lost. The default is none.
public struct SessionConsent: Sendable, Hashable {
    /// Calls that the generation lacks: overlays and `.background`. An overlay of both halves takes one call about tags
    /// and one about the alias, so one half can fail. Retries of `.background` end with the process.
    public var calls: Set<SessionCall.Kind>
    /// The account type that stands for phone numbers, at a vendor that has accounts but no phone numbers. Numbers must
    /// then include their country code. If the generation's rules name the type, no consent is needed.
    public var phoneAccountType: Int?
    /// The account type that an alias stands for, at a vendor that has aliases but no accounts. Accounts of other types
    /// are refused.
    public var aliasAccountType: Int?

    /// Consents to the given values and to nothing else.
    public init(
        calls: Set<SessionCall.Kind> = [], phoneAccountType: Int? = nil, aliasAccountType: Int? = nil
    ) {
        self.calls = calls
        self.phoneAccountType = phoneAccountType
        self.aliasAccountType = aliasAccountType
    }
}
