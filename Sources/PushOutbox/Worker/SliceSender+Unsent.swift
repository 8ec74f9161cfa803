import FoundationEssentials
import PushAdapter
import PushClient

// Slices that are not sent.
extension SliceSender {
    /// A change of a leased slice of which nothing was sent.
    /// - Parameter now: when its dates were derived from the clock.
    func unsentChange(_ slice: SliceRow, at now: Moment) -> SliceChange {
        var change = SliceChange(slice, from: [.leased], owner: worker.id)
        change.datedAt = now
        return change
    }

    /// Gives back a slice whose campaign is gone.
    func giveBack(_ slice: SliceRow) async {
        let now = worker.moment
        await worker.write(unsentChange(slice.givenBack(at: now.date), at: now))
    }

    /// Gives back a slice that this worker cannot read. If a newer version wrote it, other workers may read it. If it
    /// is damaged, it waits for a person and blocks nothing else.
    func leave(
        _ slice: SliceRow, unreadable error: PushError, _ campaign: Campaign, _ part: Campaign.Part
    ) async {
        let now = worker.moment
        var left = slice.givenBack(at: now.date, because: error)
        let isNewer = error.kind == .unsupported
        if !isNewer { left.state = .quarantined }
        var change = unsentChange(left, at: now)
        if isNewer, await pauses(slice.id, because: error.message) { change.pausesPart = error.message }
        await worker.write(change)
        worker.report(
            isNewer ? .unreadable(campaign.name, reason: error.message) : .quarantined(campaign.name, slice.id))
        reportPart(change, campaign, part, reason: error.message)
    }

    /// Gives back a slice that got no key. If the vendor issues the keys of requests, wrong credentials show here
    /// first.
    func leave(
        _ slice: SliceRow, withoutKey error: PushError, _ campaign: Campaign, _ part: Campaign.Part
    ) async {
        let now = worker.moment
        var change = unsentChange(slice.givenBack(at: now.date, because: error), at: now)
        let reason = error.reason
        if TargetReport.Failure(error).needsPerson {
            if await pauses(slice.id, because: reason) { change.pausesPart = reason }
        } else {
            change.delaysPart = now.date.addingTimeInterval(Self.keyPause)
        }
        await worker.write(change)
        reportPart(change, campaign, part, reason: reason)
    }

    /// Whether to pause a part because the vendor refuses the credentials, a setting or the app.
    func pauses(_ slice: SliceRow.ID, because reason: String) async -> Bool {
        do throws(PushError) {
            let verdict = try await credentials.judge(slice)
            if verdict == .leaveRoute { worker.report(.routeLeft(route, reason: reason)) }
            return verdict == .pausePart
        } catch {
            worker.noteFailure(error)
            return true
        }
    }

    func reportPart(_ change: SliceChange, _ campaign: Campaign, _ part: Campaign.Part, reason: String) {
        if let reason = change.pausesPart {
            worker.report(.partPaused(campaign.name, part: part.number, part.route, reason: reason))
        } else if let date = change.delaysPart {
            worker.report(.partDelayed(campaign.name, part: part.number, part.route, reason: reason, until: date))
        }
    }
}
