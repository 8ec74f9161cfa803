import FoundationEssentials
import Glibc
import PushAdapter
import PushBridge

/// A progress line on standard error; silent if that is not a terminal.
final class ProgressBar: Sendable {
    private struct State {
        var targets = 0
        var accepted = 0
        var pause = ""
    }

    private let isShown: Bool
    private let total: Int?
    private let state = Locked(State())

    /// - Parameter total: the amount of work; nil if unknown.
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
        show(sum)
    }

    /// Shows the client's waits while a body runs.
    func watch<Output>(
        _ client: PushClient, _ body: () async throws(PushError) -> Output
    ) async throws(PushError) -> Output {
        guard isShown else { return try await body() }
        let watch = Task {
            while !Task.isCancelled {
                let call = client.waitingCalls.first { $0.operation == .send }
                let pause = call.map {
                    ", waits \(max(0, Int($0.until.timeIntervalSinceNow.rounded(.up)))) s for \($0.cause.text)"
                }
                show(
                    state.withLock { state in
                        state.pause = pause ?? ""
                        return state
                    })
                try await Task.sleep(for: .milliseconds(250))
            }
        }
        defer { watch.cancel() }
        return try await body()
    }

    private func show(_ state: State) {
        show(state.targets, "\(state.targets) targets, \(state.accepted) accepted\(state.pause)")
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

extension PushEvent.Wait {
    fileprivate var text: String {
        switch self {
        case .quota(let bucket): "the rate limit of \(bucket)"
        case .minimumInterval: "the vendor's minimum interval"
        case .writeDelay: "earlier writes"
        case .retry(let kind): "the next attempt after \(kind)"
        }
    }
}
