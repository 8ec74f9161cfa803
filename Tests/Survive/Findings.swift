import Glibc
import Logging
import PushCore

/// Counters, and violations that should never occur.
final class Findings: Sendable {
    struct State {
        var calls = 0
        var targets = 0
        var faults: [Fault: Int] = [:]
        var outcomes: [String: Int] = [:]
        var violations: [String] = []
        var requests = 0
        var resets = 0
        /// Requests with an honest and complete response, and how many of these responses the client did not believe.
        var honest = 0
        var unbelieved = 0
        var longestLateness: Duration = .zero
    }

    /// Texts that no output may contain.
    static let secrets = ["51c3e7cret", "NTFjM2U3Y3JldA", Unit.filler, String(Unit.filler.reversed())]

    let state = Locked(State())

    func violate(_ what: String) {
        state.withLock { $0.violations.append(what) }
        Self.say("violation: \(what)")
    }

    func count(_ outcome: String, targets: Int = 0) {
        state.withLock { state in
            state.calls += 1
            state.targets += targets
            state.outcomes[outcome, default: 0] += 1
        }
    }

    /// Looks for secrets in a text that people could read.
    func inspect(_ text: @autoclosure () -> String, _ place: String) {
        let text = text()
        guard let secret = Self.secrets.first(where: { text.contains($0) }) else { return }
        violate("\(place) shows \(secret): \(text.prefix(300))")
    }

    static func say(_ text: String) {
        let bytes = Array("survive: \(text)\n".utf8)
        write(STDERR_FILENO, bytes, bytes.count)
    }

    /// Faults, calls, targets, violations.
    var table: String {
        state.withLock { state in
            let faults = state.faults.filter { $0.key != .honest }.values.reduce(0, +)
            let outcomes = state.outcomes.sorted { $0.key < $1.key }.map { "| \($0.key) | \($0.value) |" }
            return
                ([
                    "| what | count |", "| --- | --- |", "| faults | \(faults) |",
                    "| kinds of faults | \(state.faults.count) |",
                ]
                + [
                    "| calls | \(state.calls) |", "| targets | \(state.targets) |",
                    "| requests carried out | \(state.requests) |",
                    "| streams that the client reset | \(state.resets) |",
                ] + outcomes + [
                    "| whole answers that were not believed | \(state.unbelieved) of \(state.honest) |",
                    "| longest time after a deadline | \(state.longestLateness) |",
                    "| violations | \(state.violations.count) |",
                ]).joined(separator: "\n")
        }
    }
}

/// Inspects every line of a log.
struct InspectingLog: LogHandler {
    let findings: Findings
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        findings.inspect("\(event.message) \(all)", "a log line")
    }
}
