import PushAdapter

/// The targets of one slice that wait for their request, and the outcomes of the others.
final class SliceLine: Sendable {
    private struct State {
        var next = 0
        var end: Int
        var outcomes: Outcomes
    }

    /// A target of the slice, with its position in the caller's list.
    struct Entry: Sendable {
        /// The index in the slice. Only the line uses it.
        fileprivate let index: Int
        let target: Target
        let position: Int

        var isFirst: Bool { index == 0 }
    }

    private let slice: SendPlan.Slice
    private let state: Locked<State>

    init(_ slice: SendPlan.Slice) {
        self.slice = slice
        state = Locked(State(end: slice.targets.count, outcomes: Outcomes(slice)))
    }

    /// How many targets the slice has.
    var count: Int { slice.targets.count }

    /// The next target, nil after the last.
    func takeNext() -> Entry? {
        state.withLock { state in
            guard state.next < state.end else { return nil }
            defer { state.next += 1 }
            return entry(state.next)
        }
    }

    /// Takes the last waiting target before its turn; nil if none waits.
    func takeLast() -> Entry? {
        state.withLock { state in
            guard state.next < state.end else { return nil }
            state.end -= 1
            return entry(state.end)
        }
    }

    private func entry(_ index: Int) -> Entry {
        Entry(index: index, target: slice.targets[index], position: slice.positions[index])
    }

    func note(_ outcome: SingleOutcome, of entry: Entry) {
        state.withLock { $0.outcomes.note(outcome, of: entry) }
    }

    var report: SliceReport { state.withLock { $0.outcomes.report } }
}

/// The outcome of the request to one target.
enum SingleOutcome: Sendable {
    case accepted(SendReceipt, PreparedRequest)
    case failed(PushError, PreparedRequest)
    case notAttempted(PushError?)
}

/// The outcomes of the targets of one slice.
private struct Outcomes: Sendable {
    private let slice: SendPlan.Slice
    private var messageIDs: [Int: [MessageID]] = [:]
    private var exceptions: [TargetReport] = []
    private var failures: [PushError.Kind: Int] = [:]
    /// The first error. Its effect becomes unknown if any error has an unknown effect.
    private var error: PushError?
    private var keying: SliceReport.Keying?
    private var requestCount = 0

    init(_ slice: SendPlan.Slice) { self.slice = slice }

    mutating func note(_ outcome: SingleOutcome, of entry: SliceLine.Entry) {
        let single = SendPlan.Slice(index: slice.index, targets: [entry.target], positions: [entry.position])
        switch outcome {
        case .accepted(let receipt, let prepared):
            note(prepared)
            messageIDs[entry.index] = receipt.messageIDs
            exceptions += single.marking(receipt.exceptions)
        case .failed(let error, let prepared):
            note(prepared)
            failures[error.kind, default: 0] += 1
            exceptions += single.statuses(after: error)
            self.error = self.error ?? error
            if error.effect == .unknown { self.error?.effect = .unknown }
        case .notAttempted(let reason):
            exceptions += single.reports { _ in .notAttempted }.because(of: reason)
            error = error ?? reason
        }
    }

    private mutating func note(_ prepared: PreparedRequest) {
        if prepared.isReady { requestCount += 1 }
        if keying == nil || !prepared.keying.isKeyed { keying = prepared.keying }
    }

    var report: SliceReport {
        var report = SliceReport(
            index: slice.index, targetCount: slice.count,
            messageIDs: messageIDs.sorted { $0.key < $1.key }.flatMap(\.value),
            keying: keying ?? .unkeyed("nothing was sent"), exceptions: slice.exceptions + exceptions)
        report.requestCount = requestCount
        report.failures = failures
        if report.acceptedCount == 0 { report.error = error }
        return report
    }
}
