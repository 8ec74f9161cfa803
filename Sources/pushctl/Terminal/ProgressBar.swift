import Glibc
import PushBridge
import PushCore

/// A line on standard error that grows with what is done; silent where nobody watches.
final class ProgressBar: Sendable {
    private struct State {
        var targets = 0
        var accepted = 0
    }

    private let isShown: Bool
    private let total: Int?
    private let state = Locked(State())

    /// - Parameter total: what there is to do, nil when nobody knows.
    init(total: Int?, isWanted: Bool) {
        self.total = total
        isShown = isWanted && isatty(STDERR_FILENO) == 1
    }

    /// Adds a slice of a send.
    func add(_ slice: SliceReport) {
        let sum = state.withLock { state in
            state.targets += slice.targetCount
            state.accepted += slice.acceptedCount ?? 0
            return state
        }
        show(sum.targets, "\(sum.targets) targets, \(sum.accepted) accepted")
    }

    func show(_ done: Int, _ text: String) {
        guard isShown else { return }
        var bar = ""
        if let total, total > 0 {
            let width = 30 * min(done, total) / total
            bar = "[" + String(repeating: "#", count: width) + String(repeating: ".", count: 30 - width) + "] "
        }
        Output.write("\r\u{1B}[K\(bar)\(text)", to: STDERR_FILENO)
    }

    func finish() {
        if isShown { Output.write("\r\u{1B}[K", to: STDERR_FILENO) }
    }
}
