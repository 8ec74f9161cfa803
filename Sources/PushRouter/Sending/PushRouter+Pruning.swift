import FoundationEssentials
public import PushAdapter

/// What pruning did.
public struct PruningReport: Sendable, Hashable {
    /// Dead bindings that were removed.
    public internal(set) var retired = 0
    /// Dead bindings that stay, because they were bound after the send began, or are gone already.
    public internal(set) var spared = 0
    /// Routes of which nothing was removed, with their dead: too many at once, or nothing was accepted there yet, so the key
    /// or the environment may be wrong.
    public internal(set) var halted: [RouteName: Int] = [:]
    /// Old bindings that were removed because a migration drains and the new route has worked for long enough.
    public internal(set) var drained = 0

    /// A report of nothing.
    public init() {}
}

extension PushRouter {
    /// Removes the bindings whose vendor said in a send that their target is gone, and those that a draining migration has
    /// left behind. Costs no request.
    ///
    /// Keeps what was bound after the send began, or after the date that the vendor named. Removes nothing of a route whose
    /// vendor has not yet accepted a message to a device from this router, or if more than a fifth of ten or more answers say
    /// dead: then the credentials are probably wrong, not the tokens. Of a migration that drains, notes when the new route's vendor first
    /// accepted a message for an installation, and removes the old binding at an accepted send when `keepsOldFor` has passed
    /// since then and since the drain began. Throws if the store fails; what was removed before stays removed.
    @discardableResult
    public func prune(_ report: RouterReport) async throws(PushError) -> PruningReport {
        var result = PruningReport()
        for (route, dead) in Dictionary(grouping: report.dead, by: \.binding.route) {
            guard !looksLikeWrongKey(route, dead.count, report) else {
                result.halted[route] = dead.count
                continue
            }
            let count = try await retire(
                dead.map {
                    Retirement($0.binding, unlessBoundAfter: min($0.since ?? report.startedAt, report.startedAt))
                })
            result.retired += count
            result.spared += dead.count - count
        }
        result.drained = try await drain(report)
        return result
    }

    /// A vendor calls the ids of another app invalid, perhaps one in a request, so only what it answered counts.
    private func looksLikeWrongKey(_ route: RouteName, _ dead: Int, _ report: RouterReport) -> Bool {
        guard proven.withLock({ $0.contains(route) }) else { return true }
        let rule = policy.pruning
        let answers = dead + report.accepted(at: route)
        return answers >= rule.minimumTargets && Double(dead) > rule.maximumShare * Double(answers)
    }

    private func drain(_ report: RouterReport) async throws(PushError) -> Int {
        var new: [Binding] = []
        var old: [Retirement] = []
        for pair in report.drained {
            if let acceptedAt = pair.new.acceptedAt {
                let start = max(acceptedAt, pair.since)
                let isOver = start.addingTimeInterval(pair.keepsOldFor.seconds) <= report.startedAt
                if isOver { old.append(Retirement(pair.old, unlessBoundAfter: report.startedAt)) }
            } else {
                new.append(pair.new)
            }
        }
        for page in new.pages(of: Self.pageSize) {
            do { try await bindings.noteAccepted(page, at: report.startedAt) } catch { throw Self.unwritable(error) }
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
