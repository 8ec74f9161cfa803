import ArgumentParser
import PushBridge

struct Tags: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Reads and changes the tags of a device.",
        subcommands: [Get.self, Has.self, Add.self, Remove.self, Set.self, Clear.self])

    struct Get: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the tags.")
        @OptionGroup var device: DeviceOptions
        func run() async throws { try await device.perform(.readTags) }
    }

    struct Has: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Shows whether the device has a tag.")
        @OptionGroup var device: DeviceOptions
        @Argument(help: "The tag.") var tag: String
        func run() async throws { try await device.perform(.testTag(Tag(tag))) }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Adds tags to the device and keeps the others.")
        @OptionGroup var device: DeviceOptions
        @Argument(help: "Tags, one or more.") var tags: [String]
        func run() async throws { try await device.perform(.updateTags(.add(Tags.named(tags)))) }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Removes tags from the device.")
        @OptionGroup var device: DeviceOptions
        @Argument(help: "Tags, one or more.") var tags: [String]
        func run() async throws { try await device.perform(.updateTags(.remove(Tags.named(tags)))) }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Replaces all tags of the device.",
            discussion: "If the vendor cannot replace tags, the client reads, adds and removes them.")
        @OptionGroup var device: DeviceOptions
        @Argument(help: "Tags, one or more.") var tags: [String]
        func run() async throws { try await device.perform(.updateTags(.replace(Tags.named(tags)))) }
    }

    struct Clear: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Removes all tags from the device.")
        @OptionGroup var device: DeviceOptions
        func run() async throws { try await device.perform(.updateTags(.clear)) }
    }

    private static func named(_ names: [String]) -> Swift.Set<Tag> { Swift.Set(names.map { Tag($0) }) }
}
