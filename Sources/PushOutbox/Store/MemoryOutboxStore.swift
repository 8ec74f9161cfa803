public import FoundationEssentials
import PushAdapter

/// Stores campaigns in memory: for tests, and for programs that may lose them when the process ends.
public actor MemoryOutboxStore: OutboxStore {
    struct Kept {
        var campaign: Campaign
        var isLoadedHere = true
        var leasedAt: [Int: Int] = [:]
        var rows: [SliceRow.ID: Row] = [:]
    }

    typealias Row = (slice: SliceRow, targets: [UInt8])

    var kept: [Int64: Kept] = [:]
    var names: [CampaignName: Int64] = [:]
    var lastID: Int64 = 0
    var leases = 0
    var claimedBy: Int64?

    /// An empty store.
    public init() {}

    /// Simulates a crash, for tests: no worker has a claim, and no process loads a campaign.
    package func forgetProcesses() {
        claimedBy = nil
        forgetLoaders(of: Set(kept.keys))
    }

    /// Simulates the end of the process that loads these campaigns, for tests.
    package func forgetLoaders(of campaigns: Set<Int64>) {
        for id in campaigns { kept[id]?.isLoadedHere = false }
    }

    // MARK: Enqueuing

    public func create(_ campaign: Campaign) -> (campaign: Campaign, isNew: Bool) {
        if let old = names[campaign.name].flatMap({ kept[$0] }) {
            guard old.campaign.state == .loading, !old.isLoadedHere else { return (old.campaign, false) }
            remove(old.campaign.id)
        }
        var campaign = campaign
        lastID += 1
        campaign.id = lastID
        kept[lastID] = Kept(campaign: campaign)
        names[campaign.name] = lastID
        return (campaign, true)
    }

    public func add(_ slices: [(slice: SliceRow, targets: [UInt8])], to campaign: Int64) -> Bool {
        guard kept[campaign]?.campaign.state == .loading else { return false }
        insert(slices, of: campaign)
        return true
    }

    public func activate(_ campaign: Int64) -> Bool {
        guard kept[campaign]?.campaign.state == .loading else { return false }
        kept[campaign]?.campaign.state = .active
        return true
    }

    public func abandon(_ campaign: Int64) {
        if kept[campaign]?.campaign.state == .loading { remove(campaign) }
    }

    public func submitted(for worker: Int64, routes: [RouteName], leaving left: [Int64], limit: Int) -> [Campaign] {
        let found = kept.values.map(\.campaign).filter { $0.state == .submitted && !left.contains($0.id) }
        return Array(
            found.sorted { ($0.options.priority, $0.id) < ($1.options.priority, $1.id) }.prefix(limit))
    }

    public func plan(_ planned: [PreparedCampaign]) -> [Bool] {
        planned.map { one in
            guard kept[one.campaign.id]?.campaign.state == .submitted else { return false }
            kept[one.campaign.id]?.campaign = one.campaign
            insert(one.slices, of: one.campaign.id)
            return true
        }
    }

    func insert(_ slices: [(slice: SliceRow, targets: [UInt8])], of campaign: Int64) {
        for (slice, targets) in slices {
            var slice = slice
            slice.id.campaign = campaign
            kept[campaign]?.rows[slice.id] = (slice, targets)
        }
    }

    public func openTargets() -> Int {
        live.flatMap(\.rows.values).reduce(0) { $1.slice.state == .done ? $0 : $0 + $1.slice.open.count }
    }

    var live: some Collection<Kept> { kept.values.lazy.filter { !$0.campaign.state.isEnded } }

    // MARK: Watching and operating

    public func campaigns(_ which: CampaignSelection) -> [Campaign] {
        switch which {
        case .page(let states, let last, let limit):
            let found = kept.values.map(\.campaign).filter { states.contains($0.state) && $0.id < last ?? .max }
            return Array(found.sorted { $0.id > $1.id }.prefix(limit))
        case .named(let name): return [names[name].flatMap { kept[$0]?.campaign }].compactMap(\.self)
        case .numbered(let ids): return ids.sorted(by: >).compactMap { kept[$0]?.campaign }
        }
    }

    public func counts(of campaign: Int64, part: Int?) -> OutboxCounts {
        var counts = OutboxCounts()
        for row in rows(of: campaign) where row.slice.id.part == part ?? row.slice.id.part { counts.add(row.slice) }
        return counts
    }

    func rows(of campaign: Int64) -> some Collection<Row> { (kept[campaign]?.rows ?? [:]).values }

    public func backlog(needy limit: Int) -> OutboxBacklog {
        var backlog = OutboxBacklog()
        for one in live.sorted(by: { $0.campaign.id < $1.campaign.id }) {
            backlog.oldest = backlog.oldest ?? one.campaign
            for row in one.rows.values { backlog.counts.add(row.slice) }
            let isNeedy =
                one.campaign.reason != nil || one.campaign.parts.contains { $0.pausedFor != nil }
                || one.rows.values.contains { $0.slice.state == .quarantined }
            guard isNeedy else { continue }
            backlog.needyCount += 1
            if backlog.needy.count < limit { backlog.needy.append(one.campaign) }
        }
        return backlog
    }

    public func slices(
        of campaign: Int64, with outcomes: Set<SliceRow.Outcome>, after: SliceRow.ID?, limit: Int
    ) -> [(slice: SliceRow, targets: [UInt8])] {
        let found = rows(of: campaign).filter { row in
            after.map { $0 < row.slice.id } ?? true && row.slice.outcomes.contains { outcomes.contains($0.kind) }
        }
        return Array(found.sorted { $0.slice.id < $1.slice.id }.prefix(limit))
    }

    public func waiting(of campaign: Int64, after: SliceRow.ID?, limit: Int) -> [SliceRow] {
        func waits(_ slice: SliceRow) -> Bool {
            if slice.state == .quarantined { return true }
            return slice.state == .ready && (slice.notes != nil || slice.outcomes.contains(.openAgain))
        }
        let later = rows(of: campaign).map(\.slice).filter { slice in after.map { $0 < slice.id } ?? true }
        return Array(later.filter(waits).sorted { $0.id < $1.id }.prefix(limit))
    }

    public func move(
        _ campaign: Int64, from states: Set<Campaign.State>, to state: Campaign.State, at date: Date
    ) -> Bool {
        guard let old = kept[campaign]?.campaign.state, states.contains(old) else { return false }
        kept[campaign]?.campaign.state = state
        kept[campaign]?.campaign.endedAt = state.isEnded ? date : nil
        return true
    }

    public func pauseParts(of campaign: Int64, _ parts: [Int], for reason: String?) {
        for part in parts {
            change(part, of: campaign) { $0.pausedFor = reason }
            guard reason == nil else { continue }
            let quarantined = rows(of: campaign).map(\.slice).filter { $0.id.part == part && $0.state == .quarantined }
            for id in quarantined.map(\.id) {
                kept[campaign]?.rows[id]?.slice.state = .ready
                kept[campaign]?.rows[id]?.slice.crashes = 0
            }
        }
    }

    public func delayPart(of campaign: Int64, _ part: Int, until date: Date) {
        change(part, of: campaign) { $0.notBefore = max($0.notBefore, date) }
    }

    /// Changes a part, unless it is gone with its campaign's report.
    func change(_ part: Int, of campaign: Int64, _ edit: (inout Campaign.Part) -> Void) {
        guard let index = kept[campaign]?.campaign.parts.firstIndex(where: { $0.number == part }),
            var changed = kept[campaign]?.campaign.parts[index]
        else { return }
        edit(&changed)
        kept[campaign]?.campaign.parts[index] = changed
    }
}
