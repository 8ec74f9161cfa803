import ArgumentParser
import PushBridge

struct AttributesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attributes", abstract: "Reads and changes the attributes of a device.",
        subcommands: [Get.self, Set.self, Remove.self, Clear.self])

    struct Get: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists names and values.")
        @Argument(help: "The device id, as the vendor knows it.") var device: String
        @OptionGroup var client: ClientOptions
        func run() async throws { try await client.perform(.readAttributes, of: device) }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Sets attributes and keeps the others.")
        @Argument(help: "The device id, as the vendor knows it.") var device: String
        @Argument(help: "NAME=VALUE, one or more.") var attributes: [String]
        @Flag(help: "Replace all attributes with these.") var only = false
        @OptionGroup var client: ClientOptions

        func run() async throws {
            let read = try AttributesCommand.read(attributes)
            try await client.perform(.updateAttributes(only ? .replace(read) : .add(read)), of: device)
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Removes attributes from the device.")
        @Argument(help: "The device id, as the vendor knows it.") var device: String
        @Argument(help: "Names of attributes, one or more.") var names: [String]
        @OptionGroup var client: ClientOptions
        func run() async throws {
            try await client.perform(.updateAttributes(.remove(Swift.Set(names))), of: device)
        }
    }

    struct Clear: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Removes all attributes from the device.")
        @Argument(help: "The device id, as the vendor knows it.") var device: String
        @OptionGroup var client: ClientOptions
        func run() async throws { try await client.perform(.updateAttributes(.clear), of: device) }
    }

    private static func read(_ texts: [String]) throws(PushError) -> [String: String] {
        var attributes: [String: String] = [:]
        for text in texts {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, attributes[parts[0]] == nil else {
                throw PushError(.invalidArgument, "write each attribute as NAME=VALUE, and each name once")
            }
            attributes[parts[0]] = parts[1]
        }
        return attributes
    }
}
