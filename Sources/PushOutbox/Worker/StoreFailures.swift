import FoundationEssentials
import PushAdapter
import PushClient

/// The failures of the store during a run. A worker that lost its claim starts anew, and the next one neither asks more
/// often nor reports the same failure again.
final class StoreFailures: Sendable {
    private struct State {
        /// When the store began to fail; nil while it works.
        var since: Duration?
        /// When each failure was last reported.
        var told: [String: Duration] = [:]
    }

    private static let longestPause = Duration.seconds(5)
    private static let repeatTime = Duration.seconds(60)

    private let outbox: PushOutbox
    private let state = Locked(State())

    init(_ outbox: PushOutbox) { self.outbox = outbox }

    /// The pause before the next call to the store. It grows while the store fails.
    var pause: Duration {
        let poll = outbox.settings.poll
        guard let since = state.withLock(\.since) else { return poll }
        return max(poll, min(Self.longestPause, (outbox.clock.elapsed - since) / 2))
    }

    /// Ends the growth of the pause.
    func noteSuccess() { state.withLock { $0.since = nil } }

    /// Reports the same failure once a minute.
    func note(_ error: PushError) {
        let now = outbox.clock.elapsed
        let isNews = state.withLock { state in
            state.since = state.since ?? now
            state.told = state.told.filter { now - $0.value < Self.repeatTime }
            return state.told.updateValue(state.told[error.message] ?? now, forKey: error.message) == nil
        }
        guard isNews else { return }
        let cause = error.underlying.map { Redaction.masked("\($0)") } ?? ""
        let isSaid = Redaction.masked(error.message).contains(cause)
        outbox.settings.onEvent(.storeFailed(reason: isSaid ? error.message : "\(error.message): \(cause)"))
    }
}
