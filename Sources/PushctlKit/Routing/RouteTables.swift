import FoundationEssentials
import PushBridge
import PushRouter

/// The sum of all plans of a command.
struct PlanSummary {
    private var counts: [RouteName: Int] = [:]
    private var explanations: [RouteName: [Explanation]] = [:]
    private var unreachable: [String] = []
    private(set) var problems: [RoutePlan.Problem] = []

    mutating func add(_ plan: RoutePlan) {
        for share in plan.shares {
            counts[share.route, default: 0] += share.count
            if explanations[share.route] == nil { explanations[share.route] = share.explanations }
        }
        unreachable += plan.unreachable.users.map(\.rawValue) + plan.unreachable.installations.map(\.rawValue)
        problems += plan.problems
    }

    var text: String {
        let routes = counts.sorted { $0.key < $1.key }
        var text = Tables.table(["ROUTE", "INSTALLATIONS"], routes.map { [$0.key.rawValue, String($0.value)] })
        for (route, _) in routes {
            for explanation in explanations[route] ?? [] {
                text +=
                    "\n\nthe first request to \(route.rawValue):\n" + Tables.indented(Tables.explanation(explanation))
            }
        }
        return text + RouteTables.unreachable(unreachable) + RouteTables.problems(problems)
    }

    var json: JSONValue {
        let routes = counts.map { route, count in
            let explanations = JSONValue.array((explanations[route] ?? []).map { Tables.json($0) })
            return (
                route.rawValue, ["installations": JSONValue(integerLiteral: count), "first": explanations] as JSONValue
            )
        }
        return [
            "routes": .object(Dictionary(uniqueKeysWithValues: routes)),
            "unreachable": .array(unreachable.map(JSONValue.string)), "problems": RouteTables.json(problems),
        ]
    }
}

/// The sum of all sends of a command.
struct SendSummary {
    private var counts: [RouteName: [String: Int]] = [:]
    private var (installations, failedOver, shouldRetry) = (0, 0, 0)
    private var unreachable: [String] = []
    private var problems: [RoutePlan.Problem] = []
    private var errors: [RouteName: PushError] = [:]
    private var shadows: [String: (count: Int, refused: Int, unanswered: Int)] = [:]
    private var pruning: [PruningReport] = []
    /// The installations whose message was not accepted.
    private var missed: [RouterReport.Outcome] = []
    private(set) var isComplete = true

    mutating func add(_ report: RouterReport) {
        installations += report.outcomes.count
        missed += report.outcomes.filter { $0.status != .accepted }
        for outcome in report.outcomes {
            guard let binding = outcome.binding else { continue }
            counts[binding.route, default: [:]][Tables.name(outcome.status), default: 0] += 1
            if outcome.isFailedOver { failedOver += 1 }
            if outcome.status != .accepted { isComplete = false }
        }
        shouldRetry += report.retryable().count
        unreachable += report.unreachable.users.map(\.rawValue) + report.unreachable.installations.map(\.rawValue)
        problems += report.problems
        errors.merge(report.errors) { first, _ in first }
        for shadow in report.shadows {
            var sum = shadows[shadow.migration, default: (0, 0, 0)]
            sum.count += shadow.count
            sum.refused += shadow.refused
            sum.unanswered += shadow.unanswered
            shadows[shadow.migration] = sum
        }
        if !problems.isEmpty || !unreachable.isEmpty { isComplete = false }
    }

    mutating func add(_ report: PruningReport) { pruning.append(report) }

    private var rows: [(route: RouteName, status: String, count: Int)] {
        counts.flatMap { route, counts in counts.map { (route, $0.key, $0.value) } }
            .sorted { ($0.route.rawValue, $0.status) < ($1.route.rawValue, $1.status) }
    }

    var text: String {
        var text = Tables.table(
            ["ROUTE", "STATUS", "INSTALLATIONS"], rows.map { [$0.route.rawValue, $0.status, String($0.count)] })
        text += RouteTables.missed(missed)
        text += "\n\n\(failedOver) of \(installations) by a second route, \(shouldRetry) may be sent again"
        for (name, shadow) in shadows.sorted(by: { $0.key < $1.key }) {
            text +=
                "\nmigration \(name): of \(shadow.count) asked about, the new vendor would refuse \(shadow.refused), "
                + "and said nothing of \(shadow.unanswered)"
        }
        for (route, error) in errors.sorted(by: { $0.key < $1.key }) { text += "\n\(route.rawValue): \(error)" }
        for report in pruning where report != PruningReport() { text += "\n" + RouteTables.text(report) }
        return text + RouteTables.unreachable(unreachable) + RouteTables.problems(problems)
    }

    var json: JSONValue {
        [
            "isComplete": .bool(isComplete), "installations": JSONValue(integerLiteral: installations),
            "failedOver": JSONValue(integerLiteral: failedOver), "mayRetry": JSONValue(integerLiteral: shouldRetry),
            "outcomes": .array(
                rows.map { row in
                    [
                        "route": .string(row.route.rawValue), "status": .string(row.status),
                        "count": JSONValue(integerLiteral: row.count),
                    ]
                }),
            "exceptions": .array(missed.map(RouteTables.json)),
            "errors": .object(
                Dictionary(uniqueKeysWithValues: errors.map { ($0.key.rawValue, Failure.json($0.value)) })),
            "shadows": .array(
                shadows.sorted { $0.key < $1.key }.map { name, shadow in
                    [
                        "migration": .string(name), "asked": JSONValue(integerLiteral: shadow.count),
                        "refused": JSONValue(integerLiteral: shadow.refused),
                        "unanswered": JSONValue(integerLiteral: shadow.unanswered),
                    ]
                }),
            "pruned": JSONValue(integerLiteral: pruning.reduce(0) { $0 + $1.retired + $1.drained }),
            "unreachable": .array(unreachable.map(JSONValue.string)), "problems": RouteTables.json(problems),
        ]
    }
}

/// Tables and objects about bindings and migrations.
enum RouteTables {
    static func text(_ report: PruningReport) -> String {
        let halted = report.halted.sorted { $0.key < $1.key }.map { route, count in
            "\nnothing of \(route.rawValue) was removed: \(count) dead; is its key the right one?"
        }
        return "pruned \(report.retired) dead bindings, kept \(report.spared), drained \(report.drained)"
            + halted.joined()
    }

    static func json(_ report: PruningReport) -> JSONValue {
        [
            "retired": JSONValue(report.retired), "spared": JSONValue(report.spared),
            "drained": JSONValue(report.drained),
            "halted": .object(
                Dictionary(uniqueKeysWithValues: report.halted.map { ($0.key.rawValue, JSONValue($0.value)) })),
        ]
    }

    static func unreachable(_ names: [String]) -> String {
        guard !names.isEmpty else { return "" }
        let rest = names.count > 20 ? ", and \(names.count - 20) more" : ""
        return "\n\nwithout a binding: \(names.prefix(20).joined(separator: ", "))\(rest)"
    }

    /// The installations whose message was not accepted, with the last attempt at each.
    static func missed(_ outcomes: [RouterReport.Outcome]) -> String {
        guard !outcomes.isEmpty else { return "" }
        let rows = outcomes.prefix(20).map { outcome in
            let binding = outcome.binding ?? outcome.chosen
            let failure = outcome.attempts.last?.failure.map { "\($0.kind)" }
            return [
                binding.user.rawValue, binding.installation?.rawValue ?? "-", binding.route.rawValue,
                binding.target.shown,
                [Tables.name(outcome.status), failure].compactMap(\.self).joined(separator: ": "),
            ]
        }
        let rest = outcomes.count > 20 ? "\n... and \(outcomes.count - 20) more; --json lists all" : ""
        return "\n\nnot accepted:\n" + Tables.table(["USER", "INSTALLATION", "ROUTE", "TARGET", "STATUS"], Array(rows))
            + rest
    }

    static func json(_ outcome: RouterReport.Outcome) -> JSONValue {
        var fields: [String: JSONValue] = [
            "binding": json(outcome.binding ?? outcome.chosen), "status": .string(Tables.name(outcome.status)),
        ]
        fields["kind"] = outcome.attempts.last?.failure.map { .string($0.kind.rawValue) }
        return .object(fields)
    }

    static func problems(_ problems: [RoutePlan.Problem]) -> String {
        guard !problems.isEmpty else { return "" }
        let rest = problems.count > 20 ? "\n... and \(problems.count - 20) more" : ""
        return "\n\nproblems:\n" + Tables.indented(problems.prefix(20).map(text).joined(separator: "\n"))
            + rest
    }

    /// With whole ids, so that one can look for them; of an address only the origin.
    private static func text(_ problem: RoutePlan.Problem) -> String {
        let place = problem.binding.map {
            "\($0.user.rawValue), \($0.installation?.rawValue ?? "-"), \($0.target.shown)"
        }
        return [problem.route?.rawValue, place].compactMap(\.self).joined(separator: ": ")
            + ": \(problem.error.message)"
    }

    static func json(_ problems: [RoutePlan.Problem]) -> JSONValue {
        .array(
            problems.map { problem in
                var fields: [String: JSONValue] = ["error": Failure.json(problem.error)]
                fields["route"] = problem.route.map { .string($0.rawValue) }
                fields["binding"] = problem.binding.map(json)
                return .object(fields)
            })
    }

    static func bindings(_ bindings: [Binding]) -> String {
        let rows = bindings.map { binding in
            [
                binding.user.rawValue, binding.installation?.rawValue ?? "-", binding.route.rawValue,
                kind(of: binding.target), binding.target.shown, binding.platform?.rawValue ?? "-",
                binding.boundAt.formatted(.iso8601),
            ]
        }
        return Tables.table(["USER", "INSTALLATION", "ROUTE", "KIND", "TARGET", "PLATFORM", "BOUND AT"], rows)
    }

    static func json(_ binding: Binding) -> JSONValue {
        var fields: [String: JSONValue] = [
            "user": .string(binding.user.rawValue), "route": .string(binding.route.rawValue),
            kind(of: binding.target): .string(binding.target.text),
            "boundAt": .string(binding.boundAt.formatted(.iso8601)),
        ]
        fields["installation"] = binding.installation.map { .string($0.rawValue) }
        fields["platform"] = binding.platform.map { .string($0.rawValue) }
        if case .account(let account) = binding.target { fields["accountType"] = account.type.map { JSONValue($0) } }
        fields["acceptedAt"] = binding.acceptedAt.map { .string($0.formatted(.iso8601)) }
        return .object(fields)
    }

    private static func kind(of target: Target) -> String {
        switch target {
        case .device: "device"
        case .alias: "alias"
        case .account: "account"
        }
    }

    static func migrations(_ all: [MigrationStatus]) -> String {
        let rows = all.map { status in
            [
                status.migration.name, status.migration.from.rawValue, status.migration.to.rawValue,
                stage(status.migration),
                String(status.coverage.onlyFrom), String(status.coverage.both), String(status.coverage.onlyTo),
                String(status.moved),
            ]
        }
        return Tables.table(["MIGRATION", "FROM", "TO", "STAGE", "ONLY OLD", "BOTH", "ONLY NEW", "AT THE NEW"], rows)
    }

    static func json(_ status: MigrationStatus) -> JSONValue {
        [
            "name": .string(status.migration.name), "from": .string(status.migration.from.rawValue),
            "to": .string(status.migration.to.rawValue), "stage": .string(stage(status.migration)),
            "onlyFrom": JSONValue(integerLiteral: status.coverage.onlyFrom),
            "both": JSONValue(integerLiteral: status.coverage.both),
            "onlyTo": JSONValue(integerLiteral: status.coverage.onlyTo),
            "moved": JSONValue(integerLiteral: status.moved),
        ]
    }

    private static func stage(_ migration: RouteMigration) -> String {
        switch migration.stage {
        case .shadow(let sample): "shadow of \(sample)"
        case .percent(let percent): "\(percent) %"
        case .drain(let since): "drain since \(since.formatted(.iso8601.year().month().day()))"
        }
    }
}
