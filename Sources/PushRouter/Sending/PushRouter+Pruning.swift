public import FoundationEssentials
public import PushAdapter

/// The result of pruning.
public struct PruningReport: Sendable, Hashable {
    /// Dead bindings that were removed.
    public internal(set) var retired = 0
    /// Dead bindings that stay, because the app reported them after the send began, or that the store does not have,
    /// perhaps because they were removed before.
    public internal(set) var spared = 0
    /// Routes where nothing was removed, with the number of dead bindings; by events, that of the last day. Too many were dead at once, or nothing was
    /// accepted there yet, so the credentials or the environment may be wrong.
    public internal(set) var halted: [RouteName: Int] = [:]
    /// Old bindings that were removed because a migration drains and the new route has worked long enough.
    public internal(set) var drained = 0

    /// An empty report.
    public init() {}
}

extension PushRouter {
    /// Removes bindings whose vendor said that their target is gone. Takes the report of a send or of an outbox's
    /// campaign. Costs no request.
    ///
    /// Keeps bindings that the app reported after the send began, or after the date that the vendor named. Removes
    /// nothing at a route if its vendor has not yet accepted a message to a device, in this send or in another one of
    /// this router. Also removes nothing there if more than a fifth of ten or more answers say dead: then the
    /// credentials are probably wrong, not the tokens. Removes nothing at a route that the router does not have.
    ///
    /// Calls ``noteAccepted(_:at:)`` for the accepted messages of a router's report. A campaign's report does not name
    /// them, so an outbox calls it itself; see `OutboxSettings.onAccepted`.
    ///
    /// Prune again at will: bindings that are gone are counted as spared. Throws if a store fails; earlier removals
    /// stay.
    @discardableResult
    public func prune(_ report: some RoutedReport) async throws(PushError) -> PruningReport {
        var result = PruningReport()
        let answers = try await report.answers().filter { $0.value.dead > 0 }
        for (route, answers) in answers where looksLikeWrongKey(route, answers) { result.halted[route] = answers.dead }
        if answers.count > result.halted.count {
            try await report.forEachDead { (dead) async throws(PushError) in
                let retirements = dead.filter { result.halted[$0.way.route] == nil }.map {
                    Retirement($0.way, unlessBoundAfter: min($0.since ?? report.startedAt, report.startedAt))
                }
                let count = try await retire(retirements)
                result.retired += count
                result.spared += retirements.count - count
            }
        }
        result.drained = try await noteAccepted(report.acceptedTargets, at: report.startedAt)
        return result
    }

    /// A vendor calls ids of another app invalid, perhaps one a request, so only its answers count.
    private func looksLikeWrongKey(_ route: RouteName, _ answers: RouteAnswers) -> Bool {
        guard routes[route] != nil, answers.isProven || proven.withLock({ $0.contains(route) }) else { return true }
        let rule = policy.pruning
        let count = answers.dead + answers.accepted
        return count >= rule.minimumTargets && Double(answers.dead) > rule.maximumShare * Double(count)
    }

    /// Tells the router which messages vendors accepted, for its draining migrations. Costs no request, and without a
    /// draining migration nothing at all. Pruning a router's report does this; for an outbox, give it to
    /// `OutboxSettings.onAccepted`.
    ///
    /// Records when the new route's vendor first accepted a message for an installation that has an old binding too.
    /// Removes the old binding after an accepted message, once `keepsOldFor` has passed since then and since the drain
    /// began. Keeps it if the app reported it after `date`. Returns the number of removed bindings. Throws if the store
    /// fails; earlier removals stay.
    @discardableResult
    public func noteAccepted(_ ways: [RoutedTarget.Way], at date: Date) async throws(PushError) -> Int {
        let routes = Set(policy.migrations.filter { $0.drainedSince != nil }.map(\.to))
        var count = 0
        for page in ways.filter({ routes.contains($0.route) }).pages(of: Self.pageSize) {
            count += try await drain(page, at: date)
        }
        return count
    }

    private func drain(_ ways: [RoutedTarget.Way], at date: Date) async throws(PushError) -> Int {
        let accepted = try await load(ways) { try await $0.bindings(at: $1) }
        let installations = accepted.compactMap(\.installation)
        let bound = Dictionary(
            grouping: try await load(installations) { try await $0.bindings(ofInstallations: $1) }, by: \.installation)
        var new: Set<RoutedTarget.Way> = []
        var old: [Retirement] = []
        for binding in accepted where binding.installation != nil {
            for other in bound[binding.installation] ?? [] {
                guard let drain = policy.drain(from: other.route, to: binding.route) else { continue }
                guard let acceptedAt = binding.acceptedAt else {
                    new.insert(binding.way)
                    continue
                }
                let start = max(acceptedAt, drain.since)
                let isOver = start.addingTimeInterval(drain.keepsOldFor.seconds) <= date
                if isOver { old.append(Retirement(other.way, unlessBoundAfter: date)) }
            }
        }
        if !new.isEmpty {
            do { try await bindings.noteAccepted(Array(new), at: date) } catch { throw Self.unwritable(error) }
        }
        return try await retire(old)
    }

    private func retire(_ retirements: [Retirement]) async throws(PushError) -> Int {
        var count = 0
        for page in retirements.pages(of: Self.pageSize) {
            do { count += try await bindings.retire(page) } catch { throw Self.unwritable(error) }
        }
        return count
    }

    private static func unwritable(_ error: any Error) -> PushError {
        guard !(error is CancellationError) else {
            return PushError(.cancelled, "cancelled while the store of bindings was written")
        }
        return PushError(.invalidState, "the store of bindings cannot be written", underlying: error)
    }
}

extension RouterReport: RoutedReport {
    /// The targets of the installations whose message was accepted.
    public var acceptedTargets: [RoutedTarget.Way] {
        outcomes.compactMap { $0.status == .accepted ? $0.binding?.way : nil }
    }

    public func answers() -> [RouteName: RouteAnswers] {
        var answers: [RouteName: RouteAnswers] = [:]
        for way in acceptedTargets {
            answers[way.route, default: RouteAnswers()].accepted += 1
            if TargetKind(of: way.target) == .device { answers[way.route]?.isProven = true }
        }
        for one in dead { answers[one.binding.route, default: RouteAnswers()].dead += 1 }
        return answers
    }

    public func forEachDead(
        _ body: ([DeadTarget]) async throws(PushError) -> Void
    ) async throws(PushError) {
        for page in dead.pages(of: PushRouter.pageSize) {
            try await body(page.map { DeadTarget($0.binding.way, since: $0.since) })
        }
    }
}
