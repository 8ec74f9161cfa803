import PushBridge
import PushSimulation

/// Faults as they are written on the command line: `throttle=2`, `3*lost@/v3/push`.
enum FaultText {
    /// Refuses with `invalidArgument` a text that is not a fault, a fault that does not fit the simulator, and a number
    /// that the fault cannot have.
    static func read(
        _ text: String, for host: SimulatorHost
    ) throws(PushError) -> (fault: Fault, times: Int, path: String?) {
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
        guard let kind = FaultKind.named(String(parts[0])) else {
            throw refusal(text, "faults are \(host.faultKinds.map(\.name).sorted().joined(separator: ", "))")
        }
        if let misfit = host.misfit(of: kind) { throw refusal(text, misfit) }
        guard parts.count == 2 else { return (kind.fault(), times, path) }
        guard let values = kind.values else { throw refusal(text, "\(parts[0]) takes no number") }
        guard let value = Int(parts[1]), values.contains(value) else {
            throw refusal(text, "\(parts[0]) takes \(values.lowerBound) to \(values.upperBound)")
        }
        return (kind.fault(value), times, path)
    }

    private static func refusal(_ text: String, _ advice: String) -> PushError {
        PushError(.invalidArgument, "--fault \(Redaction.quoted(text)): \(advice)")
    }
}
