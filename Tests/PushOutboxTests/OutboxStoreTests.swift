import FoundationEssentials
import PushCore
import PushOutbox
import PushOutboxSQLite
import TestSupport
import Testing

@Suite("The stores of an outbox")
struct OutboxStoreTests {
    @Test("in memory", arguments: StoreCheck.all)
    func memory(_ check: StoreCheck) async throws { try await check.run(MemoryOutboxStore()) }

    @Test("in a file", arguments: StoreCheck.all)
    func file(_ check: StoreCheck) async throws {
        try await withFile { path in
            let store = try SQLiteOutboxStore(path: path)
            try await check.run(store)
            try store.close()
        }
    }

    @Test("a store that breaks a rule fails its check", arguments: BrokenStore.Rule.allCases)
    func broken(_ rule: BrokenStore.Rule) async throws {
        let check = try #require(StoreCheck.named(rule.rawValue))
        await #expect(throws: StoreCheck.Failure.self) {
            try await check.run(BrokenStore(inner: MemoryOutboxStore(), rule: rule))
        }
    }
}

/// A store in memory that breaks one rule.
struct BrokenStore: OutboxStore {
    /// The rule, by the name of the check that finds it.
    enum Rule: String, Sendable, CaseIterable {
        case epoch = "a change needs the epoch, the state and the owner that it expects"
        case lock = "a slice is leased once, by order, with its targets"
        case pause = "a change is refused once campaign or part is paused or over"
        case expiry = "a change is refused once the campaign's time is up"
        case turns = "the urgent goes first, and campaigns of one priority take turns"
        case claim = "one worker has the claim, until it gives it back"
        case rescue = "orphans are what other workers had"
        case name = "a name is one campaign"
        case finished = "a state is left only from where it may be"
    }

    let inner: MemoryOutboxStore
    let rule: Rule

    func create(_ campaign: Campaign) async throws -> (campaign: Campaign, isNew: Bool) {
        if rule == .name { await inner.forgetProcesses() }
        return await inner.create(campaign)
    }
    func add(_ slices: [(slice: Slice, targets: [UInt8])], to campaign: Int64) async throws -> Bool {
        await inner.add(slices, to: campaign)
    }
    func plan(_ campaign: Campaign, _ slices: [(slice: Slice, targets: [UInt8])]) async throws -> Bool {
        await inner.plan(campaign, slices)
    }
    func activate(_ campaign: Int64) async throws -> Bool { await inner.activate(campaign) }
    func abandon(_ campaign: Int64) async throws { await inner.abandon(campaign) }
    func openTargets() async throws -> Int { await inner.openTargets() }
    func campaigns(_ which: CampaignSelection) async throws -> [Campaign] { await inner.campaigns(which) }
    func counts(of campaign: Int64, leg: Int?) async throws -> OutboxCounts {
        await inner.counts(of: campaign, leg: leg)
    }
    func slices(
        of campaign: Int64, with outcomes: Set<Slice.Outcome>, after: Slice.ID?, limit: Int
    ) async throws -> [(slice: Slice, targets: [UInt8])] {
        await inner.slices(of: campaign, with: outcomes, after: after, limit: limit)
    }
    func move(
        _ campaign: Int64, from states: Set<Campaign.State>, to state: Campaign.State, at date: Date
    ) async throws -> Bool {
        let states = rule == .finished ? Set(Campaign.State.allCases) : states
        return await inner.move(campaign, from: states, to: state, at: date)
    }
    func pauseLegs(of campaign: Int64, _ legs: [Int], for reason: String?) async throws {
        await inner.pauseLegs(of: campaign, legs, for: reason)
    }
    func delayLeg(of campaign: Int64, _ leg: Int, until date: Date) async throws {
        await inner.delayLeg(of: campaign, leg, until: date)
    }
    func claim(_ worker: Int64) async throws -> Bool { await inner.claim(rule == .claim ? 1 : worker) }
    func renew(_ worker: Int64) async throws -> Bool { await inner.renew(worker) }
    func release(_ worker: Int64) async throws { await inner.release(worker) }
    func held(by worker: Int64) async throws -> [Slice] { await inner.held(by: worker) }
    func orphans(of worker: Int64) async throws -> [Slice] {
        // By state alone, so that it takes its own slices from itself.
        await inner.orphans(of: rule == .rescue ? 0 : worker)
    }
    func lease(_ request: OutboxLease) async throws -> [(slice: Slice, targets: [UInt8])] {
        var leased = await inner.lease(request)
        switch rule {
        case .lock:
            // Leaves the rows ready, as a lease does that reads before it writes.
            let undo = leased.map { row in
                var slice = row.slice
                slice.state = .ready
                return SliceChange(slice, from: [.leased])
            }
            _ = await inner.apply(undo)
        case .turns:
            // All of one campaign before the next.
            var whole = request
            whole.limit = 1_000
            while case let more = await inner.lease(whole), !more.isEmpty { leased += more }
            leased.sort { $0.slice.id < $1.slice.id }
            let undo = leased.dropFirst(request.limit).map { row in
                var slice = row.slice
                slice.state = .ready
                return SliceChange(slice, from: [.leased])
            }
            _ = await inner.apply(Array(undo))
            leased = Array(leased.prefix(request.limit))
        default: break
        }
        return leased
    }
    func apply(_ changes: [SliceChange]) async throws -> [Bool] {
        var changes = changes
        for index in changes.indices {
            if rule == .pause { changes[index].ifActive = nil }
            if rule == .expiry { changes[index].ifActive = changes[index].ifActive.map { _ in StoreCheck.start } }
            if rule == .epoch { changes[index].slice.epoch = 1 }
        }
        return await inner.apply(changes)
    }
    func endFinished(at date: Date) async throws -> [Campaign] { await inner.endFinished(at: date) }
    func facts() async throws -> OutboxFacts { await inner.facts() }
    func prune(at date: Date, limit: Int) async throws -> Int { await inner.prune(at: date, limit: limit) }
}
