import ArgumentParser
import PushBridge
import PushOutbox

extension OutboxCommand {
    struct Pause: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Pauses a campaign; requests on their way end.")
        @Argument(help: "The name of the campaign.")
        var name: String
        @OptionGroup var options: OutboxOptions

        func run() async throws {
            try await options.operate(name) { (outbox, name) in try await outbox.pause(name) }
        }
    }

    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Resumes a campaign, its parts that were paused for a reason, and its quarantined slices.")
        @Argument(help: "The name of the campaign.")
        var name: String?
        @Option(
            help: """
                Instead of a campaign, a route: every part at it that was paused for a reason, of every campaign. A \
                campaign that a person paused stays paused.
                """)
        var at: String?
        @OptionGroup var options: OutboxOptions

        func validate() throws {
            guard (name == nil) != (at == nil) else {
                throw ValidationError("Give the name of a campaign, or --at and the name of a route.")
            }
        }

        func run() async throws {
            if let name {
                return try await options.operate(name) { (outbox, name) in try await outbox.resume(name) }
            }
            let outbox = try await options.outbox()
            var resumed: [(name: String, progress: CampaignProgress)] = []
            for name in try await outbox.resume(at: RouteName(at ?? "")) {
                resumed.append((name.rawValue, try await outbox.progress(now: name)))
            }
            if options.json {
                return Output.print(.array(resumed.map { .object(Output.json($0.progress, of: $0.name)) }))
            }
            for (name, progress) in resumed { Output.show(progress, of: name, asJSON: false) }
            if resumed.isEmpty { Output.complain("nothing at this route was paused for a reason") }
        }
    }

    struct Cancel: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Ends a campaign; what was not sent stays unsent. It cannot be resumed.")
        @Argument(help: "The name of the campaign.")
        var name: String
        @OptionGroup var options: OutboxOptions

        func run() async throws {
            try await options.operate(name) { (outbox, name) in try await outbox.cancel(name) }
        }
    }

    struct Resend: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sends a campaign once more to targets whose outcome is unknown; some may get it twice.")
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
                let count = try await outbox.resendUnknown(name)
                guard !options.json else { return }
                Output.complain(
                    count > 0
                        ? "\(Output.count(count, "target")) will get it once more, a minute from now"
                        : "no target is unknown")
            }
        }
    }
}

extension OutboxOptions {
    /// Operates on a campaign, and shows its new state.
    fileprivate func operate(
        _ name: String, _ operation: (PushOutbox, CampaignName) async throws -> Void
    ) async throws {
        let outbox = try await outbox()
        try await operation(outbox, CampaignName(name))
        Output.show(try await outbox.progress(now: CampaignName(name)), of: name, asJSON: json)
    }
}
