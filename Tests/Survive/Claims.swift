import PushAdapter

/// The client's report about each unit, to compare with the server's facts once the server is quiet.
final class Claims: Sendable {
    enum Claim: String {
        case accepted, notApplied
        /// Not applied, because the vendor reported the target as gone.
        case dead
        /// The client believed no response, although it had time for one.
        case unknown
    }

    private let claims = Locked<[(unit: String, claim: Claim, call: String)]>([])

    func add(_ unit: String, _ claim: Claim, _ call: String) { claims.withLock { $0.append((unit, claim, call)) } }

    /// Records a report's status of each target. A target that is safe to resend is recorded only after the last send.
    func note(_ report: SendReport, _ targets: [Target], _ call: String, isLast: Bool) {
        let exceptions = Dictionary(report.exceptions.map { ($0.target, $0.status) }) { first, _ in first }
        let again = Set(report.retryable())
        for target in targets {
            note(
                exceptions[target] ?? .accepted, target, call,
                isLast: isLast || !again.contains(target))
        }
    }

    func note(_ status: TargetStatus, _ target: Target, _ call: String, isLast: Bool = true) {
        switch status {
        case .accepted: add(target.unit, .accepted, call)
        case .unknown, .duplicate: break
        case .invalid: add(target.unit, .dead, call)
        case .malformed, .suspect, .rejected, .notAttempted:
            if isLast { add(target.unit, .notApplied, call) }
        }
    }

    /// Compares the claims with a vendor's facts. Returns the tally of its responses.
    /// - Parameters:
    ///   - isOnce: whether every unit may arrive only once.
    ///   - isOneProcess: whether all provider tokens come from one process, which respects the minimum age of each.
    func compare(
        _ vendor: HostileVendor, _ findings: Findings, _ name: String, isOnce: Bool = true, isOneProcess: Bool = true
    ) -> Findings.Tally {
        let facts = vendor.facts.withLock { $0 }
        var tally = Findings.Tally()
        (tally.finished, tally.resetsOfFinished) = (facts.finished, facts.resetsOfFinished)
        func story(_ unit: String) -> String {
            "\(unit.prefix(16)) (\(facts.history[unit, default: []].map(\.rawValue).joined(separator: ", ")))"
        }
        for (unit, claim, call) in claims.withLock({ $0 }) {
            let acted = facts.acted[unit, default: 0]
            let fault: String? =
                switch claim {
                case .notApplied where acted > 0: "not applied, and was carried out"
                case .dead where acted > 0: "gone, and was carried out"
                case .dead where !facts.dead.contains(unit): "gone, and the vendor did not say so of it"
                case .accepted where acted == 0: "accepted, and was not carried out"
                case .accepted where !facts.said.contains(unit): "accepted, and no answer said so"
                default: nil
                }
            if claim == .accepted { tally.accepted += 1 }
            if facts.history[unit]?.last == .honest, !facts.cut.contains(unit) {
                tally.honest += 1
                if claim == .unknown { tally.unbelieved += 1 }
            }
            if let fault { findings.violate("\(name): \(call) \(story(unit)) is called \(fault)") }
        }
        // Tags may be written again; a message must arrive only once.
        for (unit, count) in facts.acted where isOnce && count > 1 && !facts.tags.contains(unit) {
            findings.violate("\(name): \(story(unit)) arrived \(count) times")
        }
        if facts.trapped > 0 { findings.violate("\(name): \(facts.trapped) requests followed a redirect") }
        if facts.strangers > 0 { findings.violate("\(name): \(facts.strangers) sends had no token of the vendor") }
        let ages = facts.signedAt.sorted()
        for (earlier, later) in zip(ages, ages.dropFirst()) where isOneProcess && later - earlier < 1_199 {
            findings.violate("\(name): the provider token changed after \(later - earlier) seconds")
        }
        findings.state.withLock { state in
            state.faults.merge(facts.faults, uniquingKeysWith: +)
            state.requests += facts.requests
            state.resets += facts.resets
            state.outcomes["access tokens", default: 0] += facts.tokenRequests + ages.count
            state.outcomes["requests with a token that had ended", default: 0] += facts.refusedTokens
            state.outcomes["targets that were gone", default: 0] += facts.dead.count
            state.accepted[vendor.kind, default: 0] += tally.accepted
        }
        return tally
    }
}
