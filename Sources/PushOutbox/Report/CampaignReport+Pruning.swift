public import FoundationEssentials
public import PushAdapter

extension CampaignReport: RoutedReport {
    /// When the campaign was enqueued. Its targets were read after that.
    public var startedAt: Date { campaign.createdAt }

    /// None: the store erases accepted targets. `OutboxSettings.onAccepted` gets them while the campaign is sent.
    public var acceptedTargets: [RoutedTarget.Way] { [] }

    /// Counts the answers of each route, without audiences that are not lists. Counts what is known when it is called,
    /// so call it once the campaign has ended. Reads a row for each slice, and the targets of slices with dead ones.
    ///
    /// A route is proven if a slice has both dead devices and accepted ones: the targets of a slice are of one kind.
    public func answers() async throws(PushError) -> [RouteName: RouteAnswers] {
        var answers: [RouteName: RouteAnswers] = [:]
        for part in try await planned().campaign.parts where part.audience == nil {
            let counts = try await outbox.stored { [id = campaign.id] in try await $0.counts(of: id, part: part.number)
            }
            answers[part.route, default: RouteAnswers()].accepted += counts.targets[.accepted] ?? 0
        }
        try await forEachDeadSlice { (slice, dead) in
            guard let route = dead.first?.way.route else { return }
            answers[route, default: RouteAnswers()].dead += dead.count
            let isOfDevices = dead.contains { if case .device = $0.way.target { true } else { false } }
            if isOfDevices, slice.counts[.accepted] ?? 0 > 0 { answers[route]?.isProven = true }
        }
        return answers
    }

    public func forEachDead(
        _ body: ([DeadTarget]) async throws(PushError) -> Void
    ) async throws(PushError) {
        try await forEachDeadSlice { (_, dead) async throws(PushError) in
            for page in dead.pages(of: 1_000) { try await body(page) }
        }
    }

    private func forEachDeadSlice(
        _ body: (SliceRow, [DeadTarget]) async throws(PushError) -> Void
    ) async throws(PushError) {
        var slices = SlicePages(report: self, outcomes: [.invalid])
        while let page = try await slices.next() {
            for (slice, targets) in page {
                let dead = try slices.report.exceptions(in: slice, targets, [.invalid]).compactMap {
                    exception -> DeadTarget? in
                    guard case .invalid(let since) = exception.status, exception.isSaidByVendor,
                        let target = exception.target
                    else { return nil }
                    return DeadTarget(RoutedTarget.Way(target, at: exception.route), since: since)
                }
                if !dead.isEmpty { try await body(slice, dead) }
            }
        }
    }
}
