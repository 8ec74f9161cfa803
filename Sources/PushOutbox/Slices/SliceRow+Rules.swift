import FoundationEssentials
import PushAdapter
import PushClient

/// What becomes of a slice. Pure, so that each rule can be read, and tested, without a store.
extension SliceRow {
    /// Failed attempts after which a slice is given up.
    static let mostAttempts = 8
    /// Workers that may end while they have one slice alone.
    static let mostCrashes = 3
    /// Before a target whose outcome is unknown is sent to again: by then its lost request has ended.
    static let resendPause: TimeInterval = 60

    private static let firstDelay: TimeInterval = 5
    private static let longestDelay: TimeInterval = 600
    /// After a try that the worker gave up, because it or its client stops.
    private static let workerPause: TimeInterval = 1
    /// The wait for a quota that is used up, where the vendor does not say how long.
    private static let quotaPause: TimeInterval = 900

    /// What may be done about targets with an unknown outcome.
    struct Resending {
        var isAllowed: Bool
        var now: Moment
    }

    // MARK: A worker ended

    /// What is left of a slice whose worker ended: nothing was sent of one that was only leased.
    /// - Parameter wasAlone: the worker had no other slice of the route then.
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

    /// The key that the next request carries.
    var idempotencyKey: IdempotencyKey? {
        guard let key, let keyUntil else { return nil }
        return IdempotencyKey(
            key, kind: .push, mintedAt: keyUsedAt ?? .distantPast, expiresAt: keyUntil, firstUsedAt: keyUsedAt)
    }

    /// These targets may have been sent to, and their outcome is unknown. With a living key the same request may be sent again.
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
        // A worker has to add the slices of what goes on.
        state = open.isEmpty && !isMoving ? .done : .ready
    }

    private mutating func forgetKey() {
        dropKey()
        (mayHaveActed, marked) = (false, 0)
        generation += 1
    }

    /// Whether the vendor may have acted on an earlier try, and may have forgotten its key.
    func hasLostKey(at now: Moment) -> Bool { mayHaveActed && !now.remembers(keyOf: self) }

    /// The targets of the request that the kept key belongs to.
    var keyed: [Int] { open.filter { $0 < marked && outcomes[$0] == .openAgain } }

    /// Ready again, without the kept key: the vendor may have forgotten it, or its request cannot be made as it was.
    mutating func loseKey(_ resending: Resending) {
        owner = 0
        let lost = keyed
        dropKey()
        lose(lost, resending)
    }

    /// Leaves out a key that the request does not carry.
    mutating func dropKey() { (key, keyUntil, keyUsedAt, keyUptime) = (nil, nil, nil, nil) }

    /// Ready again, and nothing was sent.
    /// - Parameter error: why, for the report; nil keeps what is said there.
    func givenBack(at date: Date, because error: PushError? = nil) -> SliceRow {
        var slice = self
        (slice.state, slice.owner, slice.notBefore) = (.ready, 0, max(notBefore, date))
        if let error { slice.notes = SliceNotes(error, adding: notes).bytes }
        return slice
    }

    /// Sends the unknown targets again, because a person says so.
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

    // MARK: A try ended

    /// What a try does to the whole part, besides its slice.
    enum PartEffect: Equatable {
        case pause(String)
        case delay(Date)
    }

    /// Notes what a report says of the positions that were sent to; returns what it means for the part.
    /// - Parameters:
    ///   - random: from 0 to 1.
    ///   - movesOn: whether a message goes on at another route after such a report.
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
        // It did not end its worker.
        (owner, crashes) = (0, 0)
        notes = SliceNotes(report.error, failures.first?.kind ?? lost, since: since, adding: notes).bytes
        // What all of a slice escaped says nothing of the part.
        let isEscaped = failures.isEmpty && positions.contains { outcomes[$0].isMoving }
        let partEffect = isEscaped ? nil : partEffect(report.error, failures, at: resending.now.date)
        // The vendor named others, and takes the rest at once.
        let isWithoutNamed = open.count < openBefore && !(report.error?.vendor?.targets.isEmpty ?? true)
        let ending = Ending(
            positions: positions, failures: failures, wasSent: wasSent,
            hasSettled: positions.contains { !outcomes[$0].isOpen },
            takesRestNow: isWithoutNamed,
            isHopeless: mayHaveActed && report.error?.isForGood == true)
        finish(ending, unknown, resending, random: random)
        return partEffect
    }

    /// A target that is said to be worth another try, without a reason.
    private static let unexplained = TargetReport.Failure(PushError(.unknown, "no reason was given", retry: .backoff))

    /// What a try came to.
    private struct Ending {
        /// What was sent to.
        var positions: [Int]
        var failures: [TargetReport.Failure]
        /// Whether a request was noted.
        var wasSent: Bool
        /// Whether some targets got their outcome.
        var hasSettled: Bool
        var takesRestNow: Bool
        /// The vendor refuses for good what it may have acted on before.
        var isHopeless: Bool
    }

    private mutating func finish(_ ending: Ending, _ unknown: [Int], _ resending: Resending, random: Double) {
        let failures = ending.failures
        let pause = pause(after: failures, random: random)
        if unknown.isEmpty {
            // What was refused is not remembered, but the next request may have other targets.
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
        // Without the vendor's word it says nothing against the slice, however long it lasts.
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

    /// The vendor's time, or a random one below a bound that doubles.
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
    /// What a report says that no later try can change; nil for anything else. Without a report, it was accepted.
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

    /// What a report says of a target whose message goes on at another route.
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
    /// Whether the vendor would refuse the same request each time, whatever a person does about the part.
    fileprivate var isForGood: Bool {
        vendor != nil && retry == .never && !TargetReport.Failure(self).isAboutWholePart
    }
}

extension TargetReport {
    /// What an error says of an audience that is no list; nil if the vendor accepted it.
    fileprivate init?(ofAudience error: PushError) {
        let slice = SendPlan.Slice(index: 0, targets: [.alias("")], positions: [0])
        guard let report = slice.statuses(after: error).first else { return nil }
        self = report
    }
}
