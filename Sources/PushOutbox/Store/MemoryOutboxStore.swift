public import FoundationEssentials
import PushAdapter

/// Stores campaigns in memory: for tests, and for programs that may lose them when the process ends.
public actor MemoryOutboxStore: OutboxStore {
    private struct Kept {
        var campaign: Campaign
        var isLoadedHere = true
        var leasedAt: [Int: Int] = [:]
        var rows: [SliceRow.ID: Row] = [:]
    }

    private typealias Row = (slice: SliceRow, targets: [UInt8])

    private var kept: [Int64: Kept] = [:]
    private var names: [CampaignName: Int64] = [:]
    private var lastID: Int64 = 0
    private var leases = 0
    private var claimedBy: Int64?

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

    private func insert(_ slices: [(slice: SliceRow, targets: [UInt8])], of campaign: Int64) {
        for (slice, targets) in slices {
            var slice = slice
            slice.id.campaign = campaign
            kept[campaign]?.rows[slice.id] = (slice, targets)
        }
    }

    public func openTargets() -> Int {
        live.flatMap(\.rows.values).reduce(0) { $1.slice.state == .done ? $0 : $0 + $1.slice.open.count }
    }

    private var live: some Collection<Kept> { kept.values.lazy.filter { !$0.campaign.state.isEnded } }

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

    private func rows(of campaign: Int64) -> some Collection<Row> { (kept[campaign]?.rows ?? [:]).values }

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
            kept[campaign]?.campaign.parts[part].pausedFor = reason
            guard reason == nil else { continue }
            let quarantined = rows(of: campaign).map(\.slice).filter { $0.id.part == part && $0.state == .quarantined }
            for id in quarantined.map(\.id) {
                kept[campaign]?.rows[id]?.slice.state = .ready
                kept[campaign]?.rows[id]?.slice.crashes = 0
            }
        }
    }

    public func delayPart(of campaign: Int64, _ part: Int, until date: Date) {
        guard let old = kept[campaign]?.campaign.parts[part].notBefore else { return }
        kept[campaign]?.campaign.parts[part].notBefore = max(old, date)
    }

    // MARK: Working

    public func claim(_ worker: Int64) -> Bool {
        guard claimedBy == nil || claimedBy == worker else { return false }
        claimedBy = worker
        return true
    }

    public func renew(_ worker: Int64) -> Bool { claimedBy == worker }

    public func release(_ worker: Int64) { if claimedBy == worker { claimedBy = nil } }

    public func orphans(of worker: Int64) -> [SliceRow] {
        taken { $0 != worker }
    }

    public func leased(by worker: Int64) -> [SliceRow] { taken { $0 == worker } }

    private func taken(_ isWanted: (Int64) -> Bool) -> [SliceRow] {
        let taken = kept.values.flatMap { one in
            one.rows.values.map(\.slice).filter { [.leased, .sending].contains($0.state) && isWanted($0.owner) }
        }
        return taken.sorted { $0.id < $1.id }
    }

    public func lease(_ request: OutboxLease) -> [(slice: SliceRow, targets: [UInt8])] {
        var leased: [(slice: SliceRow, targets: [UInt8])] = []
        for (campaign, part) in open(request) where leased.count < request.limit {
            let ready = rows(of: campaign).map(\.slice).filter { slice in
                slice.id.part == part && slice.state == .ready
                    && (slice.notBefore <= request.now || slice.keyUsedAt.map { $0 > request.keysAfter } ?? false)
                    && (slice.crashes > 0) == request.wantsRecovered
            }
            let taken = ready.sorted { ($0.notBefore, $0.id) < ($1.notBefore, $1.id) }.prefix(
                request.limit - leased.count)
            guard !taken.isEmpty else { continue }
            leases += 1
            kept[campaign]?.leasedAt[part] = leases
            for slice in taken {
                kept[campaign]?.rows[slice.id]?.slice.state = .leased
                kept[campaign]?.rows[slice.id]?.slice.epoch += 1
                kept[campaign]?.rows[slice.id]?.slice.owner = request.worker
                if let row = kept[campaign]?.rows[slice.id] { leased.append(row) }
            }
        }
        return leased
    }

    /// The parts that can be leased from, in turn.
    private func open(_ request: OutboxLease) -> [(campaign: Int64, part: Int)] {
        var open: [(priority: CampaignOptions.Priority, leasedAt: Int, campaign: Int64, part: Int)] = []
        for one in kept.values
        where one.campaign.isActive(at: request.now)
            && request.moreUrgentThan.map({ one.campaign.options.priority < $0 }) ?? true
        {
            for part in one.campaign.parts
            where request.routes.contains(part.route) && part.pausedFor == nil && part.notBefore <= request.now
                && (!request.wantsOtherWays || part.patience != nil)
            {
                let priority = request.wantsOldest ? .normal : one.campaign.options.priority
                open.append(
                    (priority, one.leasedAt[part.number] ?? 0, one.campaign.id, part.number))
            }
        }
        return open.sorted { $0 < $1 }.map { ($0.campaign, $0.part) }
    }

    public func apply(_ changes: [SliceChange]) -> [Bool] {
        changes.map { change in
            let id = change.slice.id
            guard let row = kept[id.campaign]?.rows[id]?.slice, let campaign = kept[id.campaign]?.campaign,
                row.epoch == change.slice.epoch, change.from.contains(row.state),
                change.owner.map({ $0 == row.owner }) ?? true
            else { return false }
            if let date = change.ifActive {
                guard campaign.isActive(at: date), campaign.parts[id.part].pausedFor == nil else { return false }
            }
            kept[id.campaign]?.rows[id]?.slice = change.slice.keepingKey(of: row)
            if case .replace(let targets) = change.targets { kept[id.campaign]?.rows[id]?.targets = targets }
            for var added in change.adds {
                let numbers = rows(of: id.campaign).lazy.map(\.slice.id).filter { $0.part == added.slice.id.part }
                added.slice.id.number = (numbers.map(\.number).max() ?? -1) + 1
                kept[id.campaign]?.rows[added.slice.id] = added
            }
            if let reason = change.pausesPart { kept[id.campaign]?.campaign.parts[id.part].pausedFor = reason }
            if let date = change.delaysPart { delayPart(of: id.campaign, id.part, until: date) }
            return true
        }
    }

    // MARK: Keeping

    public func endFinished(at date: Date) -> [Campaign] {
        var ended: [Campaign] = []
        for one in kept.values where [.active, .paused].contains(one.campaign.state) {
            let states = one.rows.values.map(\.slice.state)
            var campaign = one.campaign
            if states.allSatisfy({ $0 == .done }) {
                campaign.state = .finished
            } else if let end = campaign.expiresAt, end <= date, !states.contains(.leased), !states.contains(.sending) {
                campaign.state = .expired
            } else {
                continue
            }
            campaign.endedAt = date
            kept[campaign.id]?.campaign = campaign
            ended.append(campaign)
        }
        return ended
    }

    public func prune(at date: Date, limit: Int) -> Int {
        let old = kept.values.first { one in
            one.campaign.endedAt.map { $0.addingTimeInterval(one.campaign.keptFor.seconds) <= date } ?? false
        }
        guard let campaign = old?.campaign else { return 0 }
        let ids = rows(of: campaign.id).map(\.slice.id).sorted().prefix(limit)
        for id in ids { kept[campaign.id]?.rows[id] = nil }
        if rows(of: campaign.id).isEmpty {
            if campaign.state == .removed {
                remove(campaign.id)
            } else {
                kept[campaign.id]?.campaign = campaign.removed
            }
        }
        return max(1, ids.count)
    }

    public func facts() -> OutboxFacts { OutboxFacts(engine: "memory") }

    private func remove(_ campaign: Int64) {
        if let name = kept.removeValue(forKey: campaign)?.campaign.name { names[name] = nil }
    }
}

extension Campaign {
    /// Whether something of it may be sent.
    fileprivate func isActive(at date: Date) -> Bool { state == .active && expiresAt.map { date < $0 } ?? true }
}
