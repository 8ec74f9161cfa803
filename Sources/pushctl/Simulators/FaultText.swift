import PushBridge
import PushSimulation

/// Faults as they are written on the command line: `throttle=2`, `3*lost@/v3/push`.
enum FaultText {
    /// The numbers that a fault may have, and the one it has when none is given.
    private struct Kind {
        var values: ClosedRange<Int>?
        var usual = 0
        var make: @Sendable (Int) -> Fault
    }

    private static let kinds: [String: Kind] = [
        "throttle": Kind(values: 1...3600, usual: 1) { .throttle(reset: $0) },
        "error": Kind(values: 500...599, usual: 500) { .serverError(status: $0) },
        "html": Kind(values: 200...599, usual: 502) { .html(status: $0) },
        "silence": Kind { _ in .silence },
        "lost": Kind { _ in .actedThenLost },
        "late": Kind(values: 1...3600, usual: 15) { .actedThenLate(.seconds($0)) },
        "truncated": Kind { _ in .truncated },
        "hangup": Kind(values: 0...1_000_000) { .hangUp(afterBytes: $0) },
        "drip": Kind(values: 1...10_000, usual: 10) { .drip(.milliseconds($0)) },
        "oversize": Kind(values: 1...1_000_000_000, usual: 4 << 20) { .oversize(bytes: $0) },
    ]

    /// Refuses with `invalidArgument` what is not a fault, and a number that it cannot have.
    static func read(_ text: String) throws(PushError) -> (fault: Fault, times: Int, path: String?) {
        var rest = text[...]
        var times = 1
        if let star = rest.firstIndex(of: "*") {
            guard let number = Int(rest[..<star]), (1...1_000_000).contains(number) else {
                throw refusal(text, "before * stands how often, 1 to 1000000")
            }
            times = number
            rest = rest[rest.index(after: star)...]
        }
        let halves = rest.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        let path = halves.count == 2 ? String(halves[1]) : nil
        if let path, !path.hasPrefix("/") { throw refusal(text, "a path begins with /") }
        let parts = halves[0].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let kind = kinds[String(parts[0])] else {
            throw refusal(text, "faults are \(kinds.keys.sorted().joined(separator: ", "))")
        }
        guard parts.count == 2 else { return (kind.make(kind.usual), times, path) }
        guard let values = kind.values else { throw refusal(text, "\(parts[0]) takes no number") }
        guard let value = Int(parts[1]), values.contains(value) else {
            throw refusal(text, "\(parts[0]) takes \(values.lowerBound) to \(values.upperBound)")
        }
        return (kind.make(value), times, path)
    }

    private static func refusal(_ text: String, _ advice: String) -> PushError {
        PushError(.invalidArgument, "--fault \(Redaction.quoted(text)): \(advice)")
    }
}
