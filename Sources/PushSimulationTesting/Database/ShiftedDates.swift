import FoundationEssentials
import PushAdapter
import PushOutbox

/// Converts the dates of rows to another clock.
extension Date {
    func shifted(by lead: Duration?) -> Date {
        guard let lead, self != .distantPast, self != .distantFuture else { return self }
        return addingTimeInterval(lead.seconds)
    }
}

extension Campaign {
    func shifted(by lead: Duration?) -> Campaign {
        var campaign = self
        campaign.createdAt = createdAt.shifted(by: lead)
        campaign.expiresAt = expiresAt?.shifted(by: lead)
        campaign.endedAt = endedAt?.shifted(by: lead)
        for index in parts.indices { campaign.parts[index].notBefore = parts[index].notBefore.shifted(by: lead) }
        return campaign
    }

    func shifted(back lead: Duration?) -> Campaign { shifted(by: lead.map { .zero - $0 }) }
}

extension SliceRow {
    func shifted(by lead: Duration?) -> SliceRow {
        var slice = self
        slice.notBefore = notBefore.shifted(by: lead)
        slice.keyUntil = keyUntil?.shifted(by: lead)
        slice.keyUsedAt = keyUsedAt?.shifted(by: lead)
        return slice
    }

    func shifted(back lead: Duration?) -> SliceRow { shifted(by: lead.map { .zero - $0 }) }
}

extension SliceChange {
    func shifted(by lead: Duration?) -> SliceChange {
        var change = self
        change.slice = slice.shifted(by: lead)
        change.seen = seen?.shifted(by: lead)
        change.ifActive = ifActive?.shifted(by: lead)
        change.delaysPart = delaysPart?.shifted(by: lead)
        change.adds = adds.map { ($0.slice.shifted(by: lead), $0.targets) }
        return change
    }
}
