import ArgumentParser
import PushBridge

struct AttributesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attributes", abstract: "Reads and changes the attributes of a device.",
        subcommands: [Get.self, Set.self, Remove.self, Clear.self])

    struct Get: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists names and values.")
        @OptionGroup var device: DeviceOptions
        func run() async throws { try await device.perform(.readAttributes) }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Sets attributes and keeps the others.")
        @OptionGroup var device: DeviceOptions
        @Argument(help: "NAME=VALUE, one or more.") var attributes: [String]
        @Flag(help: "Replace all attributes with these.") var only = false

        func run() async throws {
            let read = try AttributesCommand.read(attributes)
            try await device.perform(.updateAttributes(only ? .replace(read) : .add(read)))
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Removes attributes from the device.")
        @OptionGroup var device: DeviceOptions
        @Argument(help: "Names of attributes, one or more.") var names: [String]
        func run() async throws {
            try await device.perform(.updateAttributes(.remove(Swift.Set(names))))
        }
    }

    struct Clear: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Removes all attributes from the device.")
        @OptionGroup var device: DeviceOptions
        func run() async throws { try await device.perform(.updateAttributes(.clear)) }
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
