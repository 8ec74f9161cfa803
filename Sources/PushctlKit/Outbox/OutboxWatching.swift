import ArgumentParser
import FoundationEssentials
import PushBridge
import PushOutbox

extension OutboxCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the campaigns, newest first.")
        @Option(help: "Only those in this state; may be given several times.")
        var state: [State] = []
        @Option(help: "How many campaigns to list at most.")
        var limit = 100
        @Option(help: "Only those that were enqueued before this one: the last one of the page before.")
        var before: String?
        @OptionGroup var options: OutboxOptions

        /// The values of `--state`.
        enum State: String, ExpressibleByArgument, CaseIterable {
            case loading, submitted, active, paused, finished, cancelled, expired, refused

            fileprivate var state: Campaign.State? { Campaign.State.allCases.first { "\($0)" == rawValue } }
        }

        func validate() throws {
            guard limit > 0 else { throw ValidationError("--limit \(limit) is not a number from 1") }
        }

        func run() async throws {
            let outbox = try await options.outbox()
            let states = state.isEmpty ? Campaign.reported : Set(state.compactMap(\.state))
            var last: Campaign?
            if let before { last = try await outbox.campaign(CampaignName(before)) }
            var rows: [[String]] = []
            var objects: [JSONValue] = []
            for campaign in try await outbox.campaigns(in: states, before: last, limit: limit) {
                let progress = try await outbox.progress(now: campaign.name)
                let routes = campaign.parts.map(\.route.rawValue).joined(separator: ", ")
                rows.append([
                    campaign.name.rawValue, "\(progress.state)", routes, String(progress.total),
                    String(progress.accepted), String(progress.open), String(progress.unknown),
                    progress.needsPerson ? "needs you: show it" : "",
                ])
                var fields = Output.json(progress, of: campaign.name.rawValue)
                fields["routes"] = .array(campaign.parts.map { .string($0.route.rawValue) })
                objects.append(.object(fields))
            }
            if options.json { return Output.print(.array(objects)) }
            let header = ["CAMPAIGN", "STATE", "ROUTES", "TARGETS", "ACCEPTED", "OPEN", "UNKNOWN", ""]
            let isPage = !state.isEmpty || before != nil
            Output.line(
                rows.isEmpty ? isPage ? "no such campaigns" : "the outbox is empty" : Tables.table(header, rows))
            if rows.count == limit, let name = rows.last?.first {
                Output.complain("there may be more: --before \(name)")
            }
        }
    }

    struct Show: AsyncParsableCommand {
        /// The values of `--exceptions`.
        enum Wanted: String, ExpressibleByArgument, CaseIterable {
            case all, invalid, malformed, suspect, rejected, unknown, duplicate
            case notAttempted = "not-attempted"

            fileprivate var outcomes: Set<SliceRow.Outcome> {
                switch self {
                case .all: [.open, .invalid, .malformed, .suspect, .rejected, .rejectedForNow, .unknown, .duplicate]
                case .invalid: [.invalid]
                case .malformed: [.malformed]
                case .suspect: [.suspect]
                case .rejected: [.rejected, .rejectedForNow]
                case .unknown: [.unknown]
                case .duplicate: [.duplicate]
                case .notAttempted: [.open]
                }
            }
        }

        static let configuration = CommandConfiguration(
            abstract: "Shows how far a campaign is, what stops it, and which targets did not get it.")
        @Argument(help: "The name of the campaign.")
        var name: String
        @Option(
            help: """
                Print the targets with this outcome instead, whole, one JSON object in each line; how far the campaign \
                is goes to standard error.
                """)
        var exceptions: Wanted?
        @OptionGroup var options: OutboxOptions

        func run() async throws {
            let report = try await options.outbox().report(of: CampaignName(name))
            guard let exceptions else {
                let waits = try await report.waits()
                if options.json { return Output.print(.object(report.json(waits))) }
                let lines = [Output.text(report.progress, of: name)] + report.lines(waits)
                return Output.line(lines.joined(separator: "\n"))
            }
            if !options.json { Output.complain(Output.text(report.progress, of: name)) }
            for try await item in report.exceptions(only: exceptions.outcomes) {
                var fields: [String: JSONValue] = [
                    "route": .string(item.route.rawValue), "status": .string(Tables.name(item.status)),
                    "position": JSONValue(item.position), "mayRetry": .bool(item.status.isRetryable),
                    "isSaidByVendor": .bool(item.isSaidByVendor),
                ]
                fields["target"] = item.target.map { .string($0.text) }
                fields["reason"] = (Tables.reason(item.status) ?? item.reason).map { .string($0) }
                fields["wentOnAt"] = item.wentOnAt.map { .string($0.rawValue) }
                Output.print(.object(fields))
            }
        }
    }
}

extension Output {
    /// Prints the progress of a campaign.
    static func show(_ progress: CampaignProgress, of name: String, asJSON: Bool) {
        if asJSON { print(.object(json(progress, of: name))) } else { line(text(progress, of: name)) }
    }

    fileprivate static func text(_ progress: CampaignProgress, of name: String) -> String { "\(name) is \(progress)" }

    static func json(_ progress: CampaignProgress, of name: String) -> [String: JSONValue] {
        let outcomes: [SliceRow.Outcome] = [
            .accepted, .invalid, .malformed, .suspect, .rejected, .rejectedForNow, .unknown, .duplicate, .moved,
        ]
        var fields: [String: JSONValue] = [
            "campaign": .string(name), "state": .string("\(progress.state)"), "targets": JSONValue(progress.total),
            "open": JSONValue(progress.open), "mayHaveBeenSent": JSONValue(progress.targets[.openAgain] ?? 0),
            "resent": JSONValue(progress.resent),
            "slices": JSONValue(progress.slices.values.reduce(0, +)),
            "doneSlices": JSONValue(progress.slices[.done] ?? 0),
            "quarantinedSlices": JSONValue(progress.slices[.quarantined] ?? 0),
            "needsPerson": .bool(progress.needsPerson),
        ]
        for outcome in outcomes { fields["\(outcome)"] = JSONValue(progress.targets[outcome] ?? 0) }
        let paused = progress.pausedParts.map { ("\($0)", JSONValue.string($1)) }
        fields["pausedParts"] = .object(Dictionary(paused, uniquingKeysWith: { first, _ in first }))
        return fields
    }
}

extension CampaignReport {
    /// The parts whose time has not come.
    private var early: [Campaign.Part] {
        progress.state.isEnded ? [] : campaign.parts.filter { $0.notBefore > .now }
    }

    /// The waiting work and its reasons: a line for each part whose time has not come, and for each reason. A paused
    /// part has its own reason.
    func lines(_ waits: [Wait]) -> [String] {
        early.map {
            "part \($0.number) at \($0.route): nothing is sent before \($0.notBefore.formatted(.iso8601))"
        } + waits.filter { progress.pausedParts[$0.part] == nil || $0.mayHaveBeenSent > 0 }.map { $0.line(at: .now) }
    }

    /// The campaign's progress, and its waits.
    func json(_ waits: [Wait]) -> [String: JSONValue] {
        var fields = Output.json(progress, of: campaign.name.rawValue)
        let dates = early.map { ("\($0.number)", JSONValue.string($0.notBefore.formatted(.iso8601))) }
        fields["notBefore"] = .object(Dictionary(dates, uniquingKeysWith: { first, _ in first }))
        fields["waits"] = .array(waits.map(\.json))
        return fields
    }
}

extension CampaignReport.Wait {
    fileprivate func line(at now: Date) -> String {
        var facts = ["\(Output.count(targets, "target")) waiting"]
        if mayHaveBeenSent > 0 { facts.append("\(mayHaveBeenSent) may have been sent") }
        if isQuarantined { facts.append("quarantined") }
        if attempts > 0 { facts.append(attempts == 1 ? "tried once" : "tried \(attempts) times") }
        if let nextTry {
            facts.append((nextTry > now ? "not tried before " : "due since ") + nextTry.formatted(.iso8601))
        }
        if let repeatedUntil { facts.append("repeated until \(repeatedUntil.formatted(.iso8601))") }
        return "part \(part) at \(route): \(facts.joined(separator: ", ")): \(reason)"
    }

    fileprivate var json: JSONValue {
        var fields: [String: JSONValue] = [
            "part": JSONValue(part), "route": .string(route.rawValue), "targets": JSONValue(targets),
            "mayHaveBeenSent": JSONValue(mayHaveBeenSent), "attempts": JSONValue(attempts),
            "isQuarantined": .bool(isQuarantined),
            "reason": .string(reason),
        ]
        fields["nextTry"] = nextTry.map { .string($0.formatted(.iso8601)) }
        fields["repeatedUntil"] = repeatedUntil.map { .string($0.formatted(.iso8601)) }
        return .object(fields)
    }
}
