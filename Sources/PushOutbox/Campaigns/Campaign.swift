public import FoundationEssentials
import PushAdapter

/// A message and its recipients, as a store holds them.
public struct Campaign: Sendable, Hashable {
    /// The stages of a campaign.
    public enum State: Int, Sendable, Hashable, CaseIterable {
        /// `enqueue` is still writing its targets; nothing is sent.
        case loading = 0
        /// Workers send it.
        case active = 1
        /// A person paused it.
        case paused = 2
        /// Every target has its outcome.
        case finished = 3
        /// A person ended it. Targets that were not sent are `notAttempted`.
        case cancelled = 4
        /// It expired. Targets that were not sent are `notAttempted`.
        case expired = 5

        /// It ended and its report was removed. The store keeps only its name, so that `enqueue` does not send it
        /// again.
        case removed = 6
        /// Another program enqueued it as JSON, and a worker found that it cannot be sent.
        case refused = 7

        /// Another program enqueued it as JSON. A worker will check it and cut it into slices.
        case submitted = 8

        /// Whether workers will never start another request for it.
        public var isEnded: Bool { (Self.finished.rawValue...Self.refused.rawValue).contains(rawValue) }
    }

    /// The states of campaigns that have not ended.
    public static let live: Set<State> = [.loading, .submitted, .active, .paused]
    /// The states of campaigns that have a report.
    public static let reported: Set<State> = Set(State.allCases).subtracting([.removed])

    /// The store's number for it; 0 before it is stored.
    public var id: Int64 = 0
    /// The name that the caller gave it.
    public var name: CampaignName
    /// The SHA-256 of message, options, routes and their times, without the targets. Tells different campaigns with one
    /// name apart.
    public var digest: String
    /// Its stage.
    public var state = State.loading
    /// Why it was refused, or why the store paused it.
    public var reason: String?
    /// The message as JSON. In a submitted or refused campaign, the whole JSON that was enqueued.
    public var message: [UInt8]
    /// How workers carry it out.
    public var options: CampaignOptions
    /// Random, so that keys derived from it never repeat, whatever happens to the store.
    public var seed: String
    /// When it was enqueued.
    public var createdAt: Date
    /// When workers stop sending it; nil for never.
    public var expiresAt: Date?
    /// When it finished, expired or was cancelled.
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

    /// How long after its end the store keeps its report, or, once that is removed, its name.
    package var keptFor: Duration { state == .removed ? max(options.keeps, options.keepsName) : options.keeps }

    /// The part with a number; nil if there is none. Numbers of slices and targets come from a store.
    func part(_ number: Int) -> Part? { parts.first { $0.number == number } }

    /// The part of a slice. Refuses a damaged row with `invalidState`.
    func part(of slice: SliceRow) throws(PushError) -> Part {
        if let part = part(slice.id.part) { return part }
        throw PushError(.invalidState, "the stored slice \(slice.id) belongs to no part of its campaign")
    }

    /// Whether a slice has a list of targets.
    func isList(_ slice: SliceRow) -> Bool { part(slice.id.part).map { $0.audience == nil } ?? false }

    /// The row that stays when the report is removed.
    var removed: Campaign {
        var campaign = self
        (campaign.state, campaign.message, campaign.parts) = (.removed, [], [])
        return campaign
    }

    /// One part: the targets that go through one route.
    public struct Part: Sendable, Hashable {
        /// Its number, from 0, in the order of `enqueue`.
        public var number: Int
        /// The name of the client that sends it.
        public var route: RouteName
        /// An audience that is not a list, as JSON; nil for a list.
        public var audience: [UInt8]?
        /// Workers send nothing before this moment.
        public var notBefore: Date
        /// How long to wait for a throttled vendor before targets take their second route. Nil if they have none.
        public var patience: Duration?
        /// Why the part is paused until a person resumes it; nil if it is not paused.
        public var pausedFor: String?

        /// A part that is not stored yet.
        public init(number: Int, route: RouteName, audience: [UInt8]?, notBefore: Date, patience: Duration? = nil) {
            (self.number, self.route, self.audience, self.notBefore) = (number, route, audience, notBefore)
            self.patience = patience
        }
    }
}

extension Campaign: CustomStringConvertible, CustomReflectable {
    /// The name and the state.
    public var description: String { "\(name): \(state)" }
    /// Only the description, so that a log shows nothing of the message.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
