import Glibc
import PushBridge
import PushOutbox

/// What a person who watches a worker sees on standard error: a line that changes, and a line for each event.
enum OutboxBar {
    /// Shows how far the campaigns are, once a second, until the task is cancelled. Silent if standard error is not a
    /// terminal: it reads a row for each slice.
    static func watch(_ outbox: PushOutbox) async {
        guard isatty(STDERR_FILENO) == 1 else { return }
        while !Task.isCancelled {
            var lines: [(progress: CampaignProgress, name: String)] = []
            // What the store cannot tell now, it tells a second later.
            for campaign in (try? await outbox.campaigns()) ?? [] where campaign.state == .active {
                guard let progress = try? await outbox.progress(now: campaign.name) else { continue }
                lines.append((progress, campaign.name.rawValue))
            }
            show(lines)
            try? await Task.sleep(for: .seconds(1))
        }
        ProgressBar(total: nil, isWanted: true).finish()
    }

    /// The campaign that was enqueued first, in numbers, and how many others there are.
    private static func show(_ campaigns: [(progress: CampaignProgress, name: String)]) {
        guard let (progress, name) = campaigns.last else {
            return ProgressBar(total: nil, isWanted: true).finish()
        }
        let done = progress.total - progress.open
        var text = "\(name): \(done) of \(progress.total) targets, \(progress.accepted) accepted"
        if progress.unknown > 0 { text += ", \(progress.unknown) unknown" }
        if progress.needsPerson { text += ", needs you" }
        if campaigns.count > 1 { text += "; \(campaigns.count - 1) more" }
        // In one line beside the bar.
        text = String(text.prefix(max(20, Output.columns - 34)))
        ProgressBar(total: progress.total, isWanted: true).show(done, text)
    }

    /// Prints a line, and nothing of the bar before it.
    static func complain(_ line: String) {
        ProgressBar(total: nil, isWanted: true).finish()
        Output.complain(line)
    }
}

extension OutboxEvent {
    /// What a person who watches a worker wants to read; nil for what happens all the time.
    var line: String? {
        switch self {
        case .leased, .tried, .settledLate: nil
        case .enqueued(let name, let slices): "\(name): enqueued, \(slices) slices"
        case .recovered(let slices, let sent):
            "found \(slices) slices of a worker that ended; \(sent) of them may have been sent"
        case .legPaused(_, let leg, let route, let reason):
            "part \(leg) at \(route) is paused: \(reason); correct it, restart the worker, then pushctl outbox resume"
        case .routeLeft(let route, let reason): "leaves \(route) to other workers for a minute: \(reason)"
        case .legDelayed(_, let leg, let route, let reason, _): "part \(leg) at \(route) waits: \(reason)"
        case .held(let id):
            "slice \(id.number) of part \(id.leg) of campaign number \(id.campaign) is held; pushctl outbox show tells why"
        case .refused(let name, let reason): "\(name): refused, \(reason)"
        case .unreadable(let campaign, let reason): "campaign number \(campaign): \(reason)"
        case .storeFailed(let reason): "the store failed, the worker goes on: \(reason)"
        case .ended(let name, let state): "\(name): \(state)"
        }
    }
}
