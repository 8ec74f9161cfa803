public import FoundationEssentials
public import Metrics
public import PushCore
import PushObservability
public import PushOutbox

/// Counts the events of an outbox.
///
/// ```swift
/// let metrics = OutboxMetrics()
/// settings.onEvent = metrics.record
/// ```
public struct OutboxMetrics: Sendable {
    private let factory: (any MetricsFactory)?

    /// - Parameter factory: nil uses the one the process was bootstrapped with, at each event.
    public init(factory: (any MetricsFactory)? = nil) { self.factory = factory }

    /// Counts an event: attempts, their targets by outcome and their time, stops of parts and slices, failures of the
    /// store, campaigns by state.
    @Sendable public func record(_ event: OutboxEvent) {
        switch event {
        case .enqueued: count(Vocabulary.outboxCampaigns, [(Vocabulary.state, "enqueued")])
        case .ended(_, let state): count(Vocabulary.outboxCampaigns, [(Vocabulary.state, "\(state)")])
        case .refused: count(Vocabulary.outboxCampaigns, [(Vocabulary.state, "refused")])
        case .leased(let route, let slices): count(Vocabulary.outboxLeases, [self.route(route)], by: slices)
        case .attempted(_, _, let route, let targets, _, let time):
            for (outcome, number) in targets {
                count(Vocabulary.outboxTargets, [self.route(route), (Vocabulary.outcome, "\(outcome)")], by: number)
            }
            Timer(label: Vocabulary.outboxDuration, dimensions: [self.route(route)], factory: currentFactory)
                .record(duration: time)
        case .recovered(let slices, _): count(Vocabulary.outboxRecovered, [], by: slices)
        case .settledLate: count(Vocabulary.outboxSettledLate, [])
        case .partDelayed(_, _, let route, _, _): stop("delayed", route)
        case .routeLeft(let route, _): stop("left", route)
        case .routeRests(let route, _): stop("resting", route)
        case .partPaused(_, _, let route, _): stop("paused", route)
        case .quarantined: stop("quarantined", nil)
        case .unreadable: stop("unreadable", nil)
        case .storeFailed: count(Vocabulary.outboxStoreFailures, [])
        case .started, .standsBy: break
        }
    }

    /// Sets gauges of an outbox's backlog: waiting targets, unknown targets, and the number of campaigns that need a
    /// person. A further gauge is the age of the oldest campaign that has not ended. Reads a row for each slice, so
    /// call it once a minute.
    public func observe(_ outbox: PushOutbox, at date: Date = .now) async throws(PushError) {
        let backlog = try await outbox.backlog(needy: 0)
        gauge(Vocabulary.outboxWaiting, Double(backlog.open))
        gauge(Vocabulary.outboxUnknown, Double(backlog.unknown))
        gauge(Vocabulary.outboxNeedy, Double(backlog.needyCount))
        gauge(Vocabulary.outboxAge, max(0, backlog.oldest.map { date.timeIntervalSince($0.createdAt) } ?? 0))
    }

    private var currentFactory: any MetricsFactory { factory ?? MetricsSystem.factory }

    private func route(_ name: RouteName) -> (String, String) { (Vocabulary.route, Vocabulary.label(name.rawValue)) }

    private func stop(_ cause: String, _ name: RouteName?) {
        count(Vocabulary.outboxStops, [(Vocabulary.cause, cause)] + (name.map { [route($0)] } ?? []))
    }

    private func count(_ label: String, _ dimensions: [(String, String)], by number: Int = 1) {
        Counter(label: label, dimensions: dimensions, factory: currentFactory).increment(by: number)
    }

    private func gauge(_ label: String, _ value: Double) {
        Gauge(label: label, dimensions: [], factory: currentFactory).record(value)
    }
}
