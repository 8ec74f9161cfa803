import ArgumentParser
import PushAdapter
import PushBridge
import PushConformance

struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device", abstract: "Shows a device's tags, alias, accounts and attributes.")

    @Argument(help: "The device id, as the vendor knows it.") var device: String
    @OptionGroup var client: ClientOptions

    func run() async throws {
        let id = DeviceID(device)
        let rows = try await client.withClient { (client) async throws(PushError) in
            let vendor = try Vendor.named(client.provider.id.rawValue)
            if let rows = try await vendor.harness.readDevice(id, client) { return rows.map(DeviceRow.init) }
            var rows: [DeviceRow] = []
            let reads: [DeviceOperation] = [.readTags, .readAlias, .readAccounts, .readAttributes]
            for read in reads where client.capabilities[read.feature] == .native {
                if let row = try await client.perform(read, of: id).row { rows.append(row) }
            }
            guard !rows.isEmpty else {
                throw PushError(.unsupported, "\(client.provider.id) reports nothing about a device")
            }
            return rows
        }
        if client.json {
            var fields = Dictionary(rows.map { ($0.name, $0.value) }) { first, _ in first }
            fields["device"] = .string(device)
            Output.print(.object(fields))
        } else {
            Output.line(Tables.table(["", device], rows.map { [$0.name, $0.text(", ") ?? "-"] }))
        }
    }
}
