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
    /// Returns the slices that a worker has leased or is sending, in order; nil for those of all workers.
    func leased(by worker: Int64?) async throws -> [SliceRow]
    /// Leases ready slices: raises their epoch and assigns them to the worker.
    func lease(_ request: OutboxLease) async throws -> [(slice: SliceRow, targets: [UInt8])]
    /// Makes changes in one transaction. Returns for each whether it was made. Makes none and throws `invalidArgument`
    /// if the store cannot hold one of them, such as a number out of range. The worker then makes the others without it.
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
