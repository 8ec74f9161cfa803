import Glibc
import Logging
import PushAdapter

/// Counters, and violations that should never occur.
final class Findings: Sendable {
    /// The counts for each carrier.
    struct Tally {
        var calls = 0
        /// Requests with an honest and complete response, and the number of these responses that the client did not
        /// believe.
        var honest = 0
        var unbelieved = 0
        /// HTTP/2 streams with a complete response, and the number of these that the client reset.
        var finished = 0
        var resetsOfFinished = 0
        var accepted = 0

        mutating func add(_ other: Tally) {
            calls += other.calls
            honest += other.honest
            unbelieved += other.unbelieved
            finished += other.finished
            resetsOfFinished += other.resetsOfFinished
            accepted += other.accepted
        }
    }

    struct State {
        var tallies: [Carrier: Tally] = [:]
        var targets = 0
        var faults: [Fault: Int] = [:]
        var outcomes: [String: Int] = [:]
        /// The number of accepted units, by vendor.
        var accepted: [HostileVendor.Kind: Int] = [:]
        var violations: [String] = []
        var requests = 0
        var resets = 0
        var longestLateness: Duration = .zero

        var calls: Int { tallies.values.reduce(0) { $0 + $1.calls } }
    }

    /// Texts that no output may contain. The first is part of passwords and access tokens; the last begins signed
    /// tokens.
    static let secrets = ["51c3e7cret", "NTFjM2U3Y3JldA", Unit.filler, String(Unit.filler.reversed()), "eyJ"]

    let state = Locked(State())
    private let secrets: [String]

    /// - Parameter secrets: more texts that no output may contain.
    init(secrets: [String]) { self.secrets = Self.secrets + secrets }

    func violate(_ what: String) {
        state.withLock { $0.violations.append(what) }
        Self.say("violation: \(what)")
    }

    func count(_ outcome: String, by carrier: Carrier, targets: Int = 0) {
        state.withLock { state in
            state.tallies[carrier, default: Tally()].calls += 1
            state.targets += targets
            state.outcomes[outcome, default: 0] += 1
        }
    }

    /// Counts a call that uses several carriers.
    func count(_ outcome: String, targets: Int) {
        state.withLock { state in
            state.targets += targets
            state.outcomes[outcome, default: 0] += 1
        }
    }

    func add(_ tally: Tally, of carrier: Carrier) {
        state.withLock { $0.tallies[carrier, default: Tally()].add(tally) }
    }

    /// Looks for secrets in a text that people may read.
    func inspect(_ text: @autoclosure () -> String, _ place: String) {
        let text = text()
        guard let secret = secrets.first(where: { text.contains($0) }) else { return }
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
            var rows = [
                "| what | count |", "| --- | --- |", "| faults | \(faults) |",
                "| kinds of faults | \(state.faults.count) |", "| calls | \(state.calls) |",
            ]
            for carrier in Carrier.allCases {
                guard let tally = state.tallies[carrier] else { continue }
                rows.append("| calls by \(carrier.text) | \(tally.calls) |")
                if tally.honest > 0 {
                    rows.append("| - whole answers, not believed | \(tally.unbelieved) of \(tally.honest) |")
                }
                if tally.finished > 0 {
                    rows.append("| - finished streams, reset | \(tally.resetsOfFinished) of \(tally.finished) |")
                }
            }
            rows += HostileVendor.Kind.allCases.map { "| accepted by \($0.rawValue) | \(state.accepted[$0] ?? 0) |" }
            rows += [
                "| targets | \(state.targets) |", "| requests carried out | \(state.requests) |",
                "| streams that the client reset | \(state.resets) |",
            ]
            rows += state.outcomes.sorted { $0.key < $1.key }.map { "| \($0.key) | \($0.value) |" }
            rows += [
                "| longest time after a deadline | \(state.longestLateness) |",
                "| violations | \(state.violations.count) |",
            ]
            return rows.joined(separator: "\n")
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
