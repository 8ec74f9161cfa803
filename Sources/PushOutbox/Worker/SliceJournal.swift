import FoundationEssentials
import PushAdapter
import PushClient

/// Records in a slice's row how far its targets may have been sent, before they are.
///
/// If each target has a request of its own, a mark covers a chunk of targets, and writes the outcomes known so far. A
/// mark for each target would take too many commits. One mark for all would leave too many unknown targets after a
/// crash. Outcomes do not wait long for the next mark, because the last mark has no next.
actor SliceJournal {
    /// The number of targets that the first mark of an attempt covers.
    static let firstChunk = 8
    /// A target that is sent to this far before its turn does not get the targets in between marked for good.
    static let farAhead = 100
    /// A chunk is as large as the number of targets that are sent to within this time.
    static let chunkTime = Duration.milliseconds(100)
    /// After this time a mark is too old to send, because another worker may have the slice by now. Counting the time
    /// that a transport has to write, a request leaves at most 20 seconds after its mark was requested.
    static let longestMark = Duration.seconds(20) - TransportRequest.longestLeave
    /// Outcomes are written after this time, or when `mostUnwritten` are waiting.
    static let longestUnwritten = Duration.milliseconds(250)
    static let mostUnwritten = 100
    /// The pause before calling a store again that failed.
    static let failurePause = Duration.seconds(1)

    let worker: OutboxWorker
    let work: SliceWork
    let marksSingly: Bool
    /// The most targets that a mark covers besides those that are ready to be sent to.
    let mostInChunk: Int
    /// The index after the last target of this attempt.
    let end: Int
    /// When the key was given.
    let begun: Moment
    /// As it is in the store, but for outcomes.
    var row: SliceRow
    var chunk = SliceJournal.firstChunk
    /// When the last mark was requested, and when the last stored mark was requested.
    var lastMark: Duration?
    var keptMark: Duration?
    var isCommitting = false
    var refusal: PushError?
    /// Targets before the mark that the vendor refused without effect, so that they can be sent to again.
    var refused: Set<Int> = []
    /// Targets whose requests wait for their mark and can leave after it.
    var asking: Set<Int> = []
    var waiting: [CheckedContinuation<Void, Never>] = []
    /// Outcomes that the store does not have yet, and when they must be written.
    var unwritten = 0
    var writesAt: Duration?
    var writing: Task<Void, Never>?
    var hasEnded = false
    /// A target that is sent to far before its turn, and the mark without it, which is valid again once its outcome is
    /// known.
    var ahead: (index: Int, mark: Int)?

    /// - Parameters:
    ///   - batch: the targets of this attempt.
    ///   - slices: the number of slices that are sent at once at the route. They share the limit of targets that a
    ///     crash may leave unknown.
    init(_ task: SliceTask, batch: SendPlan.Slice, slices: Int?, _ worker: OutboxWorker) {
        (row, work, self.worker, marksSingly) = (task.row, task.work, worker, slices != nil)
        mostInChunk = max(Self.firstChunk, 100 / (slices ?? 1))
        begun = task.begun
        end = batch.positions.last.map { $0 + 1 } ?? task.row.outcomes.count
        if row.mayHaveActed { refused = Set(row.open).subtracting(batch.positions) }
    }

    /// Returns when the store has recorded that the target may have been sent. Throws if it must not be sent.
    ///
    /// A target may wait until its mark is too old, for example for a quota. Then it gets a new mark, because others
    /// may have taken the slice since.
    /// - Parameter isKeyed: whether the request carries the key of the row.
    func noteMaySend(_ index: Int, isKeyed: Bool) async throws(PushError) {
        if !isKeyed, row.key != nil {
            guard !row.mayHaveActed else {
                throw PushError(
                    .invalidState, "the vendor may have acted, and this request carries no key; nothing was sent")
            }
            row.dropKey()
        }
        var hasMarked = false
        asking.insert(index)
        defer { asking.remove(index) }
        while row.marked <= index || isOld {
            if let refusal { throw refusal }
            if isCommitting {
                await withCheckedContinuation { waiting.append($0) }
            } else if hasMarked {
                throw PushError(
                    .busy, "the store took too long to note that the request may be sent; nothing was sent",
                    retry: .backoff)
            } else {
                await mark(index)
                hasMarked = true
            }
        }
        // Its mark covers this one as well.
        if let one = ahead, index != one.index { ahead?.mark = max(one.mark, index + 1) }
    }

    var isOld: Bool { keptMark.map { worker.clock.elapsed - $0 >= Self.longestMark } ?? true }

    /// Notes the outcome of a target that had a request of its own; nil if it was accepted. The next mark writes it if
    /// it comes soon. The end of the attempt decides about outcomes that are not final.
    func noteOutcome(_ report: TargetReport?, of index: Int) {
        var isKnown = true
        if let report, work.movesOn(index, report, in: row) {
            row.outcomes[index] = SliceRow.Outcome(ofMoving: report)
        } else if let outcome = SliceRow.Outcome(ofFinal: report) {
            row.close([index], as: outcome)
            // The slice makes progress, so it is not the cause of crashes.
            row.crashes = 0
        } else if report?.status != .unknown {
            refused.insert(index)
        } else {
            isKnown = false
        }
        // The targets in between were not sent to, and would become unknown if the worker died now.
        if let one = ahead, one.index == index {
            ahead = nil
            if isKnown { row.marked = min(row.marked, one.mark) }
        }
        if isKnown { writeSoon() }
    }

    /// Writes nothing more and returns the latest row.
    func end() async -> SliceRow {
        hasEnded = true
        writing?.cancel()
        while isCommitting { await withCheckedContinuation { waiting.append($0) } }
        return row
    }

    // MARK: Outcomes

    private func writeSoon() {
        guard row.state == .sending, !hasEnded else { return }
        unwritten += 1
        writesAt = writesAt ?? worker.clock.elapsed + Self.longestUnwritten
        // Enough outcomes are waiting, so the write need not wait for its time.
        if unwritten == Self.mostUnwritten { writing?.cancel() } else if writing != nil { return }
        writing = Task { await writeWhenDue() }
    }

    private func writeWhenDue() async {
        while let due = writesAt, !hasEnded {
            let rest = due - worker.clock.elapsed
            if rest > .zero, unwritten < Self.mostUnwritten {
                do { try await worker.clock.expire(after: rest) } catch { return }
            } else {
                await write()
            }
        }
        if !Task.isCancelled { writing = nil }
    }

    /// Writes the known outcomes without a mark.
    private func write() async {
        guard !isCommitting else { return await withCheckedContinuation { waiting.append($0) } }
        isCommitting = true
        defer { endCommit() }
        let count = unwritten
        let change = SliceChange(row.noted(refused.contains), from: [.sending], owner: worker.id)
        do throws(PushError) {
            // If the store refuses, others have the slice. The end of the attempt handles that.
            if try await worker.commits.commit(change) { noteWritten(count) } else { hasEnded = true }
        } catch {
            worker.noteFailure(error)
            writesAt = worker.clock.elapsed + Self.failurePause
            unwritten = 1
        }
    }

    func noteWritten(_ count: Int) {
        unwritten -= count
        writesAt = unwritten > 0 ? worker.clock.elapsed + Self.longestUnwritten : nil
    }

    func endCommit() {
        isCommitting = false
        for one in waiting { one.resume() }
        waiting = []
    }
}
