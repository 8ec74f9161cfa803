import ArgumentParser
import PushBridge

/// What became of a change, for people and programs.
enum Outcome {
    /// Prints it; ends with status 1 when the change is not complete.
    static func show<Element>(
        _ outcome: UpdateOutcome<Element>, asJSON: Bool, _ name: (Element) -> String
    ) throws {
        func names(_ elements: Set<Element>) -> [String] { elements.map(name).sorted() }
        if asJSON {
            var fields: [String: JSONValue] = [
                "added": .array(names(outcome.added).map(JSONValue.string)),
                "removed": .array(names(outcome.removed).map(JSONValue.string)),
                "requests": JSONValue(integerLiteral: outcome.requests), "isAtomic": .bool(outcome.isAtomic),
                "isComplete": .bool(outcome.isComplete),
            ]
            if !outcome.rejected.isEmpty { fields["rejected"] = .array(names(outcome.rejected).map(JSONValue.string)) }
            fields["failure"] = outcome.failure.map(Failure.json)
            Output.print(.object(fields))
        } else {
            let words = [("added", outcome.added), ("removed", outcome.removed), ("passed over", outcome.rejected)]
            let what = words.filter { !$1.isEmpty }.map { "\($0) \(names($1).joined(separator: ", "))" }
            let cost = "\(outcome.requests) request\(outcome.requests == 1 ? "" : "s")"
            Output.line((what + [outcome.isAtomic ? cost : cost + ", not atomic"]).joined(separator: "; "))
            if let failure = outcome.failure { Output.complain("stopped half-way: \(failure)") }
        }
        if !outcome.isComplete { throw ExitCode(1) }
    }
}
