import ArgumentParser
import PushBridge

struct AttributesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attributes", abstract: "Reads and changes the attributes of a device.",
        subcommands: [Get.self, Set.self, Remove.self, Clear.self], defaultSubcommand: Get.self)

    struct Get: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists names and values.")
        @Argument var device: String
        @OptionGroup var client: ClientOptions

        func run() async throws {
            let attributes = try await client.withClient { (client) async throws(PushError) in
                try await client.readAttributes(of: DeviceID(device))
            }
            if client.json {
                Output.print(["attributes": .object(attributes.mapValues(JSONValue.string))])
            } else {
                let lines = attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
                Output.line(lines.isEmpty ? "no attributes" : lines.joined(separator: "\n"))
            }
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Sets attributes beside the others.")
        @Argument var device: String
        @Argument(help: "NAME=VALUE, one or more.") var attributes: [String]
        @Flag(help: "Makes the attributes exactly these.") var only = false
        @OptionGroup var client: ClientOptions

        func run() async throws {
            let read = try AttributesCommand.read(attributes)
            try await AttributesCommand.update(only ? .replace(read) : .add(read), device, client)
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Takes attributes off the device.")
        @Argument var device: String
        @Argument var names: [String]
        @OptionGroup var client: ClientOptions
        func run() async throws { try await AttributesCommand.update(.remove(Swift.Set(names)), device, client) }
    }

    struct Clear: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Takes all attributes off the device.")
        @Argument var device: String
        @OptionGroup var client: ClientOptions
        func run() async throws { try await AttributesCommand.update(.clear, device, client) }
    }

    private static func read(_ texts: [String]) throws(PushError) -> [String: String] {
        var attributes: [String: String] = [:]
        for text in texts {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, attributes[parts[0]] == nil else {
                throw PushError(.invalidArgument, "an attribute is written NAME=VALUE, each name once")
            }
            attributes[parts[0]] = parts[1]
        }
        return attributes
    }

    private static func update(_ change: AttributeUpdate, _ device: String, _ options: ClientOptions) async throws {
        let outcome = try await options.withClient { (client) async throws(PushError) in
            try await client.updateAttributes(change, of: DeviceID(device))
        }
        try Outcome.show(outcome, asJSON: options.json) { $0 }
    }
}
