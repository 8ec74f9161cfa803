public import FoundationEssentials
import PushAdapter

/// A message and who gets it, as a store keeps it.
public struct Campaign: Sendable, Hashable {
    /// Where a campaign is in its life.
    public enum State: Int, Sendable, Hashable, CaseIterable {
        /// `enqueue` is still writing its targets; nothing is sent.
        case loading = 0
        /// Workers send it.
        case active = 1
        /// A person has paused it.
        case paused = 2
        /// Every target has its outcome.
        case finished = 3
        /// A person has ended it: what was not sent is `notAttempted`.
        case cancelled = 4
        /// Its time was up: what was not sent is `notAttempted`.
        case expired = 5

        /// It ended, and only its name is still kept, so that it is not sent anew.
        case removed = 6
        /// Another program enqueued it as JSON, and a worker found that it cannot be sent.
        case refused = 7

        /// Another program has enqueued it as JSON; a worker checks it and cuts it into slices.
        case submitted = 8

        /// Whether nothing more is sent, whatever happens.
        public var isEnded: Bool { (Self.finished.rawValue...Self.refused.rawValue).contains(rawValue) }
    }

    /// The states of what has not ended.
    public static let live: Set<State> = [.loading, .submitted, .active, .paused]
    /// The states of all that has a report.
    public static let reported: Set<State> = Set(State.allCases).subtracting([.removed])

    /// The store's number of it; 0 before it is stored.
    public var id: Int64 = 0
    /// The caller's name of it.
    public var name: CampaignName
    /// Tells another campaign of the same name apart: message, options, routes and their times, never the targets. SHA-256.
    public var digest: String
    /// Where it is in its life.
    public var state = State.loading
    /// Why it was refused, or why the store paused it.
    public var reason: String?
    /// The message, as JSON; of a submitted or refused campaign, all that was enqueued.
    public var message: [UInt8]
    /// How it is carried out.
    public var options: CampaignOptions
    /// Random, so that keys made of it never repeat, whatever happens to the store.
    public var seed: String
    /// When it was enqueued.
    public var createdAt: Date
    /// When what was not sent is given up; nil for never.
    public var expiresAt: Date?
    /// When every target had its outcome, or when a person or its time ended it.
    public var endedAt: Date?
    /// Its parts, by number.
    public var parts: [Part]

    /// A campaign that is not stored yet.
    public init(
        name: CampaignName, digest: String, message: [UInt8], options: CampaignOptions, seed: String, createdAt: Date,
        parts: [Part]
    ) {
        (self.name, self.digest, self.message, self.options) = (name, digest, message, options)
        (self.seed, self.createdAt, self.parts) = (seed, createdAt, parts)
        expiresAt = options.end(from: createdAt)
    }

    /// How long after its end something of it goes: its report, then its name.
    package var keptFor: Duration { state == .removed ? max(options.keeps, options.keepsName) : options.keeps }

    /// What stays of it when its report goes.
    var removed: Campaign {
        var campaign = self
        (campaign.state, campaign.message, campaign.parts) = (.removed, [], [])
        return campaign
    }

    /// One part: what goes through one route.
    public struct Part: Sendable, Hashable {
        /// From 0, in the order of `enqueue`.
        public var number: Int
        /// The name of the client that sends it.
        public var route: RouteName
        /// An audience that is no list, as JSON; nil for a list.
        public var audience: [UInt8]?
        /// Nothing is sent before.
        public var notBefore: Date
        /// How long a throttled vendor is waited for, in a part whose targets may have another way, after which they take it;
        /// nil in a part that nothing leaves.
        public var patience: Duration?
        /// Why nothing is sent until a person resumes it; nil while it is sent.
        public var pausedFor: String?

        /// A part that is not stored yet.
        public init(number: Int, route: RouteName, audience: [UInt8]?, notBefore: Date, patience: Duration? = nil) {
            (self.number, self.route, self.audience, self.notBefore) = (number, route, audience, notBefore)
            self.patience = patience
        }
    }
}
