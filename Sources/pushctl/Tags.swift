import ArgumentParser
import PushBridge

struct Tags: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Reads and changes the tags of a device.",
        subcommands: [Get.self, Has.self, Add.self, Remove.self, Set.self, Clear.self], defaultSubcommand: Get.self)

    struct Get: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the tags.")
        @Argument var device: String
        @OptionGroup var client: ClientOptions

        func run() async throws {
            let tags = try await client.withClient { (client) async throws(PushError) in
                try await client.readTags(of: DeviceID(device))
            }
            Output.list(tags.sorted().map(\.rawValue), "tags", asJSON: client.json)
        }
    }

    struct Has: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Tells whether the device has a tag.")
        @Argument var device: String
        @Argument var tag: String
        @OptionGroup var client: ClientOptions

        func run() async throws {
            let hasTag = try await client.withClient { (client) async throws(PushError) in
                try await client.hasTag(Tag(tag), device: DeviceID(device))
            }
            if client.json { Output.print(["hasTag": .bool(hasTag)]) } else { Output.line(hasTag ? "yes" : "no") }
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Adds tags to those the device has.")
        @Argument var device: String
        @Argument var tags: [String]
        @OptionGroup var client: ClientOptions
        func run() async throws { try await Tags.update(.add(Tags.named(tags)), device, client) }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Takes tags off the device.")
        @Argument var device: String
        @Argument var tags: [String]
        @OptionGroup var client: ClientOptions
        func run() async throws { try await Tags.update(.remove(Tags.named(tags)), device, client) }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes the tags exactly these; by reading, adding and removing where the vendor cannot.")
        @Argument var device: String
        @Argument var tags: [String]
        @OptionGroup var client: ClientOptions
        func run() async throws { try await Tags.update(.replace(Tags.named(tags)), device, client) }
    }

    struct Clear: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Takes all tags off the device.")
        @Argument var device: String
        @OptionGroup var client: ClientOptions
        func run() async throws { try await Tags.update(.clear, device, client) }
    }

    private static func named(_ names: [String]) -> Swift.Set<Tag> { Swift.Set(names.map { Tag($0) }) }

    private static func update(_ change: TagUpdate, _ device: String, _ options: ClientOptions) async throws {
        let outcome = try await options.withClient { (client) async throws(PushError) in
            try await client.updateTags(change, of: DeviceID(device))
        }
        try Outcome.show(outcome, asJSON: options.json, \.rawValue)
    }
}
