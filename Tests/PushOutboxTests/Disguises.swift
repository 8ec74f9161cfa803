import FoundationEssentials
import PushClient
import PushCore
import PushOutbox
import PushSimulation

/// The vendor in memory, as another vendor would be.
struct DisguisedProvider: PushProvider {
    enum Disguise: Sendable {
        case usual
        /// It has keys, but not for every request, and does not say so.
        case withoutKeysInRequests
        /// Its refusals of requests for one target say something about that target alone.
        case isolating
    }

    let base: MemoryProvider
    let disguise: Disguise

    var id: ProviderID { base.id }
    var dataCenter: DataCenter { base.dataCenter }
    var capabilities: Capabilities { base.capabilities }
    var authorizer: any Authorizer { base.authorizer }

    var roles: Roles {
        var roles = base.roles
        if case .withoutKeysInRequests = disguise {
            roles.send = { (message, audience, _) throws(PushError) in try base.send(message, to: audience, key: nil) }
        }
        return roles
    }

    func diagnose(_ response: WireResponse, to request: WireRequest, for operation: Feature) -> PushError? {
        guard var error = base.diagnose(response, to: request, for: operation) else { return nil }
        if case .isolating = disguise, operation == .send {
            error.kind = .unauthorized
            error.retry = .never
            error.vendor?.verdict = .isolated
        }
        return error
    }

    func facts(in response: WireResponse) -> ResponseFacts { base.facts(in: response) }
}

/// A store that carries a call out and then fails, as a connection that ends in a commit.
final class ForgetfulStore: OutboxStore {
    enum Call: String, Sendable, CaseIterable {
        case create, add, plan, activate, lease, apply, move, campaigns, endFinished, orphans
    }

    private let inner: any OutboxStore
    private let count: Int
    private let lost = Locked<[Call: Int]>([:])
    /// The campaign that it takes in no transaction.
    let unplannable = Locked<CampaignName?>(nil)
    private let noted = Locked<(@Sendable () -> Void)?>(nil)
    private let happenings = Locked<[Call: @Sendable () async -> Void]>([:])

    let lead: Duration?

    /// - Parameters:
    ///   - count: how many workers it says that there are.
    ///   - lead: how far it says that the clock of its server is ahead.
    init(_ inner: any OutboxStore, workers count: Int = 1, lead: Duration? = nil) {
        (self.inner, self.count, self.lead) = (inner, count, lead)
    }

    func workers() async throws -> Int { count }

    /// Loses the answers of so many calls.
    func lose(_ call: Call, times: Int = 1) { lost.withLock { $0[call] = times } }

    /// Lets something happen once, between a call and its answer.
    func during(_ call: Call, _ happens: @escaping @Sendable () async -> Void) {
        happenings.withLock { $0[call] = happens }
    }

    /// Counts the calls from now on.
    func count(_ note: @escaping @Sendable () -> Void) { noted.withLock { $0 = note } }

    private func answer<Value: Sendable>(_ call: Call, _ value: Value) async throws -> Value {
        noted.withLock { $0 }?()
        await happenings.withLock { $0.removeValue(forKey: call) }?()
        let isLost = lost.withLock { lost in
            guard let count = lost[call], count > 0 else { return false }
            lost[call] = count - 1
            return true
        }
        if isLost { throw Life.Ended() }
        return value
    }

    func create(_ campaign: Campaign) async throws -> (campaign: Campaign, isNew: Bool) {
        try await answer(.create, inner.create(campaign))
    }
    func add(_ slices: [(slice: Slice, targets: [UInt8])], to campaign: Int64) async throws -> Bool {
        try await answer(.add, inner.add(slices, to: campaign))
    }
    func submitted(
        for worker: Int64, routes: [RouteName], leaving left: [Int64], limit: Int
    ) async throws -> [Campaign] {
        try await answer(.campaigns, inner.submitted(for: worker, routes: routes, leaving: left, limit: limit))
    }
    func plan(_ planned: [PreparedCampaign]) async throws -> [Bool] {
        if planned.contains(where: { one in unplannable.withLock { $0 == one.campaign.name } }) { throw Life.Ended() }
        return try await answer(.plan, inner.plan(planned))
    }
    func activate(_ campaign: Int64) async throws -> Bool { try await answer(.activate, inner.activate(campaign)) }
    func abandon(_ campaign: Int64) async throws { try await inner.abandon(campaign) }
    func openTargets() async throws -> Int { try await inner.openTargets() }
    func campaigns(_ which: CampaignSelection) async throws -> [Campaign] {
        try await answer(.campaigns, inner.campaigns(which))
    }
    func backlog(needy limit: Int) async throws -> OutboxBacklog { try await inner.backlog(needy: limit) }
    func counts(of campaign: Int64, leg: Int?) async throws -> OutboxCounts {
        try await inner.counts(of: campaign, leg: leg)
    }
    func slices(
        of campaign: Int64, with outcomes: Set<Slice.Outcome>, after: Slice.ID?, limit: Int
    ) async throws -> [(slice: Slice, targets: [UInt8])] {
        try await inner.slices(of: campaign, with: outcomes, after: after, limit: limit)
    }
    func waiting(of campaign: Int64, after: Slice.ID?, limit: Int) async throws -> [Slice] {
        try await inner.waiting(of: campaign, after: after, limit: limit)
    }
    func move(
        _ campaign: Int64, from states: Set<Campaign.State>, to state: Campaign.State, at date: Date
    ) async throws -> Bool {
        try await answer(.move, inner.move(campaign, from: states, to: state, at: date))
    }
    func pauseLegs(of campaign: Int64, _ legs: [Int], for reason: String?) async throws {
        try await inner.pauseLegs(of: campaign, legs, for: reason)
    }
    func delayLeg(of campaign: Int64, _ leg: Int, until date: Date) async throws {
        try await inner.delayLeg(of: campaign, leg, until: date)
    }
    func claim(_ worker: Int64) async throws -> Bool { try await inner.claim(worker) }
    func renew(_ worker: Int64) async throws -> Bool { try await inner.renew(worker) }
    func release(_ worker: Int64) async throws { try await inner.release(worker) }
    func orphans(of worker: Int64) async throws -> [Slice] {
        try await answer(.orphans, inner.orphans(of: worker))
    }
    func held(by worker: Int64) async throws -> [Slice] { try await inner.held(by: worker) }
    func lease(_ request: OutboxLease) async throws -> [(slice: Slice, targets: [UInt8])] {
        try await answer(.lease, inner.lease(request))
    }
    func apply(_ changes: [SliceChange]) async throws -> [Bool] { try await answer(.apply, inner.apply(changes)) }
    func endFinished(at date: Date) async throws -> [Campaign] {
        try await answer(.endFinished, inner.endFinished(at: date))
    }
    func facts() async throws -> OutboxFacts { try await inner.facts() }
    func prune(at date: Date, limit: Int) async throws -> Int { try await inner.prune(at: date, limit: limit) }
}

/// A clock whose date may be wrong.
struct SkewedClock: PushClock {
    let base: any PushClock
    /// How far ahead its date is, in seconds.
    let lead = Locked(0.0)

    init(_ base: any PushClock, lead: Double = 0) {
        self.base = base
        self.lead.withLock { $0 = lead }
    }

    var elapsed: Duration { base.elapsed }
    var date: Date { base.date.addingTimeInterval(lead.withLock { $0 }) }
    func sleep(for duration: Duration) async throws(CancellationError) { try await base.sleep(for: duration) }
    func expire(after duration: Duration) async throws(CancellationError) { try await base.expire(after: duration) }
}
