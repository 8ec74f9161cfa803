import FoundationEssentials
import Glibc
import PushAdapter
import PushBridge
import PushOutbox

/// The lines on standard error for a person who watches a worker: one line that changes, and a line for each event.
enum OutboxBar {
    /// Shows the campaigns' progress once a second, until the task is cancelled. Silent if standard error is not a
    /// terminal, because each look reads a row for each slice.
    static func watch(_ outbox: PushOutbox) async {
        guard isatty(STDERR_FILENO) == 1 else { return }
        while !Task.isCancelled {
            var lines: [(progress: CampaignProgress, name: String)] = []
            // If the store cannot answer now, it can a second later.
            for campaign in (try? await outbox.campaigns(in: [.active])) ?? [] {
                guard let progress = try? await outbox.progress(now: campaign.name) else { continue }
                lines.append((progress, campaign.name.rawValue))
            }
            show(lines)
            try? await Task.sleep(for: .seconds(1))
        }
        ProgressBar(total: nil, isWanted: true).finish()
    }

    /// The progress of the campaign that was enqueued first, and the number of the others.
    private static func show(_ campaigns: [(progress: CampaignProgress, name: String)]) {
        guard let (progress, name) = campaigns.last else {
            return ProgressBar(total: nil, isWanted: true).finish()
        }
        let done = progress.total - progress.open
        var text = "\(name): \(done) of \(progress.total) targets, \(progress.accepted) accepted"
        if progress.unknown > 0 { text += ", \(progress.unknown) unknown" }
        if progress.needsPerson { text += ", needs you" }
        if campaigns.count > 1 { text += "; \(campaigns.count - 1)\(campaigns.count < 100 ? "" : " or more") more" }
        // The text fits in one line beside the bar.
        text = String(text.prefix(max(20, Output.columns - 34)))
        ProgressBar(total: progress.total, isWanted: true).show(done, text)
    }

    /// Clears the bar, then prints a line.
    static func complain(_ line: String) {
        ProgressBar(total: nil, isWanted: true).finish()
        Output.complain(line)
    }
}

/// The lines for events that a person who watches a worker wants to read.
final class OutboxLines: Sendable {
    /// Shows a part's failures of one kind at most once in this time.
    private static let repeatTime = Duration.seconds(60)
    /// Shows a part's pause, or its wait, at most once in this time. Requests in flight at the same time can all get
    /// the same failure.
    private static let burstTime = Duration.seconds(5)

    private struct Failure: Hashable {
        let campaign: CampaignName
        let part: Int
        let kind: Substring
    }

    private let failures = Locked<[Failure: ContinuousClock.Instant]>([:])

    /// The line for an event; nil for frequent events, and for a failure that was shown a moment ago.
    func line(for event: OutboxEvent) -> String? {
        switch event {
        case .leased, .settledLate: return nil
        case .attempted(let name, let id, let route, let targets, let reason, _):
            let left = targets.filter { $0.key != .accepted && $0.key != .moved }.values.reduce(0, +)
            guard let reason, left > 0, isNews(name, id.part, reason) else { return nil }
            let count = Output.count(left, "target")
            return "\(name): part \(id.part) at \(route): \(count) of a slice not accepted: \(reason)"
        case .partPaused(let name, let part, let route, let reason):
            guard isNews(name, part, "paused, " + reason, within: Self.burstTime) else { return nil }
            _ = isNews(name, part, reason)
            return "\(event); correct it, restart the worker, then pushctl outbox resume --at \(route)"
        case .partDelayed(let name, let part, _, let reason, _):
            guard isNews(name, part, "waits, " + reason, within: Self.burstTime) else { return nil }
            _ = isNews(name, part, reason)
            return event.description
        case .quarantined: return "\(event); pushctl outbox show tells why"
        default: return event.description
        }
    }

    /// Whether a part had no such failure within a time. A reason begins with its kind; texts of one kind may differ in
    /// numbers.
    private func isNews(
        _ name: CampaignName, _ part: Int, _ reason: String, within time: Duration = repeatTime
    ) -> Bool {
        failures.withLock { failures in
            let now = ContinuousClock.now
            failures = failures.filter { now - $0.value < Self.repeatTime }
            let failure = Failure(campaign: name, part: part, kind: reason.prefix { $0 != ":" })
            if let last = failures[failure], now - last < time { return false }
            failures[failure] = now
            return true
        }
    }
}
