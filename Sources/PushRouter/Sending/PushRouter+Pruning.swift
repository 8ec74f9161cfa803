import FoundationEssentials
public import PushAdapter

/// The result of pruning.
public struct PruningReport: Sendable, Hashable {
    /// Dead bindings that were removed.
    public internal(set) var retired = 0
    /// Dead bindings that stay, because the app reported them after the send began, or that were already gone.
    public internal(set) var spared = 0
    /// Routes where nothing was removed, with the number of dead bindings. Too many were dead at once, or nothing was
    /// accepted there yet, so the credentials or the environment may be wrong.
    public internal(set) var halted: [RouteName: Int] = [:]
    /// Old bindings that were removed because a migration drains and the new route has worked long enough.
    public internal(set) var drained = 0

    /// An empty report.
    public init() {}
}

extension PushRouter {
    /// Removes bindings whose vendor said in a send that their target is gone, and old bindings of draining migrations.
    /// Costs no request.
    ///
    /// Keeps bindings that the app reported after the send began, or after the date that the vendor named. Removes
    /// nothing at a route if its vendor has not yet accepted a message to a device from this router. Also removes
    /// nothing there if more than a fifth of ten or more answers say dead: then the credentials are probably wrong, not
    /// the tokens.
    ///
    /// In a draining migration, records when the new route's vendor first accepted a message for an installation.
    /// Removes the old binding after an accepted send, once `keepsOldFor` has passed since then and since the drain
    /// began. Throws if the store fails; earlier removals stay.
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

    /// A vendor calls ids of another app invalid, perhaps one a request, so only its answers count.
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
