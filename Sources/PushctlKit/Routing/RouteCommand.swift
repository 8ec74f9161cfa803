import ArgumentParser
import PushBridge
import PushRouter

struct RouteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "route", abstract: "Plans and sends over several vendors, from bindings of installations.",
        subcommands: [Plan.self, Send.self, Bindings.self, Migration.self])

    struct Plan: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows who would get a message over which route, and what a vendor would refuse; sends nothing.")
        @Option(help: "A JSON file with the message; - for standard input.")
        var message: String
        @OptionGroup var recipients: RouteRecipients
        @OptionGroup var options: RouteOptions

        func validate() throws {
            try ArgumentCheck.checkFiles(message, recipients.userFile, options.places.bindings)
        }

        func run() async throws {
            let message = try Input.message(ofFile: message)
            var summary = PlanSummary()
            try await options.withRouter { router in
                try await recipients.plans(of: message, router) { summary.add($0) }
            }
            if options.json { Output.print(summary.json) } else { Output.line(summary.text) }
            if let first = summary.problems.first { throw ExitCode(Failure.status(of: first.error)) }
        }
    }

    struct Send: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sends a message over the routes of its recipients, and reports on every installation.")
        @Option(help: "A JSON file with the message; - for standard input.")
        var message: String
        @Option(help: "Seconds that each list of a route may take.")
        var deadline: Double?
        @Flag(help: "Remove the bindings that a vendor called dead from the database.")
        var prune = false
        @OptionGroup var recipients: RouteRecipients
        @OptionGroup var options: RouteOptions

        func run() async throws {
            let message = try Input.message(ofFile: message)
            if let deadline, !(deadline > 0 && deadline <= 86_400) {
                throw PushError(
                    .invalidArgument, "--deadline is \(deadline); give more than 0 and at most 86400 seconds")
            }
            var summary = SendSummary()
            try await options.withRouter { router in
                try await recipients.plans(of: message, router) { plan in
                    let report = try await router.send(plan, deadline: deadline.map { .seconds($0) })
                    summary.add(report)
                    if prune { summary.add(try await router.prune(report)) }
                }
            }
            if options.json { Output.print(summary.json) } else { Output.line(summary.text) }
            if !summary.isComplete { throw ExitCode(1) }
        }

        func validate() throws {
            try ArgumentCheck.checkFiles(message, recipients.userFile, options.places.bindings)
            if prune, options.places.database == nil {
                throw ValidationError("--prune changes a database; a file of bindings is only read.")
            }
        }
    }

    struct Bindings: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows the bindings of users or installations, or imports a file of them into a database.")
        @Option(name: .customLong("user"), help: "A user. Repeatable.")
        var users: [String] = []
        @Option(name: .customLong("installation"), help: "An installation. Repeatable.")
        var installations: [String] = []
        @Option(name: .customLong("import"), help: "A file with a binding in each line, as JSON.")
        var file: String?
        @OptionGroup var options: RouteOptions

        func run() async throws {
            if let file {
                let count = try await options.place.bindAll(of: file)
                if options.json {
                    Output.print(["imported": JSONValue(integerLiteral: count)])
                } else {
                    Output.line("\(count) bindings imported")
                }
            }
            guard !users.isEmpty || !installations.isEmpty else { return }
            let store = try options.store()
            var found: [Binding] = []
            if !users.isEmpty { found += try await store.bindings(of: users.map { UserID($0) }) }
            if !installations.isEmpty {
                found += try await store.bindings(ofInstallations: installations.map { InstallationID($0) })
            }
            if options.json {
                Output.print(["bindings": .array(found.map(RouteTables.json))])
            } else {
                Output.line(RouteTables.bindings(found))
            }
        }

        func validate() throws {
            guard file != nil || !users.isEmpty || !installations.isEmpty else {
                throw ValidationError("Give --user or --installation to show bindings, or --import FILE.")
            }
            guard users.count <= 1_000, installations.count <= 1_000 else {
                throw ValidationError("Give at most 1000 users or installations.")
            }
        }
    }

    struct Migration: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows the migrations of the settings: who has a binding where, and how many move.")
        @Argument(help: "A migration; by default all.")
        var name: String?
        @OptionGroup var options: RouteOptions

        func run() async throws {
            let all = try await options.withRouter { router in
                var all: [MigrationStatus] = []
                for name in name.map({ [$0] }) ?? router.policy.migrations.map(\.name) {
                    all.append(try await router.status(ofMigration: name))
                }
                return all
            }
            if options.json {
                Output.print(["migrations": .array(all.map(RouteTables.json))])
            } else {
                Output.line(all.isEmpty ? "the settings have no migrations" : RouteTables.migrations(all))
            }
        }
    }
}
