public import FoundationEssentials
import PushAdapter

extension MemoryOutboxStore {
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

    public func leased(by worker: Int64?) -> [SliceRow] { taken { $0 == worker ?? $0 } }

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
                guard campaign.isActive(at: date), let part = campaign.part(id.part), part.pausedFor == nil else {
                    return false
                }
            }
            if let seen = change.seen, seen.marked != row.marked || seen.outcomes != row.outcomes { return false }
            kept[id.campaign]?.rows[id]?.slice = change.slice.keepingKey(of: row)
            if case .replace(let targets) = change.targets { kept[id.campaign]?.rows[id]?.targets = targets }
            for var added in change.adds {
                let numbers = rows(of: id.campaign).lazy.map(\.slice.id).filter { $0.part == added.slice.id.part }
                added.slice.id.number = (numbers.map(\.number).max() ?? -1) + 1
                kept[id.campaign]?.rows[added.slice.id] = added
            }
            if let reason = change.pausesPart { self.change(id.part, of: id.campaign) { $0.pausedFor = reason } }
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

    public func facts() -> OutboxFacts {
        var facts = OutboxFacts(engine: "memory")
        facts.workers = [claimedBy].compactMap(\.self).map { .init(id: $0, host: "this process", remaining: nil) }
        return facts
    }

    func remove(_ campaign: Int64) {
        if let name = kept.removeValue(forKey: campaign)?.campaign.name { names[name] = nil }
    }
}

extension Campaign {
    /// Whether something of it may be sent.
    fileprivate func isActive(at date: Date) -> Bool { state == .active && expiresAt.map { date < $0 } ?? true }
}
