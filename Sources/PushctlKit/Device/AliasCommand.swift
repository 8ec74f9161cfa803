import ArgumentParser
import PushBridge

struct AliasCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "alias", abstract: "Reads and changes the alias of a device, and the devices of an alias.",
        subcommands: [Get.self, Set.self, Remove.self, Devices.self, Delete.self])

    struct Get: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Shows the alias.")
        @OptionGroup var device: DeviceOptions
        func run() async throws { try await device.perform(.readAlias) }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Sets the alias of the device.")
        @OptionGroup var device: DeviceOptions
        @Argument(help: "The alias.") var alias: String
        func run() async throws {
            try await device.perform(.setAlias(Alias(alias)), done: "alias set")
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Removes the alias from the device.")
        @OptionGroup var device: DeviceOptions
        func run() async throws { try await device.perform(.removeAlias, done: "alias removed") }
    }

    struct Devices: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the devices of an alias.")
        @Argument(help: "The alias.") var alias: String
        @OptionGroup var client: ClientOptions

        func run() async throws {
            let devices = try await client.withClient { (client) async throws(PushError) in
                try await client.readDevices(of: Alias(alias))
            }
            Output.list(devices.sorted().map(\.rawValue), "devices", asJSON: client.json)
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Removes an alias from every device that has it.")
        @Argument(help: "The alias.") var alias: String
        @OptionGroup var client: ClientOptions

        func run() async throws {
            try await client.withClient { (client) async throws(PushError) in
                try await client.deleteAlias(Alias(alias))
            }
            if client.json { Output.print(["isComplete": true]) } else { Output.line("alias deleted") }
        }
    }
}
