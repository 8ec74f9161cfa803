import ArgumentParser
import FoundationEssentials
import PushBridge
import PushOutbox
import PushRouter

#if PostgreSQL
    import PushOutboxPostgres
#endif

extension OutboxCommand {
    struct Migrate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Creates the tables in PostgreSQL, or brings them up to date; a file needs no such call.")
        @Flag(help: "Print the SQL that creates them on PostgreSQL instead, and connect to nothing.")
        var print = false
        @OptionGroup var options: OutboxOptions

        func run() async throws {
            guard !print else { return Output.line(try sql()) }
            let facts = try await options.migratedOutbox().facts()
            if options.json { return Output.print(.object(facts.json)) }
            Output.line("\(facts.engine), tables of version \(facts.version)")
        }

        private func sql() throws(PushError) -> String {
            #if PostgreSQL
                return try PostgresOutboxStore.migration()
            #else
                throw PushError(
                    .unsupported, "this pushctl knows no database; build it with the trait PostgreSQL")
            #endif
        }
    }

    struct Retire: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes the bindings whose vendor said in a campaign that their target is gone.",
            discussion: """
                Keeps what an app reported after the campaign was enqueued. Removes nothing at a route where more than a \
                fifth of ten or more answers say so, or where no device was accepted: the credentials may be wrong. The \
                status is 1 then.
                """)
        @Argument(help: "The name of the campaign.")
        var name: String
        @Option(help: "The database of bindings.")
        var database: String
        @Option(help: "A JSON file with the routes and the routing; the environment wins.")
        var config: String?
        @OptionGroup var options: OutboxOptions

        func run() async throws {
            let pruned = try await options.withOutbox(config: config, .database(database)) { (outbox, router) in
                try await router.prune(try await outbox.report(of: CampaignName(name)))
            }
            if options.json {
                Output.print(RouteTables.json(pruned))
            } else {
                Output.line(RouteTables.text(pruned))
            }
            if !pruned.halted.isEmpty { throw ExitCode(1) }
        }
    }

    struct Prune: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes reports and names that are kept long enough, as every worker does.")
        @OptionGroup var options: OutboxOptions

        func run() async throws {
            let count = try await options.outbox().prune()
            if options.json { return Output.print(.object(["removed": JSONValue(count)])) }
            Output.line("\(count) removed")
        }
    }

    struct Doctor: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Examines the store, its workers, and what waits in it.",
            discussion: """
                Of many campaigns it shows the oldest, the newest hundred, and the first hundred that need a person. \
                Its status is 1 if something waits for a person, if targets wait and there is no worker, or if a worker \
                is stopped or gives no sign of life.
                """)
        @OptionGroup var options: OutboxOptions

        func run() async throws {
            let outbox = try await options.outbox()
            let facts = try await outbox.facts()
            var lines = facts.lines
            var fields = facts.json
            let backlog = try await outbox.backlog()
            let waiting = backlog.open
            if waiting > 0, let oldest = backlog.oldest {
                lines.append("waits longest: \(oldest.name), since \(oldest.createdAt.formatted(.iso8601))")
            }
            var problems: [String] = []
            var campaigns: [JSONValue] = []
            let newest = try await outbox.campaigns(in: Campaign.live)
            let examined = Set(backlog.needy + newest + [backlog.oldest].compactMap(\.self))
            for campaign in examined.sorted(by: { $0.createdAt < $1.createdAt }) {
                let name = campaign.name.rawValue
                let report = try await outbox.report(of: campaign.name)
                let progress = report.progress
                if campaign.state == .submitted, campaign.createdAt.timeIntervalSinceNow < -10 {
                    problems.append("\(name) is submitted, and no worker that has its routes has planned it")
                }
                if progress.needsPerson { problems.append("\(name) needs you: \(progress)") }
                if campaign.state == .paused, progress.reason == nil {
                    lines.append("\(name) was paused by a person; pushctl outbox resume \(name)")
                }
                let waits = try await report.waits()
                lines += report.lines(waits).map { "\(name): \($0)" }
                campaigns.append(.object(report.json(waits)))
            }
            if waiting > 0, facts.workers.isEmpty { problems.append("no worker runs; start pushctl outbox run") }
            for worker in facts.workers where worker.isLate {
                problems.append("a worker on \(worker.host) gives no sign of life; the next one takes what it has")
            }
            for process in facts.workers.compactMap(\.process) where Self.isStopped(process) {
                problems.append("the worker, process \(process), is stopped; kill -CONT or kill -9 it")
            }
            if backlog.needyCount > backlog.needy.count {
                problems.append("\(backlog.needyCount) campaigns need you; these are the first \(backlog.needy.count)")
            }
            fields["waitingTargets"] = JSONValue(waiting)
            fields["problems"] = .array(problems.map { .string($0) })
            fields["campaigns"] = .array(campaigns)
            lines +=
                ["\(Output.count(waiting, "target")) waiting"]
                + (problems.isEmpty ? ["nothing needs a person"] : problems)
            if options.json { Output.print(.object(fields)) } else { Output.line(lines.joined(separator: "\n")) }
            if !problems.isEmpty { throw ExitCode(1) }
        }

        /// Whether a process on this machine was stopped by a signal or a debugger.
        private static func isStopped(_ process: Int32) -> Bool {
            let facts = try? String(contentsOf: URL(filePath: "/proc/\(process)/stat"), encoding: .utf8)
            // The process's name, in brackets, may contain any character.
            let state = facts?.split(separator: ")").last?.split(separator: " ").first
            return state == "T" || state == "t"
        }
    }
}

extension OutboxFacts {
    fileprivate var json: [String: JSONValue] {
        [
            "engine": .string(engine), "version": JSONValue(version),
            "durability": .object(durability.mapValues { .string($0) }),
            "bytes": .object(sizes.mapValues { JSONValue($0) }),
            "workers": .array(
                workers.map { worker in
                    var fields = ["host": JSONValue.string(worker.host)]
                    fields["process"] = worker.process.map { JSONValue(Int($0)) }
                    fields["remainingSeconds"] = worker.remaining.map { JSONValue(Int($0.components.seconds)) }
                    return .object(fields)
                }),
        ]
    }

    fileprivate var lines: [String] {
        let settings = durability.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }
        let sizes = sizes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \($0.value / 1024) KiB" }
        let hosts = workers.map { worker in
            worker.host + (worker.process.map { ", process \($0)" } ?? "") + (worker.isLate ? " (late)" : "")
        }
        return [
            "\(engine), tables of version \(version)", settings.joined(separator: ", "),
            "workers: " + (hosts.isEmpty ? "none" : hosts.joined(separator: ", ")), sizes.joined(separator: ", "),
        ]
    }
}
