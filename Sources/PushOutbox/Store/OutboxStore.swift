public import FoundationEssentials
import PushAdapter

/// Stores the campaigns of an outbox. Each call is one transaction. Once it returns, its effect survives a power cut.
/// If it throws, it had no effect, or the caller cannot know.
///
/// A store makes no decisions: it holds rows and changes them only if they are as the caller expects. The module
/// PushStoreConformance checks each rule.
///
/// A store that must not be used any more, because it was closed or its file was moved, throws `stopped`. That ends
/// workers. Errors are printed, so they hold no id, no text of a message and no password.
public protocol OutboxStore: Sendable {
    /// How far the clock of the store's server is ahead of this machine's; nil for a store without a server. Dates go
    /// in and out on this machine's clock, except dates that other programs wrote into a message.
    var lead: Duration? { get }

    // MARK: Enqueuing

    /// Stores a new campaign as `loading` and returns it with its number, or returns the campaign that has the name.
    /// Replaces a loading campaign whose process has ended.
    func create(_ campaign: Campaign) async throws -> (campaign: Campaign, isNew: Bool)
    /// Adds slices with their packed targets to a campaign that this store is loading; false if it is gone.
    func add(_ slices: [(slice: SliceRow, targets: [UInt8])], to campaign: Int64) async throws -> Bool
    /// Makes a loaded campaign active; false if it is gone.
    func activate(_ campaign: Int64) async throws -> Bool
    /// Removes a campaign that is still loading.
    func abandon(_ campaign: Int64) async throws
    /// Returns submitted campaigns for a worker to plan, urgent and old ones first, without those in `left`. A store
    /// with several workers also skips campaigns that need other routes or that another worker plans.
    func submitted(for worker: Int64, routes: [RouteName], leaving left: [Int64], limit: Int) async throws -> [Campaign]
    /// Stores planned campaigns over the submitted ones with their numbers: the rest of the row, and the slices, whose
    /// campaign number is still 0. Returns for each whether it was still submitted.
    func plan(_ planned: [PreparedCampaign]) async throws -> [Bool]
    /// Returns the number of open targets in campaigns that have not ended. Slower with more targets.
    func openTargets() async throws -> Int

    // MARK: Watching and operating

    /// Returns campaigns, newest first.
    func campaigns(_ which: CampaignSelection) async throws -> [Campaign]
    /// Returns the waiting work, with at most `limit` campaigns that need a person. Slower with more work.
    func backlog(needy limit: Int) async throws -> OutboxBacklog
    /// Returns the targets by outcome and the slices by state, of a campaign or of one of its parts.
    func counts(of campaign: Int64, part: Int?) async throws -> OutboxCounts
    /// Returns the slices of a campaign that have one of these outcomes, with their packed targets, in order after this
    /// slice.
    func slices(
        of campaign: Int64, with outcomes: Set<SliceRow.Outcome>, after: SliceRow.ID?, limit: Int
    ) async throws -> [(slice: SliceRow, targets: [UInt8])]
    /// Returns the slices of a campaign that wait, in order after this slice: quarantined ones, and ready ones with
    /// notes or with targets that may have been sent.
    func waiting(of campaign: Int64, after: SliceRow.ID?, limit: Int) async throws -> [SliceRow]
    /// Moves a campaign from one of these states to another; false if it is in none of them. A campaign that ends gets
    /// the date as its end.
    func move(_ campaign: Int64, from states: Set<Campaign.State>, to state: Campaign.State, at date: Date) async throws
        -> Bool
    /// Pauses parts for a reason, or resumes them with their quarantined slices if the reason is nil.
    func pauseParts(of campaign: Int64, _ parts: [Int], for reason: String?) async throws
    /// Stops leases of a part until a moment.
    func delayPart(of campaign: Int64, _ part: Int, until date: Date) async throws

    // MARK: Working

    /// Gives a worker a claim; false if the store has one worker and another one has the claim. The claim lasts until
    /// `release` or until the process ends. In a store with several workers, it lasts until the worker has not renewed
    /// it for a while.
    func claim(_ worker: Int64) async throws -> Bool
    /// Renews a worker's claim; false if the worker has lost it and must start nothing.
    func renew(_ worker: Int64) async throws -> Bool
    /// Gives up the claim.
    func release(_ worker: Int64) async throws
    /// Returns the number of workers with a claim; 1 for a store with one worker.
    func workers() async throws -> Int
    /// Returns the slices of workers without a claim: these workers are dead. The caller must have a claim.
    func orphans(of worker: Int64) async throws -> [SliceRow]
    /// Returns the slices that a worker has leased or is sending.
    func leased(by worker: Int64) async throws -> [SliceRow]
    /// Leases ready slices: raises their epoch and assigns them to the worker.
    func lease(_ request: OutboxLease) async throws -> [(slice: SliceRow, targets: [UInt8])]
    /// Makes changes in one transaction. Returns for each whether it was made.
    func apply(_ changes: [SliceChange]) async throws -> [Bool]

    // MARK: Maintenance

    /// Ends campaigns whose slices are all done, and expired campaigns without a request in flight. Ends some at once.
    /// Returns the campaigns that it ended.
    func endFinished(at date: Date) async throws -> [Campaign]
    /// Removes the slices of campaigns whose report has expired, about `limit` at once. Such a campaign is then
    /// `removed`, without message and parts, until its name expires too. Returns the number of removed slices and
    /// names.
    func prune(at date: Date, limit: Int) async throws -> Int
    /// Returns facts about the engine, for operators.
    func facts() async throws -> OutboxFacts
}

extension OutboxStore {
    public func workers() async throws -> Int { 1 }

    public var lead: Duration? { nil }

    /// Returns the targets by outcome and the slices by state of a campaign.
    public func counts(of campaign: Int64) async throws -> OutboxCounts { try await counts(of: campaign, part: nil) }
}

/// Facts about a store's engine, for operators.
public struct OutboxFacts: Sendable, Hashable {
    /// A worker with a claim.
    public struct Worker: Sendable, Hashable {
        /// Its machine.
        public var host: String
        /// Its process number; nil if the store does not know it.
        public var process: Int32?
        /// How long the claim lasts without a renewal. Below zero, the next worker counts this one as dead. Nil if the
        /// claim lasts as long as the process.
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
    /// The settings that decide whether a power cut loses a commit.
    public var durability: [String: String] = [:]
    /// The workers that have a claim.
    public var workers: [Worker] = []
    /// The sizes of the store's contents, in bytes.
    public var sizes: [String: Int] = [:]

    /// Facts with nothing but the engine.
    public init(engine: String) { self.engine = engine }
}

/// Selects campaigns to read.
public enum CampaignSelection: Sendable, Hashable {
    /// A page of campaigns in these states, newest first: those before the campaign with this number; nil begins with
    /// the newest.
    case page(Set<Campaign.State>, before: Int64?, limit: Int)
    /// The campaign with this name, if it exists.
    case named(CampaignName)
    /// The campaigns with these numbers.
    case numbered(Set<Int64>)
}

/// The slices by state and targets by outcome of a campaign.
public struct OutboxCounts: Sendable, Hashable {
    /// Slices by state.
    public var slices: [SliceRow.State: Int] = [:]
    /// Targets by outcome, without the flags.
    public var targets: [SliceRow.Outcome: Int] = [:]
    /// Targets that were sent to again after an unknown outcome.
    public var resent = 0

    /// Empty counts.
    public init() {}

    /// Adds a slice.
    public mutating func add(_ slice: SliceRow) {
        slices[slice.state, default: 0] += 1
        targets.merge(slice.counts) { $0 + $1 }
        resent += slice.resent
    }
}

/// A worker's request for slices. Only due slices count, in active campaigns that have not expired and parts that are
/// not paused. They come by priority, then from the part that was leased from longest ago, then by due time, then by
/// number. A slice whose key was first used after `keysAfter` counts as due.
public struct OutboxLease: Sendable {
    /// The worker.
    public var worker: Int64
    /// Leases only from parts at these routes.
    public var routes: [RouteName]
    /// The most slices to lease.
    public var limit: Int
    /// The current time.
    public var now: Date
    /// If a key was first used after this, the clock was set back since. Its age is unknown, so waiting does not help.
    public var keysAfter: Date { now.addingTimeInterval(60) }
    /// Whether to lease recovered slices, or only the others.
    public var wantsRecovered = false
    /// Whether to lease only from parts whose targets may have a second route.
    public var wantsOtherWays = false
    /// Leases only from campaigns that are more urgent than this; nil for all.
    public var moreUrgentThan: CampaignOptions.Priority?
    /// Whether the part that was leased from longest ago comes first, whatever its priority.
    public var wantsOldest = false

    /// A request for slices.
    public init(worker: Int64, routes: [RouteName], limit: Int, now: Date) {
        (self.worker, self.routes, self.limit, self.now) = (worker, routes, limit, now)
    }
}

/// A change of one slice, made only if the row is as expected.
public struct SliceChange: Sendable {
    /// The change of the packed targets.
    public enum Targets: Sendable {
        /// Keeps them.
        case keep
        /// Keeps only these: the targets that the report names.
        case replace([UInt8])
    }

    /// The row after the change. The stored row must have the same `epoch`.
    public var slice: SliceRow
    /// The states that the stored row may be in.
    public var from: Set<SliceRow.State>
    /// The owner that the stored row must have; nil for any.
    public var owner: Int64?
    /// The store refuses the change unless campaign and part are active at this date.
    public var ifActive: Date?
    /// The change of the packed targets.
    public var targets = Targets.keep
    /// New slices of the campaign with their packed targets, added in the same transaction. Each gets the next number
    /// of its part.
    public var adds: [(slice: SliceRow, targets: [UInt8])] = []
    /// A reason to pause the slice's part in the same transaction.
    public var pausesPart: String?
    /// A moment until which nothing of the part is leased, set in the same transaction.
    public var delaysPart: Date?

    /// A change to this row, which must be in one of these states.
    public init(_ slice: SliceRow, from: Set<SliceRow.State>, owner: Int64? = nil) {
        (self.slice, self.from, self.owner) = (slice, from, owner)
    }
}
