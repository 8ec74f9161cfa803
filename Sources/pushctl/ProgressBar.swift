import Glibc
import PushBridge
import PushCore

/// A line on standard error that grows with the slices of a send; silent where nobody watches.
final class ProgressBar: Sendable {
    private struct State {
        var targets = 0
        var accepted = 0
    }

    private let isShown: Bool
    private let total: Int?
    private let state = Locked(State())

    /// - Parameter total: targets in all, nil when nobody knows.
    init(total: Int?, isWanted: Bool) {
        self.total = total
        isShown = isWanted && isatty(STDERR_FILENO) == 1
    }

    func add(_ slice: SliceReport) {
        guard isShown else { return }
        state.withLock { state in
            state.targets += slice.targetCount
            state.accepted += slice.acceptedCount
            var text = "\(state.targets) targets, \(state.accepted) accepted"
            if let total, total > 0 {
                let width = 30 * min(state.targets, total) / total
                text =
                    "[" + String(repeating: "#", count: width) + String(repeating: ".", count: 30 - width) + "] " + text
            }
            Output.write("\r\u{1B}[K\(text)", to: STDERR_FILENO)
        }
    }

    func finish() {
        if isShown { Output.write("\r\u{1B}[K", to: STDERR_FILENO) }
    }
}
