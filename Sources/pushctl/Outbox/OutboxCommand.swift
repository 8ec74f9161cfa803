import ArgumentParser
import PushBridge
import PushOutbox

/// Campaigns that outlive the program.
struct OutboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox", abstract: "Carries out campaigns that survive a crash, from a file.",
        subcommands: [
            Enqueue.self, Run.self, List.self, Show.self, Pause.self, Resume.self, Cancel.self, Resend.self,
        ], defaultSubcommand: List.self)

    struct Enqueue: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Keeps a campaign; pushctl outbox run sends it. The same again is the same campaign.")
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
        @Option(help: "Who goes first at a route.")
        var priority = CampaignOptions.Priority.normal
        @Option(help: "Seconds after which what was not sent is given up.")
        var expiry: Double?
        @Option(help: "What happens to targets whose outcome nobody can know.")
        var afterUnknown = CampaignOptions.AfterUnknown.report
        @Option(help: "A JSON file with the routes and their vendors' settings; the environment wins.")
        var config: String?
        @OptionGroup var options: OutboxOptions

        func run() async throws {
            let message = try Input.message(ofFile: message)
            let file = try Input.deviceFile(to).map { (path) throws(PushError) in try LineFile(path) }
            let leg: CampaignLeg
            if let file {
                leg = .devices(file, at: RouteName(at))
            } else {
                leg = .audience(try Input.audience(to), at: RouteName(at))
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
                try await outbox.enqueue(message, to: [leg], as: CampaignName(name), options: settings)
                Output.show(try await outbox.progress(now: CampaignName(name)), of: name, asJSON: options.json)
            }
        }
    }

    struct Run: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sends what the outbox has, until SIGINT or SIGTERM; waits while another process does.")
        @Flag(help: "End when nothing is left that can be sent now.")
        var untilIdle = false
        @Option(help: "A JSON file with the routes and their vendors' settings; the environment wins.")
        var config: String?
        @OptionGroup var options: OutboxOptions

        func run() async throws {
            let signal = StopSignal()
            var settings = OutboxSettings()
            settings.onEvent = { event in if let line = event.line { Output.complain(line) } }
            try await options.withOutbox(config: config, settings) { outbox in
                let worker = Task { untilIdle ? try await outbox.runUntilIdle() : try await outbox.run() }
                let stopping = Task {
                    await signal.wait()
                    worker.cancel()
                }
                defer { stopping.cancel() }
                try await worker.value
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the campaigns, newest first.")
        @OptionGroup var options: OutboxOptions

        func run() async throws {
            let outbox = try options.outbox()
            var rows: [[String]] = []
            var objects: [JSONValue] = []
            for campaign in try await outbox.campaigns() {
                let progress = try await outbox.progress(now: campaign.name)
                let routes = campaign.legs.map(\.route.rawValue).joined(separator: ", ")
                rows.append([
                    campaign.name.rawValue, "\(progress.state)", routes, String(progress.total),
                    String(progress.accepted), String(progress.open), String(progress.unknown),
                    progress.pausedLegs.isEmpty && progress.slices[.held] == nil ? "" : "needs you: show it",
                ])
                objects.append(Output.json(progress, of: campaign.name.rawValue))
            }
            if options.json { return Output.print(.array(objects)) }
            let header = ["CAMPAIGN", "STATE", "ROUTES", "TARGETS", "ACCEPTED", "OPEN", "UNKNOWN", ""]
            Output.line(rows.isEmpty ? "the outbox is empty" : Tables.table(header, rows))
        }
    }

    struct Show: AsyncParsableCommand {
        /// What --exceptions takes.
        enum Wanted: String, ExpressibleByArgument, CaseIterable {
            case all, invalid, suspect, rejected, unknown, duplicate
            case notAttempted = "not-attempted"

            fileprivate var outcomes: Set<Slice.Outcome> {
                switch self {
                case .all: [.open, .invalid, .suspect, .rejected, .rejectedForNow, .unknown, .duplicate]
                case .invalid: [.invalid]
                case .suspect: [.suspect]
                case .rejected: [.rejected, .rejectedForNow]
                case .unknown: [.unknown]
                case .duplicate: [.duplicate]
                case .notAttempted: [.open]
                }
            }
        }

        static let configuration = CommandConfiguration(
            abstract: "Shows how far a campaign is, what stops it, and who did not get it.")
        @Argument(help: "The name of the campaign.")
        var name: String
        @Option(help: "Also list the targets with this outcome, one JSON object in each line.")
        var exceptions: Wanted?
        @OptionGroup var options: OutboxOptions

        func run() async throws {
            let report = try await options.outbox().report(of: CampaignName(name))
            Output.show(report.progress, of: name, asJSON: options.json)
            guard let exceptions else { return }
            for try await item in report.exceptions(only: exceptions.outcomes) {
                var fields: [String: JSONValue] = [
                    "route": .string(item.route.rawValue), "status": .string(Tables.name(item.status)),
                    "position": JSONValue(item.position),
                ]
                fields["target"] = item.target.map { .string($0.text) }
                fields["reason"] = item.reason.map { .string($0) }
                Output.line(String(decoding: JSONWriter.bytes(of: .object(fields)), as: UTF8.self))
            }
        }
    }

    struct Pause: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Pauses a campaign; requests on their way end.")
        @Argument(help: "The name of the campaign.")
        var name: String
        @OptionGroup var options: OutboxOptions

        func run() async throws {
            try await options.operate(name) { (outbox, name) in
                try await outbox.pause(name)
            }
        }
    }

    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Resumes a campaign, its parts that were paused for a reason, and its held slices.")
        @Argument(help: "The name of the campaign.")
        var name: String
        @OptionGroup var options: OutboxOptions

        func run() async throws {
            try await options.operate(name) { (outbox, name) in
                try await outbox.resume(name)
            }
        }
    }

    struct Cancel: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Ends a campaign; what was not sent stays unsent.")
        @Argument(help: "The name of the campaign.")
        var name: String
        @OptionGroup var options: OutboxOptions

        func run() async throws {
            try await options.operate(name) { (outbox, name) in
                try await outbox.cancel(name)
            }
        }
    }

    struct Resend: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sends a campaign once more to targets whose outcome nobody knows; some may get it twice.")
        @Argument(help: "The name of the campaign.")
        var name: String
        @Flag(help: "Required: says that you accept messages that arrive twice.")
        var unknown = false
        @OptionGroup var options: OutboxOptions

        func validate() throws {
            guard unknown else { throw ValidationError("Add --unknown: some targets may get the message twice.") }
        }

        func run() async throws {
            try await options.operate(name) { (outbox, name) in
                _ = try await outbox.resendUnknown(name)
            }
        }
    }
}

extension OutboxOptions {
    /// Does something to a campaign, and shows what it is then.
    fileprivate func operate(
        _ name: String, _ operation: (PushOutbox, CampaignName) async throws -> Void
    ) async throws {
        let outbox = try outbox()
        try await operation(outbox, CampaignName(name))
        Output.show(try await outbox.progress(now: CampaignName(name)), of: name, asJSON: json)
    }
}

extension Output {
    fileprivate static func show(_ progress: CampaignProgress, of name: String, asJSON: Bool) {
        if asJSON { print(json(progress, of: name)) } else { line("\(name) is \(progress)") }
    }

    fileprivate static func json(_ progress: CampaignProgress, of name: String) -> JSONValue {
        var fields: [String: JSONValue] = [
            "campaign": .string(name), "state": .string("\(progress.state)"), "targets": JSONValue(progress.total),
            "accepted": JSONValue(progress.accepted), "open": JSONValue(progress.open),
            "unknown": JSONValue(progress.unknown), "invalid": JSONValue(progress.targets[.invalid] ?? 0),
            "resent": JSONValue(progress.resent), "heldSlices": JSONValue(progress.slices[.held] ?? 0),
        ]
        let paused = progress.pausedLegs.map { ("\($0)", JSONValue.string($1)) }
        fields["pausedParts"] = .object(Dictionary(paused, uniquingKeysWith: { first, _ in first }))
        return .object(fields)
    }
}

extension OutboxEvent {
    /// What a person who watches a worker wants to read; nil for what happens all the time.
    fileprivate var line: String? {
        switch self {
        case .leased, .tried: nil
        case .enqueued(let name, let slices): "\(name): enqueued, \(slices) slices"
        case .recovered(let slices, let sent):
            "found \(slices) slices of a worker that ended; \(sent) may have been sent"
        case .legPaused(_, let leg, let route, let reason): "part \(leg) at \(route) is paused: \(reason)"
        case .held(let id): "slice \(id.number) of part \(id.leg) ended several workers, and is held"
        case .unreadable(let campaign, let reason): "campaign number \(campaign): \(reason)"
        case .storeFailed(let reason): reason
        case .ended(let name, let state): "\(name): \(state)"
        }
    }
}
