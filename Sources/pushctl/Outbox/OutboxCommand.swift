import ArgumentParser
import FoundationEssentials
import PushBridge
import PushOutbox

/// Campaigns that outlive the program.
struct OutboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox", abstract: "Carries out campaigns that survive a crash, from a file.",
        subcommands: [
            Enqueue.self, Run.self, List.self, Show.self, Pause.self, Resume.self, Cancel.self, Resend.self,
            Migrate.self,
            Prune.self, Doctor.self,
        ], defaultSubcommand: List.self)

    struct Enqueue: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Keeps a campaign; pushctl outbox run sends it. The same again is the same campaign.",
            discussion: """
                The status is 1 if that one was cancelled or refused, ran out of time, or ended so long ago that it was \
                removed.
                """)
        @Argument(help: "The name of the campaign.")
        var name: String
        @Option(help: "A JSON file with the message; - for standard input.")
        var message: String
        @Option(
            help:
                "everyone, devices:ID,ID, devices:@FILE, aliases:NAME,NAME, accounts:TYPE:NAME, tags:TAG,TAG, or JSON.")
        var to: String
        @Option(help: "The route of the settings that sends it.")
        var at: String
        @Option(help: "Which campaigns go first at a route.")
        var priority = CampaignOptions.Priority.normal
        @Option(help: "Seconds after which pushctl gives up what it has not sent.")
        var expiry: Double?
        @Option(help: "What happens to targets whose outcome is unknown; with resend, some may get the message twice.")
        var afterUnknown = CampaignOptions.AfterUnknown.report
        @Option(help: "A JSON file with the routes and their vendors' settings; the environment wins.")
        var config: String?
        @OptionGroup var options: OutboxOptions

        func run() async throws {
            let message = try Input.message(ofFile: message)
            let file = try Input.deviceFile(to).map { (path) throws(PushError) in try LineFile(path) }
            let part: CampaignPart
            if let file {
                part = .devices(file, at: RouteName(at))
            } else {
                part = .audience(try Input.audience(to), at: RouteName(at))
            }
            var campaign = CampaignOptions()
            campaign.priority = priority
            campaign.afterUnknown = afterUnknown
            if let expiry {
                guard expiry > 0, expiry <= 366 * 86_400 else {
                    throw PushError(
                        .invalidArgument, "--expiry is \(expiry); give more than 0 seconds and at most a year")
                }
                campaign.expiry = .seconds(expiry)
            }
            let settings = campaign
            try await options.withOutbox(config: config) { outbox in
                try await outbox.enqueue(message, to: [part], as: CampaignName(name), options: settings)
                let progress = try await outbox.progress(now: CampaignName(name))
                Output.show(progress, of: name, asJSON: options.json)
                guard [.cancelled, .expired, .refused, .removed].contains(progress.state) else { return }
                Output.complain(
                    "\(name) is \(progress.state) already, so nothing is sent; give another name to send it again")
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
        @OptionGroup var options: OutboxOptions

        func run() async throws {
            let signal = StopSignal()
            var settings = OutboxSettings()
            let lines = OutboxLines()
            settings.onEvent = { event in
                if let line = lines.line(for: event) { OutboxBar.complain("\(Date.now.formatted(.iso8601)) \(line)") }
            }
            let (untilIdle, isQuiet) = (untilIdle, options.json)
            let needsPerson = try await options.withOutbox(config: config, settings) { outbox in
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
