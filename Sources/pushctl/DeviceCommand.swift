import ArgumentParser
import PushBridge

struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device", abstract: "Shows what the vendor knows of a device: its tags and its alias.")

    @Argument var device: String
    @OptionGroup var client: ClientOptions

    func run() async throws {
        let id = DeviceID(device)
        let (tags, alias) = try await client.withClient { (client) async throws(PushError) in
            (try await client.readTags(of: id), try await client.readAlias(of: id))
        }
        let names = tags.sorted().map(\.rawValue)
        if client.json {
            Output.print([
                "device": .string(device), "tags": .array(names.map(JSONValue.string)),
                "alias": alias.map { .string($0.rawValue) } ?? nil,
            ])
        } else {
            Output.line(
                Tables.table(
                    ["DEVICE", "ALIAS", "TAGS"], [[device, alias?.rawValue ?? "-", names.joined(separator: ", ")]]))
        }
    }
}
