import FoundationEssentials
import PushAdapter

extension OutboxEvent: CustomStringConvertible {
    /// A sentence for a log: `sale: part 0 at jpush waits until 2026-11-27T16:00:00Z: the quota is used up`.
    public var description: String {
        switch self {
        case .enqueued(let name, let slices): "\(name): enqueued, \(Self.counted(slices))"
        case .leased(let route, let slices): "takes \(Self.counted(slices)) of \(route)"
        case .recovered(let slices, let sent):
            "found \(Self.counted(slices)) of a worker that ended; \(sent) may have been sent"
        case .started: "the worker starts"
        case .standsBy: "another process works on this store; this one waits for its end"
        case .attempted(let name, let id, let route, let targets, let reason, let took):
            "\(Self.place(name, id.part, route)): slice \(id.number) took \(Int(took / .milliseconds(1))) ms: "
                + targets.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.value) \($0.key)" }
                .joined(separator: ", ") + (reason.map { "; \($0)" } ?? "")
        case .settledLate(let id): "slice \(id.number) of part \(id.part) was settled late"
        case .partDelayed(let name, let part, let route, let reason, let date):
            "\(Self.place(name, part, route)) waits until \(date.formatted(.iso8601)): \(reason)"
        case .routeLeft(let route, let reason): "leaves \(route) to other workers for a while: \(reason)"
        case .routeRests(let route, let date):
            "\(route) gave no answers or failed, and rests until \(date.formatted(.iso8601))"
        case .partPaused(let name, let part, let route, let reason):
            "\(Self.place(name, part, route)) is paused: \(reason)"
        case .quarantined(let name, let id): "\(name): slice \(id.number) of part \(id.part) is quarantined"
        case .refused(let name, let reason): "\(name): refused, \(reason)"
        case .unreadable(let name, let reason): "\(name): \(reason)"
        case .storeFailed(let reason): "the store failed, the worker goes on: \(reason)"
        case .ended(let name, let state): "\(name): \(state)"
        }
    }

    private static func place(_ name: CampaignName, _ part: Int, _ route: RouteName) -> String {
        "\(name): part \(part) at \(route)"
    }

    private static func counted(_ slices: Int) -> String { slices == 1 ? "1 slice" : "\(slices) slices" }
}
