import ArgumentParser
import FoundationEssentials
import PushBridge
import PushOutbox
import PushRouter

/// Campaigns that outlive the program.
struct OutboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox", abstract: "Carries out campaigns that survive a crash, from a file or PostgreSQL.",
        subcommands: [
            Enqueue.self, Run.self, List.self, Show.self, Pause.self, Resume.self, Cancel.self, Resend.self,
            Retire.self, Migrate.self, Prune.self, Doctor.self, Page.self,
        ], defaultSubcommand: List.self)

    struct Enqueue: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Keeps a campaign; pushctl outbox run sends it. The same again is the same campaign.",
            discussion: """
                With --users, each installation of a user gets it over its best route, and over another one if that \
                vendor certainly did not take it; the settings say how. The status is 1 if the campaign was cancelled \
                or refused before, ran out of time, or ended so long ago that it was removed.
                """)
        @Argument(help: "The name of the campaign.")
        var name: String
        @Option(help: "A JSON file with the message; - for standard input.")
        var message: String
        @Option(
            help:
                "everyone, devices:ID,ID, devices:@FILE, aliases:NAME,NAME, accounts:TYPE:NAME, tags:TAG,TAG, or JSON.")
        var to: String?
        @Option(help: "The route of the settings that sends it.")
        var at: String?
        @Option(
            help: "Instead of --to and --at: a file with a user in each line; - for standard input. Needs bindings.")
        var users: String?
        @OptionGroup var places: BindingOptions
        @Option(help: "Which campaigns go first at a route; by default normal.")
        var priority: CampaignOptions.Priority?
        @Option(help: "Seconds after which pushctl gives up what it has not sent.")
        var expiry: Double?
        @Option(help: "What happens to targets whose outcome is unknown; with resend, some may get the message twice.")
        var afterUnknown = CampaignOptions.AfterUnknown.report
        @Option(help: "A JSON file with the routes and their vendors' settings; the environment wins.")
        var config: String?
        @OptionGroup var options: OutboxOptions

        func validate() throws {
            try ArgumentCheck.checkFiles(message, users ?? to.flatMap(Input.deviceFile), places.bindings)
            let isRouted = users != nil && places.place != nil && to == nil && at == nil
            guard isRouted || (users == nil && places.place == nil && to != nil && at != nil) else {
                throw ValidationError("Give --to and --at, or --users and --bindings or --database.")
            }
        }

        /// The recipients, with the bindings of a router if they are users.
        private func part(_ message: Message, _ router: PushRouter) throws(PushError) -> CampaignPart {
            if let users {
                let lines = try LineFile(users)
                let targets = router.targets(message, to: lines.map { UserID($0.rawValue) })
                return .routed(targets, over: targets.routes, patience: targets.patience)
            }
            let (to, route) = (to ?? "", RouteName(at ?? ""))
            if let file = Input.deviceFile(to) { return .devices(try LineFile(file), at: route) }
            return .audience(try Input.audience(to), at: route)
        }

        func run() async throws {
            let message = try Input.message(ofFile: message)
            // Mistakes in the input are reported before any client is made.
            if let to, Input.deviceFile(to) == nil { _ = try Input.audience(to) }
            if let file = to.flatMap(Input.deviceFile) ?? users { _ = try LineFile(file) }
            var campaign = CampaignOptions()
            campaign.priority = priority ?? .normal
            campaign.afterUnknown = afterUnknown
            if let expiry {
                guard expiry > 0, expiry <= 366 * 86_400 else {
                    throw PushError(
                        .invalidArgument, "--expiry is \(expiry); give more than 0 seconds and at most a year")
                }
                campaign.expiry = .seconds(expiry)
            }
            let settings = campaign
            try await options.withOutbox(config: config, places.place) { (outbox, router) in
                try await outbox.enqueue(
                    message, to: [try part(message, router)], as: CampaignName(name), options: settings)
                let progress = try await outbox.progress(now: CampaignName(name))
                Output.show(progress, of: name, asJSON: options.json)
                guard [.cancelled, .expired, .refused, .removed].contains(progress.state) else { return }
                let reason = "\(name) is \(progress.state) already, so nothing is sent"
                Output.complain("error: \(reason); give another name to send it again")
                throw ExitCode(1)
            }
        }
    }

    struct Run: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sends what the outbox has, until SIGINT or SIGTERM.",
            discussion: """
                While another process works on the same file, it waits, and takes over when that process ends. On the \
                first signal it starts no request, waits up to ten seconds for those on their way, and ends.
                """)
        @Flag(
            help: """
                End when nothing is left to send now, with status 1 if a part is paused or a slice is quarantined. Refused \
                while another process works on the file.
                """)
        var untilIdle = false
        @Option(help: "A JSON file with the routes and their vendors' settings; the environment wins.")
        var config: String?
        @Option(help: "The database of bindings, in which draining migrations go on with each accepted message.")
        var database: String?
        @OptionGroup var options: OutboxOptions

        private func settings(_ router: PushRouter) -> OutboxSettings {
            var settings = OutboxSettings()
            let lines = OutboxLines()
            settings.onEvent = { event in
                if let line = lines.line(for: event) { OutboxBar.complain("\(Date.now.formatted(.iso8601)) \(line)") }
            }
            guard database != nil else { return settings }
            settings.onAccepted = { ways, date in
                do throws(PushError) { try await router.noteAccepted(ways, at: date) } catch {
                    OutboxBar.complain(
                        "\(Date.now.formatted(.iso8601)) the bindings were not updated: \(error.message)")
                }
            }
            return settings
        }

        func run() async throws {
            let signal = StopSignal()
            let (untilIdle, isQuiet) = (untilIdle, options.json)
            let needsPerson = try await options.withOutbox(config: config, database.map { .database($0) }, settings) {
                (outbox, _) in
                let worker = Task { untilIdle ? try await outbox.runUntilIdle() : try await outbox.run() }
                let stopping = Task {
                    await signal.wait()
                    worker.cancel()
                }
                let bar = Task { if !isQuiet { await OutboxBar.watch(outbox) } }
                let result = await worker.result
                stopping.cancel()
                bar.cancel()
                await bar.value
                try result.get()
                OutboxBar.complain("\(Date.now.formatted(.iso8601)) the worker has ended")
                return untilIdle ? try await outbox.backlog(needy: 0).needyCount > 0 : false
            }
            if needsPerson { throw ExitCode(1) }
        }
    }
}
