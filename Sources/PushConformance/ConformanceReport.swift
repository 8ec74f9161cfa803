public import PushAdapter

/// The result of every check in a run.
public struct ConformanceReport: Sendable {
    /// The result of one check.
    public struct Result: Sendable {
        /// The check that ran.
        public let check: ConformanceCheck
        /// Which body ran; nil when it failed.
        public let body: ConformanceCheck.Body?
        /// Why it failed; nil when it passed.
        public let failure: ConformanceFailure?
    }

    /// The adapter's name.
    public let subject: String
    /// How real the vendor was.
    public let level: ConformanceLink.Level
    /// One for each check that ran, in order.
    public let results: [Result]

    /// The results of the checks that failed, in the same order.
    public var failures: [Result] { results.filter { $0.failure != nil } }
    /// Whether every check passed; false when none ran.
    public var hasPassed: Bool { failures.isEmpty && !results.isEmpty }

    /// Runs checks one after the other and reports each result.
    ///
    /// At the live level, only checks that are safe there run.
    public static func run(
        _ checks: [ConformanceCheck] = ConformanceCheck.all, on harness: any ConformanceHarness, named subject: String,
        through link: ConformanceLink = .inProcess,
        observedBy makeObserver: @Sendable () -> ConformanceObserver = ConformanceObserver.events,
        onResult: @Sendable (Result) -> Void = { _ in }
    ) async -> ConformanceReport {
        var results: [Result] = []
        for check in checks where link.level != .live || check.isSafeLive {
            let result: Result
            do throws(ConformanceFailure) {
                let body = try await check.run(on: harness, through: link, observedBy: makeObserver)
                result = Result(check: check, body: body, failure: nil)
            } catch {
                result = Result(check: check, body: nil, failure: error)
            }
            results.append(result)
            onResult(result)
        }
        return ConformanceReport(subject: subject, level: link.level, results: results)
    }
}

extension ConformanceReport {
    /// For people: a line for each group, then the failures and their reasons.
    public var table: String {
        let groups = ConformanceCheck.Group.allCases.map { group in
            (group, results.filter { $0.check.group == group })
        }.filter { !$0.1.isEmpty }
        var lines = groups.map { group, results in
            let counts = [
                results.count, results.count { $0.body == .supported }, results.count { $0.body == .refused },
                results.count { $0.failure != nil },
            ]
            return ([group.rawValue] + counts.map(String.init)).columns
        }
        lines.insert(["GROUP", "CHECKS", "SUPPORTED", "REFUSED", "FAILED"].columns, at: 0)
        for result in failures {
            guard let failure = result.failure else { continue }
            lines += ["", "✗ \(result.check.id): \(result.check.requirement)", "  \(failure)"]
        }
        let verdict =
            hasPassed ? "all \(results.count) checks passed" : "\(failures.count) of \(results.count) checks failed"
        return (lines + ["", "\(subject), \(level.rawValue): \(verdict)"]).joined(separator: "\n")
    }

    /// For programs.
    public var json: JSONValue {
        let rows = results.map { result -> JSONValue in
            var fields: [String: JSONValue] = [
                "id": .string(result.check.id), "requirement": .string(result.check.requirement),
                "passed": .bool(result.failure == nil),
            ]
            fields["body"] = result.body.map { .string($0.rawValue) }
            if let failure = result.failure {
                fields["expected"] = .string(failure.expected)
                fields["actual"] = .string(failure.actual)
                fields["hint"] = .string(failure.hint)
            }
            return .object(fields)
        }
        return [
            "subject": .string(subject), "level": .string(level.rawValue), "passed": .bool(hasPassed),
            "checks": .array(rows),
        ]
    }
}

extension [String] {
    /// A table row: a wide first column, then narrow ones.
    fileprivate var columns: String {
        enumerated().map { index, cell in
            let width = index == 0 ? 14 : 11
            return cell + String(repeating: " ", count: Swift.max(1, width - cell.count))
        }.joined().trimmedEnd
    }
}

extension String {
    fileprivate var trimmedEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
