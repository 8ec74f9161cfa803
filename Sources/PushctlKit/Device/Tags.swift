import ArgumentParser
import PushBridge

struct Tags: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Reads and changes the tags of a device.",
        subcommands: [Get.self, Has.self, Add.self, Remove.self, Set.self, Clear.self])

    struct Get: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the tags.")
        @Argument(help: "The device id, as the vendor knows it.") var device: String
        @OptionGroup var client: ClientOptions
        func run() async throws { try await client.perform(.readTags, of: device) }
    }

    struct Has: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Shows whether the device has a tag.")
        @Argument(help: "The device id, as the vendor knows it.") var device: String
        @Argument(help: "The tag.") var tag: String
        @OptionGroup var client: ClientOptions
        func run() async throws { try await client.perform(.testTag(Tag(tag)), of: device) }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Adds tags to the device and keeps the others.")
        @Argument(help: "The device id, as the vendor knows it.") var device: String
        @Argument(help: "Tags, one or more.") var tags: [String]
        @OptionGroup var client: ClientOptions
        func run() async throws { try await client.perform(.updateTags(.add(Tags.named(tags))), of: device) }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Removes tags from the device.")
        @Argument(help: "The device id, as the vendor knows it.") var device: String
        @Argument(help: "Tags, one or more.") var tags: [String]
        @OptionGroup var client: ClientOptions
        func run() async throws { try await client.perform(.updateTags(.remove(Tags.named(tags))), of: device) }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Replaces all tags of the device.",
            discussion: "If the vendor cannot replace tags, the client reads, adds and removes them.")
        @Argument(help: "The device id, as the vendor knows it.") var device: String
        @Argument(help: "Tags, one or more.") var tags: [String]
        @OptionGroup var client: ClientOptions
        func run() async throws { try await client.perform(.updateTags(.replace(Tags.named(tags))), of: device) }
    }

    struct Clear: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Removes all tags from the device.")
        @Argument(help: "The device id, as the vendor knows it.") var device: String
        @OptionGroup var client: ClientOptions
        func run() async throws { try await client.perform(.updateTags(.clear), of: device) }
    }

    private static func named(_ names: [String]) -> Swift.Set<Tag> { Swift.Set(names.map { Tag($0) }) }
}
