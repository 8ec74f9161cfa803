public import FoundationEssentials
import PushAdapter
public import PushOutbox

/// A store around another one. All calls pass one function, `forward`.
public protocol ForwardingOutboxStore: OutboxStore {
    /// The store that does the work.
    var base: any OutboxStore { get }
    /// Makes a call. May also do something before it, after it, or instead of it.
    func forward<Value: Sendable>(
        _ call: OutboxCall, _ body: @escaping @Sendable (any OutboxStore) async throws -> Value
    ) async throws -> Value
}

/// The calls of a store.
public enum OutboxCall: String, Sendable, Hashable, CaseIterable {
    /// Enqueuing.
    case create, add, activate, abandon, submitted, plan, openTargets
    /// Watching and operating.
    case campaigns, backlog, counts, slices, waiting, move, pauseParts, delayPart
    /// Working.
    case claim, renew, release, workers, orphans, leased, lease, apply
    /// Maintenance.
    case endFinished, prune, facts
}

extension ForwardingOutboxStore {
    public var lead: Duration? { base.lead }

    public func create(_ campaign: Campaign) async throws -> (campaign: Campaign, isNew: Bool) {
        try await forward(.create) { try await $0.create(campaign) }
    }
    public func add(_ slices: [(slice: SliceRow, targets: [UInt8])], to campaign: Int64) async throws -> Bool {
        try await forward(.add) { try await $0.add(slices, to: campaign) }
    }
    public func activate(_ campaign: Int64) async throws -> Bool {
        try await forward(.activate) { try await $0.activate(campaign) }
    }
    public func abandon(_ campaign: Int64) async throws {
        try await forward(.abandon) { try await $0.abandon(campaign) }
    }
    public func submitted(
        for worker: Int64, routes: [RouteName], leaving left: [Int64], limit: Int
    ) async throws -> [Campaign] {
        try await forward(.submitted) {
            try await $0.submitted(for: worker, routes: routes, leaving: left, limit: limit)
        }
    }
    public func plan(_ planned: [PreparedCampaign]) async throws -> [Bool] {
        try await forward(.plan) { try await $0.plan(planned) }
    }
    public func openTargets() async throws -> Int { try await forward(.openTargets) { try await $0.openTargets() } }
    public func campaigns(_ which: CampaignSelection) async throws -> [Campaign] {
        try await forward(.campaigns) { try await $0.campaigns(which) }
    }
    public func backlog(needy limit: Int) async throws -> OutboxBacklog {
        try await forward(.backlog) { try await $0.backlog(needy: limit) }
    }
    public func counts(of campaign: Int64, part: Int?) async throws -> OutboxCounts {
        try await forward(.counts) { try await $0.counts(of: campaign, part: part) }
    }
    public func slices(
        of campaign: Int64, with outcomes: Set<SliceRow.Outcome>, after: SliceRow.ID?, limit: Int
    ) async throws -> [(slice: SliceRow, targets: [UInt8])] {
        try await forward(.slices) { try await $0.slices(of: campaign, with: outcomes, after: after, limit: limit) }
    }
    public func waiting(of campaign: Int64, after: SliceRow.ID?, limit: Int) async throws -> [SliceRow] {
        try await forward(.waiting) { try await $0.waiting(of: campaign, after: after, limit: limit) }
    }
    public func move(
        _ campaign: Int64, from states: Set<Campaign.State>, to state: Campaign.State, at date: Date
    ) async throws -> Bool {
        try await forward(.move) { try await $0.move(campaign, from: states, to: state, at: date) }
    }
    public func pauseParts(of campaign: Int64, _ parts: [Int], for reason: String?) async throws {
        try await forward(.pauseParts) { try await $0.pauseParts(of: campaign, parts, for: reason) }
    }
    public func delayPart(of campaign: Int64, _ part: Int, until date: Date) async throws {
        try await forward(.delayPart) { try await $0.delayPart(of: campaign, part, until: date) }
    }
    public func claim(_ worker: Int64) async throws -> Bool { try await forward(.claim) { try await $0.claim(worker) } }
    public func renew(_ worker: Int64) async throws -> Bool { try await forward(.renew) { try await $0.renew(worker) } }
    public func release(_ worker: Int64) async throws { try await forward(.release) { try await $0.release(worker) } }
    public func workers() async throws -> Int { try await forward(.workers) { try await $0.workers() } }
    public func orphans(of worker: Int64) async throws -> [SliceRow] {
        try await forward(.orphans) { try await $0.orphans(of: worker) }
    }
    public func leased(by worker: Int64?) async throws -> [SliceRow] {
        try await forward(.leased) { try await $0.leased(by: worker) }
    }
    public func lease(_ request: OutboxLease) async throws -> [(slice: SliceRow, targets: [UInt8])] {
        try await forward(.lease) { try await $0.lease(request) }
    }
    public func apply(_ changes: [SliceChange]) async throws -> [Bool] {
        try await forward(.apply) { try await $0.apply(changes) }
    }
    public func endFinished(at date: Date) async throws -> [Campaign] {
        try await forward(.endFinished) { try await $0.endFinished(at: date) }
    }
    public func prune(at date: Date, limit: Int) async throws -> Int {
        try await forward(.prune) { try await $0.prune(at: date, limit: limit) }
    }
    public func facts() async throws -> OutboxFacts { try await forward(.facts) { try await $0.facts() } }
}
