import FoundationEssentials
import PushAdapter
import PushOutbox
import PushOutboxSQLite
import PushSimulationTesting
import PushStoreConformance
import TestSupport
import Testing

extension OutboxStoreCheck {
    /// Leases and finishes slices until none is left. Returns them and the number of ended campaigns.
    static func work(
        _ store: any OutboxStore, worker: Int64
    ) async throws -> (slices: [SliceRow.ID], ended: Int) {
        var (ids, ended): ([SliceRow.ID], Int) = ([], 0)
        while case let leased = try await lease(store, 7, worker: worker), !leased.isEmpty {
            ids += leased.map(\.slice.id)
            let changes = leased.map { row in
                var slice = row.slice
                slice.state = .done
                slice.outcomes = [.accepted, .accepted, .accepted]
                var change = SliceChange(slice, from: [.leased], owner: worker)
                change.ifActive = start
                return change
            }
            let made = try await store.apply(changes)
            guard made == changes.map({ _ in true }) else { throw Failure(description: "\(made)") }
            ended += try await store.endFinished(at: start).count
        }
        ended += try await store.endFinished(at: start).count
        return (ids, ended)
    }
}

@Suite("The stores of an outbox")
struct OutboxStoreTests {
    @Test("in memory", arguments: OutboxStoreCheck.all)
    func memory(_ check: OutboxStoreCheck) async throws { try await check.run(MemoryOutboxStore()) }

    @Test("in a file", arguments: OutboxStoreCheck.all)
    func file(_ check: OutboxStoreCheck) async throws {
        try await withFile { path in
            let store = try SQLiteOutboxStore(path: path)
            try await check.run(store)
            try store.close()
        }
    }

    @Test("a closed file ends its workers")
    func closed() async throws {
        try await withFile { path in
            let store = try SQLiteOutboxStore(path: path)
            try await OutboxStoreCheck.closing { try store.close() }.run(store)
            let error = await #expect(throws: PushError.self) { try await store.renew(1) }
            #expect(error?.message.contains("closed") == true)
        }
    }

    @Test("the check of a closed store finds one that goes on, and one that throws another error")
    func openAfterClosing() async {
        await #expect(throws: OutboxStoreCheck.Failure.self) {
            try await OutboxStoreCheck.closing {}.run(MemoryOutboxStore())
        }
        let life = Life(endingAt: .max)
        await #expect(throws: OutboxStoreCheck.Failure.self) {
            try await OutboxStoreCheck.closing { life.end() }.run(MortalStore(base: MemoryOutboxStore(), life: life))
        }
    }

    @Test("each check finds a store that breaks its rule", arguments: OutboxStoreCheck.all)
    func broken(_ check: OutboxStoreCheck) async throws {
        let rule = try #require(BrokenStore.Rule(rawValue: check.description), "no store breaks this rule")
        await #expect(throws: OutboxStoreCheck.Failure.self) {
            try await check.run(BrokenStore(inner: MemoryOutboxStore(), rule: rule))
        }
    }
}

/// A memory store that breaks one rule.
struct BrokenStore: ForwardingOutboxStore {
    /// The rule, named like the check that finds it.
    enum Rule: String, Sendable, CaseIterable {
        case name = "a name is one campaign"
        case campaign = "a campaign is read as it was written"
        case loading = "nothing of a loading or abandoned campaign is leased"
        case lock = "a slice is leased once, by order, with its targets"
        case time = "a slice waits for its time"
        case turns = "the urgent goes first, and campaigns of one priority take turns"
        case oldest = "the part that has waited longest goes first, if that is wanted"
        case planned = "a submitted campaign is planned once, and nothing of it is leased before"
        case submitted = "the urgent and the oldest of what is submitted come first, some at once"
        case page = "campaigns are read page by page, newest first, by their states"
        case queue = "what came out of the queue comes back, for whatever reason it left"
        case urgent = "of campaigns that are more urgent only, if that is wanted"
        case behind = "a lease finds what is behind hundreds of parts that have nothing"
        case paused = "what is paused, late, or of another route is not leased"
        case epoch = "a change needs the epoch, the state and the owner that it expects"
        case slice = "a slice is read as it was written"
        case keyDates = "the dates of a key that was used stay as long as the row has it"
        case active = "a change is refused once campaign or part is paused or over"
        case expiry = "a change is refused once the campaign's time is up"
        case seen = "a change of a seen row is refused once the row has another mark or outcome"
        case effects = "a change can pause or delay its part, in one with the slice"
        case claim = "one worker has the claim, until it gives it back"
        case rescue = "orphans are what other workers had"
        case setBack = "a key from before the clock was set back is leased at once"
        case recovered = "recovered are leased alone on request"
        case quarantined = "quarantined slices come back when a person resumes"
        case backlog = "what waits is that of the campaigns that have not ended"
        case counts = "counts and open targets are those of the slices"
        case pages = "slices are read by outcome, page by page"
        case live = "campaigns that have not ended are read alone"
        case waiting = "slices that wait, but not for their first try, are read"
        case adds = "what a change adds is there with it, once, and only if it is made"
        case otherWays = "of parts with other ways only, if that is wanted"
        case ends = "a campaign ends with its slices, or with its time once nothing is in flight"
        case finished = "a state is left only from where it may be"
        case prune = "what ended is removed after its time, a few slices at once"
    }

    let inner: MemoryOutboxStore
    let rule: Rule

    var base: any OutboxStore { inner }
    func forward<Value: Sendable>(
        _ call: OutboxCall, _ body: @escaping @Sendable (any OutboxStore) async throws -> Value
    ) async throws -> Value { try await body(inner) }

    func create(_ campaign: Campaign) async throws -> (campaign: Campaign, isNew: Bool) {
        if rule == .name { await inner.forgetProcesses() }
        return await inner.create(campaign)
    }
    func submitted(
        for worker: Int64, routes: [RouteName], leaving left: [Int64], limit: Int
    ) async throws -> [Campaign] {
        let found = await inner.submitted(for: worker, routes: routes, leaving: left, limit: limit)
        return rule == .submitted ? found.reversed() : found
    }
    func plan(_ planned: [PreparedCampaign]) async throws -> [Bool] {
        let made = await inner.plan(planned)
        return made.map { $0 || rule == .planned }
    }
    func activate(_ campaign: Int64) async throws -> Bool {
        let isActive = await inner.activate(campaign)
        return isActive || rule == .loading
    }
    func campaigns(_ which: CampaignSelection) async throws -> [Campaign] {
        var campaigns = await inner.campaigns(which)
        if rule == .live, which == .live { campaigns = await inner.campaigns(.all) }
        if rule == .page, case .page(let states, _, let limit) = which {
            campaigns = await inner.campaigns(.page(states, before: nil, limit: limit))
        }
        if rule == .campaign {
            for index in campaigns.indices { campaigns[index].createdAt.addTimeInterval(0.5) }
        }
        return campaigns
    }
    func backlog(needy limit: Int) async throws -> OutboxBacklog {
        var backlog = await inner.backlog(needy: limit)
        if rule == .backlog { backlog.needyCount = backlog.needy.count }
        return backlog
    }
    func counts(of campaign: Int64, part: Int?) async throws -> OutboxCounts {
        var counts = await inner.counts(of: campaign, part: part)
        if rule == .counts { counts.resent = 0 }
        return counts
    }
    func slices(
        of campaign: Int64, with outcomes: Set<SliceRow.Outcome>, after: SliceRow.ID?, limit: Int
    ) async throws -> [(slice: SliceRow, targets: [UInt8])] {
        await inner.slices(of: campaign, with: outcomes, after: rule == .pages ? nil : after, limit: limit)
    }
    func waiting(of campaign: Int64, after: SliceRow.ID?, limit: Int) async throws -> [SliceRow] {
        await inner.waiting(of: campaign, after: rule == .waiting ? nil : after, limit: limit)
    }
    func move(
        _ campaign: Int64, from states: Set<Campaign.State>, to state: Campaign.State, at date: Date
    ) async throws -> Bool {
        let states = rule == .finished ? Set(Campaign.State.allCases) : states
        return await inner.move(campaign, from: states, to: state, at: date)
    }
    func pauseParts(of campaign: Int64, _ parts: [Int], for reason: String?) async throws {
        if rule == .paused || rule == .quarantined { return }
        await inner.pauseParts(of: campaign, parts, for: reason)
    }
    func delayPart(of campaign: Int64, _ part: Int, until date: Date) async throws {
        await inner.delayPart(of: campaign, part, until: date)
    }
    func claim(_ worker: Int64) async throws -> Bool { await inner.claim(rule == .claim ? 1 : worker) }
    func orphans(of worker: Int64) async throws -> [SliceRow] {
        // Finds orphans by state alone, so the worker takes its own slices from itself.
        await inner.orphans(of: rule == .rescue ? 0 : worker)
    }
    func lease(_ request: OutboxLease) async throws -> [(slice: SliceRow, targets: [UInt8])] {
        var request = request
        switch rule {
        case .time: request.now.addTimeInterval(3_600)
        case .oldest: request.wantsOldest = false
        case .recovered: request.wantsRecovered = false
        case .otherWays: request.wantsOtherWays = false
        case .urgent: request.moreUrgentThan = nil
        default: break
        }
        var leased = await inner.lease(request)
        switch rule {
        case .lock:
            // Leaves the rows ready, like a lease that reads before it writes.
            await giveBack(leased[...])
        case .turns:
            // Leases all slices of one campaign before the next.
            var whole = request
            whole.limit = 1_000
            while case let more = await inner.lease(whole), !more.isEmpty { leased += more }
            leased.sort { $0.slice.id < $1.slice.id }
            await giveBack(leased.dropFirst(request.limit))
            leased = Array(leased.prefix(request.limit))
        case .behind:
            // Looks only at the first parts.
            if leased.contains(where: { $0.slice.id.campaign > 150 }) {
                await giveBack(leased[...])
                leased = []
            }
        default: break
        }
        return leased
    }
    private func giveBack(_ leased: ArraySlice<(slice: SliceRow, targets: [UInt8])>) async {
        let undo = leased.map { row in
            var slice = row.slice
            slice.state = .ready
            return SliceChange(slice, from: [.leased])
        }
        _ = await inner.apply(undo)
    }
    func apply(_ changes: [SliceChange]) async throws -> [Bool] {
        var changes = changes
        for index in changes.indices {
            switch rule {
            case .active: changes[index].ifActive = nil
            case .expiry: changes[index].ifActive = changes[index].ifActive.map { _ in OutboxStoreCheck.start }
            case .seen: changes[index].seen = nil
            case .epoch: changes[index].slice.epoch = 1
            case .slice: changes[index].slice.notes = nil
            case .setBack: changes[index].slice.keyUsedAt = nil
            case .adds: changes[index].adds = []
            case .queue: if changes[index].slice.state == .ready { changes[index].slice.state = .quarantined }
            default: break
            }
        }
        if rule == .keyDates {
            // As if each change brought a new key.
            for var change in changes {
                (change.slice.key, change.slice.state) = (nil, change.from.first ?? .ready)
                _ = await inner.apply([change])
            }
        }
        let made = await inner.apply(changes)
        if rule == .effects {
            // Also applies the effects of changes that were not made.
            for change in changes where change.pausesPart != nil {
                await inner.pauseParts(of: change.slice.id.campaign, [change.slice.id.part], for: change.pausesPart)
            }
        }
        return made
    }
    func endFinished(at date: Date) async throws -> [Campaign] {
        var ended = await inner.endFinished(at: date)
        if rule == .ends {
            // Also ends campaigns with requests in flight.
            for campaign in await inner.campaigns(.all) where campaign.expiresAt.map({ $0 <= date }) ?? false {
                if await inner.move(campaign.id, from: [.active], to: .expired, at: date) { ended.append(campaign) }
            }
        }
        return ended
    }
    func prune(at date: Date, limit: Int) async throws -> Int {
        await inner.prune(at: date, limit: rule == .prune ? 1_000 : limit)
    }
}
