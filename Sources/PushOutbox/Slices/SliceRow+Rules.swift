import FoundationEssentials
import PushAdapter
import PushClient

/// The rules of a slice. They are pure functions, so you can read and test each one without a store.
extension SliceRow {
    /// Failed attempts after which a slice is given up.
    static let mostAttempts = 8
    /// Crashes after which a slice is quarantined.
    static let mostCrashes = 3
    /// The delay before resending to a target with an unknown outcome. By then the lost request has ended.
    static let resendPause: TimeInterval = 60

    private static let firstDelay: TimeInterval = 5
    private static let longestDelay: TimeInterval = 600
    /// The pause after an attempt that was given up because the worker or its client stops.
    private static let workerPause: TimeInterval = 1
    /// The pause after a quota is used up, if the vendor names no time.
    private static let quotaPause: TimeInterval = 900

    /// The rules for targets with an unknown outcome.
    struct Resending {
        var isAllowed: Bool
        var now: Moment
    }

    // MARK: A worker died

    /// The slice after its worker died. If the slice was only leased, nothing of it was sent.
    /// - Parameter wasAlone: whether the worker had no other slice of the route.
    func recovered(wasAlone: Bool, _ resending: Resending) -> SliceRow {
        var slice = self
        slice.owner = 0
        slice.state = .ready
        slice.crashes = wasAlone ? crashes + 1 : max(1, crashes)
        if state == .sending {
            // What was noted is about an earlier try.
            slice.notes = SliceNotes(nil, adding: notes).bytes
            slice.lose(keyed, resending)
        }
        if slice.state == .ready, slice.crashes >= Self.mostCrashes { slice.state = .quarantined }
        return slice
    }

    /// The key of the next request.
    var idempotencyKey: IdempotencyKey? {
        guard let key, let keyUntil else { return nil }
        return IdempotencyKey(
            key, kind: .push, mintedAt: keyUsedAt ?? .distantPast, expiresAt: keyUntil, firstUsedAt: keyUsedAt)
    }

    /// Handles targets that may have been sent and have an unknown outcome. While the vendor remembers the key, the
    /// same request may be sent again.
    private mutating func lose(_ positions: [Int], _ resending: Resending) {
        if resending.now.remembers(keyOf: self), !positions.isEmpty {
            mayHaveActed = true
            for position in positions { outcomes[position] = .openAgain }
            state = .ready
            return
        }
        // Those that counted while the key was kept say nothing against what follows.
        if mayHaveActed { attempts = 0 }
        forgetKey()
        if resending.isAllowed, resent == 0, !positions.isEmpty {
            resent = positions.count
            for position in positions { outcomes[position] = .openAgain }
            notBefore = resending.now.date.addingTimeInterval(Self.resendPause)
        } else {
            close(positions, as: .unknown)
        }
        // Still ready if messages move on: a worker must add their slices.
        state = open.isEmpty && !isMoving ? .done : .ready
    }

    private mutating func forgetKey() {
        dropKey()
        (mayHaveActed, marked) = (false, 0)
        generation += 1
    }

    /// Whether the vendor may have acted on an earlier attempt, and may have forgotten its key.
    func hasLostKey(at now: Moment) -> Bool { mayHaveActed && !now.remembers(keyOf: self) }

    /// The targets of the request that carried the stored key.
    var keyed: [Int] { open.filter { $0 < marked && outcomes[$0] == .openAgain } }

    /// Makes the slice ready again without the stored key: the vendor may have forgotten it, or the same request cannot
    /// be made again.
    mutating func loseKey(_ resending: Resending) {
        owner = 0
        let lost = keyed
        dropKey()
        lose(lost, resending)
    }

    /// Removes a key that the request does not carry.
    mutating func dropKey() { (key, keyUntil, keyUsedAt, keyUptime) = (nil, nil, nil, nil) }

    /// Returns the slice ready again, with nothing sent.
    /// - Parameter error: the reason for the report; nil keeps the one that is there.
    func givenBack(at date: Date, because error: PushError? = nil) -> SliceRow {
        var slice = self
        (slice.state, slice.owner, slice.notBefore) = (.ready, 0, max(notBefore, date))
        if let error { slice.notes = SliceNotes(error, adding: notes).bytes }
        return slice
    }

    /// Makes the unknown targets open again, because a person asked for it.
    mutating func resendUnknown(at now: Date) {
        for position in outcomes.indices where outcomes[position].kind == .unknown {
            outcomes[position] = .openAgain
            resent += 1
        }
        forgetKey()
        notes = SliceNotes(nil, adding: notes).bytes
        (state, attempts, crashes) = (.ready, 0, 0)
        notBefore = now.addingTimeInterval(Self.resendPause)
    }

    // MARK: An attempt ended

    /// The effect of an attempt on the whole part.
    enum PartEffect: Equatable {
        case pause(String)
        case delay(Date)
    }

    /// Applies a report to the positions that were sent to. Returns the effect on the part.
    /// - Parameters:
    ///   - random: a number from 0 to 1.
    ///   - movesOn: whether the message moves to another route after such a report.
    mutating func settle(
        _ report: SliceReport, of positions: [Int], isList: Bool, _ resending: Resending, random: Double,
        movesOn: (Int, TargetReport) -> Bool
    ) -> PartEffect? {
        let wasSent = state == .sending
        let reports = Dictionary(
            report.exceptions.map { ($0.position, $0) }, uniquingKeysWith: { first, _ in first })
        let openBefore = open.count
        var unknown: [Int] = []
        var lost: PushError.Kind?
        var failures: [TargetReport.Failure] = []
        var since: [Int: Date] = [:]
        for position in positions {
            let said = isList ? reports[position] : report.error.flatMap(TargetReport.init(ofAudience:))
            if case .invalid(let date?) = said?.status { since[position] = date }
            if let said, movesOn(position, said) { outcomes[position] = Outcome(ofMoving: said) }
            if outcomes[position].isMoving { continue }
            if let outcome = Outcome(ofFinal: said) {
                close([position], as: outcome)
            } else if said?.status == .unknown {
                unknown.append(position)
                lost = lost ?? said?.failure?.kind
            } else {
                failures.append(said?.failure ?? Self.unexplained)
            }
        }
        // The attempt ended without a crash.
        (owner, crashes) = (0, 0)
        notes = SliceNotes(report.error, failures.first?.kind ?? lost, since: since, adding: notes).bytes
        // If all failed targets move to another route, the failure does not count against the part.
        let isEscaped = failures.isEmpty && positions.contains { outcomes[$0].isMoving }
        let partEffect = isEscaped ? nil : partEffect(report.error, failures, at: resending.now.date)
        // The vendor named invalid targets, so the rest can be sent at once.
        let isWithoutNamed = open.count < openBefore && !(report.error?.vendor?.targets.isEmpty ?? true)
        let ending = Ending(
            positions: positions, failures: failures, wasSent: wasSent,
            hasSettled: positions.contains { !outcomes[$0].isOpen },
            takesRestNow: isWithoutNamed,
            isHopeless: mayHaveActed && report.error?.isForGood == true)
        finish(ending, unknown, resending, random: random)
        return partEffect
    }

    /// For a target that may be retried, but without a reason.
    private static let unexplained = TargetReport.Failure(PushError(.unknown, "no reason was given", retry: .backoff))

    /// The result of an attempt.
    private struct Ending {
        /// The positions that were sent to.
        var positions: [Int]
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
        // Failures without an answer of the vendor do not count against the slice, however long they last.
        let isRefused = failures.contains { !$0.isAboutWholePart && ![.worker, .route].contains($0.kind.subject) }
        if mayHaveActed || isRefused && ending.wasSent && !ending.hasSettled { attempts += 1 }
        if attempts >= Self.mostAttempts, !mayHaveActed {
            close(ending.positions.filter { outcomes[$0].isOpen }, as: .rejectedForNow)
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
            if case .after(let time) = $0.retry, time > .zero { time.seconds } else { nil }
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
        let hint: TimeInterval = if case .after(let time) = failure.retry { time.seconds } else { Self.quotaPause }
        return .delay(now.addingTimeInterval(hint))
    }
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
