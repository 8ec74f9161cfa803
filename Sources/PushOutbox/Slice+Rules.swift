import FoundationEssentials
import PushClient
import PushCore

/// What becomes of a slice. Pure, so that each rule can be read, and tested, without a store.
extension Slice {
    /// Tries of which nothing came before a slice is given up.
    static let mostTries = 8
    /// Workers that may end while they try one slice alone.
    static let mostDeaths = 3
    /// Before a target whose outcome nobody knows is sent to again: its lost request has ended by then.
    static let resendPause: TimeInterval = 60

    private static let firstDelay: TimeInterval = 5
    private static let longestDelay: TimeInterval = 600
    /// After a try that the worker gave up, because it or its client stops.
    private static let workerPause: TimeInterval = 1
    /// The wait for a quota that is used up, where the vendor does not say how long.
    private static let quotaPause: TimeInterval = 900

    /// What may be done about targets whose outcome nobody knows.
    struct Resending {
        var isAllowed: Bool
        var now: Date
    }

    // MARK: A worker ended

    /// What is left of a slice whose worker ended: nothing was sent of one that was only leased.
    /// - Parameter wasAlone: no other slice was tried then.
    func recovered(wasAlone: Bool, _ resending: Resending) -> Slice {
        var slice = self
        slice.owner = 0
        guard state == .trying else {
            slice.state = .ready
            return slice
        }
        slice.deaths = wasAlone ? deaths + 1 : max(1, deaths)
        slice.lose(open.filter { $0 < marked }, resending)
        if slice.state == .ready, slice.deaths >= Self.mostDeaths { slice.state = .held }
        return slice
    }

    private func isKeyAlive(at now: Date) -> Bool { key != nil && keyUntil.map { now < $0 } ?? false }

    /// These targets may have been sent, and nobody knows. With a living key the same request may be sent again.
    private mutating func lose(_ positions: [Int], _ resending: Resending) {
        marked = 0
        if isKeyAlive(at: resending.now), !positions.isEmpty {
            mayHaveActed = true
            for position in positions { outcomes[position] = .openAgain }
            state = .ready
            return
        }
        forgetKey()
        if resending.isAllowed, resent == 0, !positions.isEmpty {
            resent = positions.count
            for position in positions { outcomes[position] = .openAgain }
            notBefore = resending.now.addingTimeInterval(Self.resendPause)
        } else {
            close(positions, as: .unknown)
        }
        state = open.isEmpty ? .done : .ready
    }

    private mutating func forgetKey() {
        (key, keyUntil, keyUsedAt) = (nil, nil, nil)
        mayHaveActed = false
        generation += 1
    }

    /// Sends the unknown targets again, because a person says so.
    mutating func resendUnknown(at now: Date) {
        for position in outcomes.indices where outcomes[position].kind == .unknown {
            outcomes[position] = .openAgain
            resent += 1
        }
        forgetKey()
        (state, tries, deaths) = (.ready, 0, 0)
        notBefore = now.addingTimeInterval(Self.resendPause)
    }

    // MARK: A try ended

    /// What a try does to the whole part, besides its slice.
    enum LegEffect: Equatable {
        case pause(String)
        case delay(Date)
    }

    /// Notes what a report says of the positions that were to be sent; returns what it means for the part.
    /// - Parameter random: from 0 to 1.
    mutating func settle(
        _ report: SliceReport, of positions: [Int], isList: Bool, _ resending: Resending, random: Double
    ) -> LegEffect? {
        let wasSent = marked > 0
        let reports = Dictionary(
            report.exceptions.map { ($0.position, $0) }, uniquingKeysWith: { first, _ in first })
        let openBefore = open.count
        var unknown: [Int] = []
        var failures: [TargetReport.Failure] = []
        var since: [Int: Date] = [:]
        for position in positions {
            let said = isList ? reports[position] : report.error.flatMap(TargetReport.init(ofAudience:))
            if let outcome = Outcome(ofFinal: said) {
                close([position], as: outcome)
                if case .invalid(let date?) = said?.status { since[position] = date }
            } else if said?.status == .unknown {
                unknown.append(position)
            } else if let failure = said?.failure {
                failures.append(failure)
            }
        }
        owner = 0
        notes = SliceNotes(report.error, since: since, adding: notes).bytes
        let legEffect = legEffect(report.error, failures, at: resending.now)
        // The vendor named others, and takes the rest at once.
        let isWithoutNamed = open.count < openBefore && !(report.error?.vendor?.invalidTargets.isEmpty ?? true)
        finish(
            unknown, failures, wasSent: wasSent, takesRestNow: isWithoutNamed, resending, random: random)
        return legEffect
    }

    private mutating func finish(
        _ unknown: [Int], _ failures: [TargetReport.Failure], wasSent: Bool, takesRestNow: Bool,
        _ resending: Resending, random: Double
    ) {
        let pause = pause(after: failures, random: random)
        if unknown.isEmpty {
            marked = 0
            // What was refused is not remembered, but the next request may have other targets.
            if wasSent { forgetKey() }
        } else {
            lose(unknown, resending)
        }
        guard !open.isEmpty else {
            state = .done
            return
        }
        state = .ready
        let isAboutSlice = failures.contains { !$0.isAboutLeg && !$0.isAboutWorker }
        if mayHaveActed || isAboutSlice && wasSent && !takesRestNow { tries += 1 }
        if tries >= Self.mostTries, !mayHaveActed {
            close(open, as: .rejectedForNow)
            state = .done
        } else if mayHaveActed || isAboutSlice && !takesRestNow {
            notBefore = max(notBefore, resending.now.addingTimeInterval(pause))
        } else if failures.contains(where: \.isAboutWorker) {
            notBefore = max(notBefore, resending.now.addingTimeInterval(Self.workerPause))
        }
    }

    /// The vendor's time, or a random one below a bound that doubles.
    private func pause(after failures: [TargetReport.Failure], random: Double) -> TimeInterval {
        let hints = failures.compactMap {
            if case .after(let time) = $0.retry, time > .zero { time.seconds } else { nil }
        }
        if let hint = hints.max() { return hint }
        return min(Self.longestDelay, Self.firstDelay * Double(1 << min(tries, 16))) * random
    }

    private func legEffect(
        _ error: PushError?, _ failures: [TargetReport.Failure], at now: Date
    ) -> LegEffect? {
        let all = failures + (error.map { [TargetReport.Failure($0)] } ?? [])
        if let failure = all.first(where: \.pausesLeg) {
            return .pause(error.map { "\($0.kind): \($0.message)" } ?? "\(failure.kind)")
        }
        guard let failure = all.first(where: { $0.kind == .quotaExhausted }) else { return nil }
        let hint: TimeInterval = if case .after(let time) = failure.retry { time.seconds } else { Self.quotaPause }
        return .delay(now.addingTimeInterval(hint))
    }
}

extension Slice.Outcome {
    /// What a report says that no later try can change; nil for anything else. Without a report, it was accepted.
    init?(ofFinal report: TargetReport?) {
        let outcome: Slice.Outcome
        switch report?.status ?? .accepted {
        case .accepted: outcome = .accepted
        case .duplicate: outcome = .duplicate
        case .invalid: outcome = .invalid
        case .suspect: outcome = .suspect
        case .rejected(mayRetry: false):
            if report?.failure?.isAboutLeg == true { return nil }
            outcome = .rejected
        case .rejected(mayRetry: true), .notAttempted, .unknown: return nil
        }
        self = report?.isSaidByVendor == true ? outcome.saidByVendor : outcome
    }
}

extension TargetReport.Failure {
    /// Whether every slice of the part would fail the same way until a person does something.
    var pausesLeg: Bool { [.unauthorized, .blocked, .misconfigured].contains(kind) }
    /// Whether the worker, or its client, stops.
    fileprivate var isAboutWorker: Bool { [.cancelled, .stopped].contains(kind) }
    /// Whether it says nothing against the slice.
    fileprivate var isAboutLeg: Bool { pausesLeg || kind == .quotaExhausted }
}

extension TargetReport {
    /// What an error says of an audience that is no list; nil if the vendor accepted it.
    fileprivate init?(ofAudience error: PushError) {
        let slice = SendPlan.Slice(index: 0, targets: [.alias("")], positions: [0])
        guard let report = slice.statuses(after: error).first else { return nil }
        self = report
    }
}
