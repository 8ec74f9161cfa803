public import FoundationEssentials
import PushAdapter

/// Where an outbox keeps its campaigns. Every call is one transaction: when it returns, its effect survives a power cut;
/// when it throws, it had none, or the caller cannot know.
///
/// A store that must not be used any more, because it was closed or its file was moved, throws `stopped`, which ends workers.
/// It decides nothing: it keeps rows, and changes them only if they are as the caller expects. The
/// module `PushStoreConformance` has a check for each rule. Its errors are printed: they hold no id, no text of a message and no password.
public protocol OutboxStore: Sendable {
    /// How far the clock of the store's server is ahead of this machine's; nil for a store that has no server. Dates go in and
    /// out on this machine's clock, but for those that other programs have written into a message.
    var lead: Duration? { get }

    // MARK: Enqueuing

    /// Keeps a new campaign in the state `loading`, and returns it with its number; or returns the one that has the name.
    /// One that was loading when its process ended counts as gone, and is replaced.
    func create(_ campaign: Campaign) async throws -> (campaign: Campaign, isNew: Bool)
    /// Adds slices, with their packed targets, to a campaign that this store is loading; false if it is gone.
    func add(_ slices: [(slice: SliceRow, targets: [UInt8])], to campaign: Int64) async throws -> Bool
    /// Makes a loaded campaign active; false if it is gone.
    func activate(_ campaign: Int64) async throws -> Bool
    /// Removes a campaign that is still loading.
    func abandon(_ campaign: Int64) async throws
    /// Submitted campaigns for a worker to plan, the urgent and the oldest first; not those that it leaves, and, in a store that
    /// has several workers, none that needs other routes or that another worker plans.
    func submitted(for worker: Int64, routes: [RouteName], leaving left: [Int64], limit: Int) async throws -> [Campaign]
    /// Gives submitted campaigns, by their numbers, what a worker made of them: the rest of the row, and slices, whose campaign
    /// has no number yet. For each, whether it was still submitted.
    func plan(_ planned: [PreparedCampaign]) async throws -> [Bool]
    /// The targets that are open in campaigns that have not ended. Costs more the more there are.
    func openTargets() async throws -> Int

    // MARK: Watching and operating

    /// Campaigns, newest first.
    func campaigns(_ which: CampaignSelection) async throws -> [Campaign]
    /// What waits, with so many of the campaigns that need a person. Costs more the more there is.
    func backlog(needy limit: Int) async throws -> OutboxBacklog
    /// How many targets of a campaign, or of one part of it, have which outcome, and how many slices are where.
    func counts(of campaign: Int64, part: Int?) async throws -> OutboxCounts
    /// The slices of a campaign with one of these outcomes in them, after this one in order, with their packed targets.
    func slices(
        of campaign: Int64, with outcomes: Set<SliceRow.Outcome>, after: SliceRow.ID?, limit: Int
    ) async throws -> [(slice: SliceRow, targets: [UInt8])]
    /// The slices of a campaign that are quarantined, and those that are ready with notes or with targets that may have been sent, after
    /// this one in order.
    func waiting(of campaign: Int64, after: SliceRow.ID?, limit: Int) async throws -> [SliceRow]
    /// Moves a campaign from one of these states to another; false if it is in none of them. The end of a campaign is the date.
    func move(_ campaign: Int64, from states: Set<Campaign.State>, to state: Campaign.State, at date: Date) async throws
        -> Bool
    /// Pauses parts for a reason, or resumes them. Resuming takes the quarantined slices as well.
    func pauseParts(of campaign: Int64, _ parts: [Int], for reason: String?) async throws
    /// Lets nothing of a part be leased before a moment.
    func delayPart(of campaign: Int64, _ part: Int, until date: Date) async throws

    // MARK: Working

    /// Lets a worker work; false while a store that has one worker has another. Held until `release`, or until the process
    /// ends, or, in a store that has several, until the worker has not renewed it for a while.
    func claim(_ worker: Int64) async throws -> Bool
    /// Says that a worker is still there; false if it has no claim any more, and must start nothing.
    func renew(_ worker: Int64) async throws -> Bool
    /// Gives the claim back.
    func release(_ worker: Int64) async throws
    /// How many workers have a claim; 1 for a store that has one.
    func workers() async throws -> Int
    /// The slices that are leased or tried by workers without a claim; they have ended. Asked by a worker that has one.
    func orphans(of worker: Int64) async throws -> [SliceRow]
    /// The slices that a worker has leased or attempts.
    func leased(by worker: Int64) async throws -> [SliceRow]
    /// Leases ready slices: raises their epoch and assigns them to the worker.
    func lease(_ request: OutboxLease) async throws -> [(slice: SliceRow, targets: [UInt8])]
    /// Makes all these changes in one transaction; for each, whether it was made.
    func apply(_ changes: [SliceChange]) async throws -> [Bool]

    // MARK: Keeping

    /// Ends campaigns all of whose slices are done, and those whose time is up and of which nothing is being sent; some at once.
    /// Returns those that ended.
    func endFinished(at date: Date) async throws -> [Campaign]
    /// Removes the slices of campaigns that ended and are no longer kept, at most about this many at once; then such a campaign is
    /// `removed` and has no message and no parts, until its name is no longer kept either. Returns how much it removed.
    func prune(at date: Date, limit: Int) async throws -> Int
    /// What an operator wants to know of the engine.
    func facts() async throws -> OutboxFacts
}

extension OutboxStore {
    public func workers() async throws -> Int { 1 }

    public var lead: Duration? { nil }

    /// How many targets of a campaign have which outcome, and how many slices are where.
    public func counts(of campaign: Int64) async throws -> OutboxCounts { try await counts(of: campaign, part: nil) }
}

/// What a store says of its engine, for operators.
public struct OutboxFacts: Sendable, Hashable {
    /// A worker that has a claim.
    public struct Worker: Sendable, Hashable {
        /// Its machine.
        public var host: String
        /// The number of its process there; nil if the store cannot tell.
        public var process: Int32?
        /// How long it keeps its claim without another sign of life, below zero if the next worker counts it as gone; nil for as
        /// long as its process lives.
        public var remaining: Duration?

        /// A worker on a machine.
        public init(host: String, process: Int32? = nil, remaining: Duration?) {
            (self.host, self.process, self.remaining) = (host, process, remaining)
        }
    }

    /// The engine and its version, such as `SQLite 3.40.1`.
    public var engine: String
    /// The version of the store's tables, from 1.
    public var version = 1
    /// The settings on which it depends whether a power cut loses a commit.
    public var durability: [String: String] = [:]
    /// The workers that have a claim.
    public var workers: [Worker] = []
    /// How much there is of what, in bytes.
    public var sizes: [String: Int] = [:]

    /// An engine of which nothing more is known.
    public init(engine: String) { self.engine = engine }
}

/// Which campaigns a store reads.
public enum CampaignSelection: Sendable, Hashable {
    /// A page of those in some states, newest first: older than the campaign with this number; nil begins with the newest.
    case page(Set<Campaign.State>, before: Int64?, limit: Int)
    /// The one of this name, if there is one.
    case named(CampaignName)
    /// Those with these numbers.
    case numbered(Set<Int64>)
}

/// How much of a campaign is where.
public struct OutboxCounts: Sendable, Hashable {
    /// Slices by state.
    public var slices: [SliceRow.State: Int] = [:]
    /// Targets by outcome, without who said so.
    public var targets: [SliceRow.Outcome: Int] = [:]
    /// Targets that were sent to a second time with an unknown first outcome.
    public var resent = 0

    /// Nothing.
    public init() {}

    /// Adds a slice.
    public mutating func add(_ slice: SliceRow) {
        slices[slice.state, default: 0] += 1
        targets.merge(slice.counts) { $0 + $1 }
        resent += slice.resent
    }
}

/// Which slices a worker wants: of campaigns and parts that are active, whose time has come and is not up; by priority,
/// then the part that was leased from longest ago, then what was due first, then by number. A slice whose key was first used after `keysAfter` is
/// wanted before its time.
public struct OutboxLease: Sendable {
    /// The worker.
    public var worker: Int64
    /// Of these parts only.
    public var routes: [RouteName]
    /// At most this many.
    public var limit: Int
    /// The time.
    public var now: Date
    /// If a key was first used after this, the clock has been set back since: its age is unknown, and waiting does not help.
    public var keysAfter: Date { now.addingTimeInterval(60) }
    /// Those whose worker ended while it had them, or the others.
    public var wantsRecovered = false
    /// Only of parts whose targets may have another way.
    public var wantsOtherWays = false
    /// Only of campaigns that are more urgent; nil for all.
    public var moreUrgentThan: CampaignOptions.Priority?
    /// First of the part that was leased from longest ago, whatever its priority.
    public var wantsOldest = false

    /// A request for slices.
    public init(worker: Int64, routes: [RouteName], limit: Int, now: Date) {
        (self.worker, self.routes, self.limit, self.now) = (worker, routes, limit, now)
    }
}

/// A change of one slice, made only if the row is as expected.
public struct SliceChange: Sendable {
    /// What becomes of the packed targets.
    public enum Targets: Sendable {
        /// They stay.
        case keep
        /// These are left: those that the report names.
        case replace([UInt8])
    }

    /// The row as it will be. Its `epoch` is the one that the row must have.
    public var slice: SliceRow
    /// The states that the row may be in.
    public var from: Set<SliceRow.State>
    /// Whether it must be leased or tried by this owner.
    public var owner: Int64?
    /// Refused unless campaign and part are active at this date.
    public var ifActive: Date?
    /// What becomes of the packed targets.
    public var targets = Targets.keep
    /// New slices of the campaign, in the same transaction, with their packed targets. Each gets the next number of its part.
    public var adds: [(slice: SliceRow, targets: [UInt8])] = []
    /// A reason to pause the slice's part, in the same transaction.
    public var pausesPart: String?
    /// A moment before which nothing of the part is leased, in the same transaction.
    public var delaysPart: Date?

    /// A change to this row, which must be in one of these states.
    public init(_ slice: SliceRow, from: Set<SliceRow.State>, owner: Int64? = nil) {
        (self.slice, self.from, self.owner) = (slice, from, owner)
    }
}
