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
            abstract: "Resumes a campaign, its parts that were paused for a reason, and its held slices.")
        @Argument(help: "The name of the campaign.")
        var name: String
        @OptionGroup var options: OutboxOptions

        func run() async throws {
            try await options.operate(name) { (outbox, name) in try await outbox.resume(name) }
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
                    count > 0 ? "\(count) targets will get it once more, a minute from now" : "no target is unknown")
            }
        }
    }
}

extension OutboxOptions {
    /// Does something to a campaign, and shows what it is then.
    fileprivate func operate(
        _ name: String, _ operation: (PushOutbox, CampaignName) async throws -> Void
    ) async throws {
        let outbox = try await outbox()
        try await operation(outbox, CampaignName(name))
        Output.show(try await outbox.progress(now: CampaignName(name)), of: name, asJSON: json)
    }
}
