public import PushCore

/// What a generation of a vendor's device SDK lets an app do, as data: calls, limits, slots, windows.
///
/// They are the SDK's rules and not the server's: a session refuses what the app on the device would have been refused,
/// and the client behind it what the server would refuse.
public struct SessionRules: Sendable {
    /// So many calls in so long, for some kinds of calls together.
    public struct Window: Sendable {
        /// The kinds that count.
        public var kinds: Set<SessionCall.Kind>
        /// Calls that are let in in any span of the length.
        public var count: Int
        /// The length of the span; a call at its very end is outside.
        public var length: Duration

        /// At most so many calls of these kinds in any span of the length.
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
        /// `+`, and then digits, the first of which are the country's code.
        case e164
    }

    /// How often a device may ask for messages that are shown inside the app.
    public struct Polling: Sendable, Hashable {
        /// The shortest interval.
        public var shortest: Duration
        /// The interval where none is set.
        public var usual: Duration

        /// A shortest interval, and the one where none is set.
        public init(shortest: Duration, usual: Duration) {
            self.shortest = shortest
            self.usual = usual
        }
    }

    /// The vendor and the generation, for people.
    public var name: String
    /// Kinds of calls that the generation has.
    public var calls: Set<SessionCall.Kind>
    /// Limits of texts and lists. Characters are counted as the SDK's strings count them: UTF-16 units.
    public var limits = Limits()
    /// Bytes of all tags of a call, by its kind.
    public var bytes: [SessionCall.Kind: Int] = [:]
    /// Whether the alias counts among the bytes of the tags.
    public var countsAliasBytes = false
    /// What a kind of call keeps to itself until it is answered, in the order in which it is told that something is
    /// taken.
    public var slots: [SessionCall.Kind: [SessionSubject]] = [:]
    /// Calls in a span of time.
    public var windows: [Window] = []
    /// How a phone number is written.
    public var phoneForm = PhoneForm.digitsAndHyphens
    /// The numbers that a badge can have; nil where the guide states none.
    public var badges: ClosedRange<Int>?
    /// Bytes of an app's id of a Live Activity.
    public var activityBytes: Int?
    /// Tags in one page of a query.
    public var largestPage: Int?
    /// How often messages inside the app are asked for; nil where they are pushed.
    public var polling: Polling?
    /// The type of account that a phone number is, where the vendor has accounts and no phone numbers.
    public var phoneAccountType: Int?
    /// Whether stopping is a call of the SDK, after which the device has to be registered anew.
    public var stoppingEndsRegistration = false
    /// Waits before a background setting is made again, one after the other; the last counts from then on. Empty tries
    /// once.
    public var backgroundWaits: [Duration] = [.seconds(1), .seconds(5), .seconds(30), .seconds(120)]

    /// A generation with these calls, without limits, slots and windows.
    public init(name: String, calls: Set<SessionCall.Kind>) {
        self.name = name
        self.calls = calls
    }
}

/// What a session may make from other calls although something is lost; nothing unless it is asked for.
public struct SessionConsent: Sendable, Hashable {
    /// Calls that the generation lacks: overlays, of which one of both halves is made from a call about tags and one
    /// about the alias, so that one half can fail; and `.background`, whose repetitions end with the process.
    public var calls: Set<SessionCall.Kind>
    /// The type of account that stands for phone numbers, at a vendor that has accounts and no phone numbers. Numbers
    /// must then have their country's code. The rules of some generations name it, which needs no consent.
    public var phoneAccountType: Int?
    /// The type of account that an alias stands for, at a vendor that has aliases and no accounts. Accounts of other
    /// types are refused.
    public var aliasAccountType: Int?

    /// No consent to anything that is not named.
    public init(
        calls: Set<SessionCall.Kind> = [], phoneAccountType: Int? = nil, aliasAccountType: Int? = nil
    ) {
        self.calls = calls
        self.phoneAccountType = phoneAccountType
        self.aliasAccountType = aliasAccountType
    }
}
