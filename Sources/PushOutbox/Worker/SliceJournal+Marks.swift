import FoundationEssentials
import PushAdapter
import PushClient

extension SliceJournal {
    func refuseAfterSetting() {
        if row.keyUsedAt == nil, row.key != nil {
            row.dropKey()
            row.generation += 1
        }
        refusal = PushError(
            .busy, "the clock was set while the store noted that the request may be sent; nothing was sent",
            retry: .backoff)
    }

    /// After the targets behind the mark that could leave now, without a gap.
    var readyEnd: Int {
        var end = row.marked
        while asking.contains(end) { end += 1 }
        return end
    }

    func mark(_ index: Int) async {
        isCommitting = true
        defer { endCommit() }
        guard !worker.isStopping else {
            refusal = PushError(.cancelled, "the worker stops; nothing was sent")
            return
        }
        let now = worker.clock.elapsed
        if let lastMark {
            chunk = now - lastMark < Self.chunkTime ? min(mostInChunk, chunk * 2) : max(1, chunk / 2)
        }
        lastMark = now
        var next = row
        next.state = .sending
        // The second mark of a target covers no further targets.
        if row.marked <= index {
            next.marked = marksSingly ? min(end, max(index + 1, readyEnd, row.marked + chunk)) : end
        }
        let moment = worker.moment
        if next.key != nil, next.keyUsedAt == nil {
            (next.keyUsedAt, next.keyUptime) = (moment.date, moment.uptime)
            // Its life goes on whatever the clock says.
            next.keyUntil = next.keyUntil.map { moment.moved($0, from: begun) }
        }
        let count = unwritten
        var change = SliceChange(next.noted(refused.contains), from: [.leased, .sending], owner: worker.id)
        change.ifActive = moment.date
        do throws(PushError) {
            if try await worker.commits.commit(change) {
                // Then the store may have taken the dates for those of another time.
                guard !worker.moment.isAfterSetting(since: moment) else { return refuseAfterSetting() }
                if marksSingly, index >= row.marked + Self.farAhead { ahead = (index, row.marked) }
                // Keeps the outcomes that arrived during the commit.
                (row.state, row.marked) = (next.state, next.marked)
                (row.keyUsedAt, row.keyUptime, row.keyUntil) = (next.keyUsedAt, next.keyUptime, next.keyUntil)
                keptMark = now
                noteWritten(count)
            } else {
                refusal = PushError(.cancelled, "the campaign was paused or ended; nothing was sent")
            }
        } catch {
            worker.noteFailure(error)
            refusal = PushError(
                .busy, "the store could not note that the request may be sent; nothing was sent", retry: .backoff,
                underlying: error)
        }
    }
}
