import FoundationEssentials
import PushAdapter
import PushClient

// An attempt ended.
extension SliceRow {
    /// The effect of an attempt on the whole part.
    enum PartEffect: Equatable {
        case pause(String)
        case delay(Date)
    }

    /// The targets of an attempt.
    struct Sent {
        var indices: [Int]
        /// False for an audience that is no list: then the report is about all of it.
        var isList: Bool
        /// Whether the message of the target at an index moves to another route after such a report.
        var movesOn: (Int, TargetReport) -> Bool
    }

    /// Applies a report to the targets that were sent to. Returns the effect on the part.
    /// - Parameter random: a number from 0 to 1.
    mutating func settle(
        _ report: SliceReport, of sent: Sent, _ resending: Resending, random: Double
    ) -> PartEffect? {
        let indices = sent.indices
        let wasSent = state == .sending
        let reports = Dictionary(
            report.exceptions.map { ($0.position, $0) }, uniquingKeysWith: { first, _ in first })
        let openBefore = open.count
        var unknown: [Int] = []
        var lost: PushError.Kind?
        var (failures, refused): ([TargetReport.Failure], [Int]) = ([], [])
        var since: [Int: Date] = [:]
        for index in indices {
            let said = sent.isList ? reports[index] : report.error.flatMap(TargetReport.init(ofAudience:))
            if case .invalid(let date?) = said?.status { since[index] = date }
            if let said, sent.movesOn(index, said) { outcomes[index] = Outcome(ofMoving: said) }
            if outcomes[index].isMoving { continue }
            if let outcome = Outcome(ofFinal: said) {
                close([index], as: outcome)
            } else if said?.status == .unknown {
                unknown.append(index)
                lost = lost ?? said?.failure?.kind
            } else {
                let failure = said?.failure ?? Self.unexplained
                failures.append(failure)
                if failure.isRefusal { refused.append(index) }
            }
        }
        // The attempt ended without a crash.
        endLease(at: resending.now.date)
        crashes = 0
        notes = SliceNotes(report.error, failures.first?.kind ?? lost, since: since, adding: notes).bytes
        // If all failed targets move to another route, the failure does not count against the part.
        let isEscaped = failures.isEmpty && indices.contains { outcomes[$0].isMoving }
        let partEffect = isEscaped ? nil : partEffect(report.error, failures, at: resending.now.date)
        // The vendor named invalid targets, so the rest can be sent at once.
        let isWithoutNamed = open.count < openBefore && !(report.error?.vendor?.targets.isEmpty ?? true)
        let ending = Ending(
            refused: refused, failures: failures, wasSent: wasSent,
            hasSettled: indices.contains { !outcomes[$0].isOpen },
            takesRestNow: isWithoutNamed,
            isHopeless: mayHaveActed && report.error?.isForGood == true)
        finish(ending, unknown, resending, random: random)
        return partEffect
    }

    /// For a target that may be retried, but without a reason.
    private static let unexplained = TargetReport.Failure(PushError(.unknown, "no reason was given", retry: .backoff))

    /// The result of an attempt.
    private struct Ending {
        /// The targets whose failure counts against the slice.
        var refused: [Int]
        var failures: [TargetReport.Failure]
        /// Whether the store has a mark for a request.
        var wasSent: Bool
        /// Whether some targets got a final outcome.
        var hasSettled: Bool
        var takesRestNow: Bool
        /// Whether the vendor refuses for good a request that it may have acted on before.
        var isHopeless: Bool
    }

    private mutating func finish(_ ending: Ending, _ unknown: [Int], _ resending: Resending, random: Double) {
        let failures = ending.failures
        let pause = pause(after: failures, random: random)
        if unknown.isEmpty {
            // The vendor does not remember refused requests, but the next request may have other targets.
            if ending.wasSent || keyed.isEmpty { forgetKey() }
        } else {
            if ending.isHopeless { dropKey() }
            lose(unknown, resending)
        }
        guard !open.isEmpty else {
            state = .done
            return
        }
        state = .ready
        let hasFailed = failures.contains { !$0.isAboutWholePart && $0.kind.subject != .worker }
        if mayHaveActed || !ending.refused.isEmpty && ending.wasSent && !ending.hasSettled { attempts += 1 }
        if attempts >= Self.mostAttempts, !mayHaveActed {
            close(ending.refused.filter { outcomes[$0].isOpen }, as: .rejectedForNow)
            if open.isEmpty { state = .done } else { attempts = 0 }
        } else if mayHaveActed || hasFailed && !ending.takesRestNow {
            notBefore = max(notBefore, resending.now.date.addingTimeInterval(pause))
        } else if failures.contains(where: { $0.kind.subject == .worker }) {
            notBefore = max(notBefore, resending.now.date.addingTimeInterval(Self.workerPause))
        }
    }

    /// The vendor's time, or a random time below a bound that doubles.
    private func pause(after failures: [TargetReport.Failure], random: Double) -> TimeInterval {
        let hints = failures.compactMap {
            if case .after(let time) = $0.retry, time > .zero { time.asRest.seconds } else { nil }
        }
        if let hint = hints.max() { return hint }
        return min(Self.longestDelay, Self.firstDelay * Double(1 << min(attempts, 16))) * random
    }

    private func partEffect(
        _ error: PushError?, _ failures: [TargetReport.Failure], at now: Date
    ) -> PartEffect? {
        let said = error.map { TargetReport.Failure($0) }
        let all = failures + [said].compactMap { $0 }
        if let failure = all.first(where: \.needsPerson) {
            let reason = said?.needsPerson == true ? error?.reason : nil
            return .pause(reason ?? "\(failure.kind)")
        }
        guard let failure = all.first(where: { $0.kind == .quotaExhausted && !$0.isAboutTarget }) else { return nil }
        let hint: TimeInterval =
            if case .after(let time) = failure.retry { time.asRest.seconds } else { Self.quotaPause }
        return .delay(now.addingTimeInterval(hint))
    }
}

extension TargetReport.Failure {
    /// Whether it counts against the slice. Failures without an answer of the vendor do not, however long they last.
    fileprivate var isRefusal: Bool { !isAboutWholePart && ![.worker, .route].contains(kind.subject) }
}

extension SliceRow.Outcome {
    /// The outcome in a report that no retry can change; nil if a retry can. No report means accepted.
    init?(ofFinal report: TargetReport?) {
        let outcome: SliceRow.Outcome
        switch report?.status ?? .accepted {
        case .accepted: outcome = .accepted
        case .duplicate: outcome = .duplicate
        case .invalid: outcome = .invalid
        case .malformed: outcome = .malformed
        case .suspect: outcome = .suspect
        case .rejected(mayRetry: false):
            if report?.failure?.isAboutWholePart == true { return nil }
            outcome = .rejected
        case .rejected(mayRetry: true), .notAttempted, .unknown: return nil
        }
        self = report?.isSaidByVendor == true ? outcome.saidByVendor : outcome
    }

    /// The outcome of a target whose message moves to another route.
    init(ofMoving report: TargetReport) {
        let cause: SliceRow.Outcome =
            switch report.status {
            case .invalid: .invalid
            case .rejected(let mayRetry): mayRetry ? .rejectedForNow : .rejected
            default: .open
            }
        self = (report.isSaidByVendor ? cause.saidByVendor : cause).movingOn
    }
}

extension PushError {
    /// Whether the vendor would refuse the same request every time, even after a person resumed the part.
    fileprivate var isForGood: Bool {
        vendor != nil && retry == .never && !TargetReport.Failure(self).isAboutWholePart
    }
}

extension TargetReport {
    /// The report for an audience that is not a list; nil if the vendor accepted it.
    fileprivate init?(ofAudience error: PushError) {
        let slice = SendPlan.Slice(index: 0, targets: [.alias("")], positions: [0])
        guard let report = slice.statuses(after: error).first else { return nil }
        self = report
    }
}
