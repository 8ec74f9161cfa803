import ArgumentParser
import PushBridge
import PushConformance

struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device", abstract: "Shows what the vendor tells of a device: tags, alias, accounts, attributes.")

    typealias Row = (name: String, value: JSONValue)

    @Argument var device: String
    @OptionGroup var client: ClientOptions

    func run() async throws {
        let id = DeviceID(device)
        let rows = try await client.withClient { (client) async throws(PushError) in
            let vendor = try Vendor.named(client.provider.id.rawValue)
            if let rows = try await vendor.harness.readDevice(id, client) { return rows }
            var rows: [Row] = []
            func has(_ feature: Feature) -> Bool { client.capabilities[feature] == .native }
            if has(.readTags) { rows.append(Self.tags(try await client.readTags(of: id))) }
            if has(.readAlias) { rows.append(Self.alias(try await client.readAlias(of: id))) }
            if has(.readAccounts) {
                let accounts = try await client.readAccounts(of: id).map(\.written).sorted()
                rows.append(("accounts", .array(accounts.map(JSONValue.string))))
            }
            if has(.readAttributes) {
                rows.append(
                    ("attributes", .object(try await client.readAttributes(of: id).mapValues(JSONValue.string))))
            }
            guard !rows.isEmpty else {
                throw PushError(.unsupported, "\(client.provider.id) tells nothing about a device")
            }
            return rows
        }
        if client.json {
            var fields = Dictionary(rows.map { ($0.name, $0.value) }) { first, _ in first }
            fields["device"] = .string(device)
            Output.print(.object(fields))
        } else {
            Output.line(Tables.table(["", device], rows.map { [$0.name, Self.text($0.value)] }))
        }
    }

    static func tags(_ tags: Set<Tag>) -> Row { ("tags", .array(tags.sorted().map { .string($0.rawValue) })) }

    static func alias(_ alias: Alias?) -> Row { ("alias", alias.map { .string($0.rawValue) } ?? nil) }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .array(let items): items.map(\.shown).joined(separator: ", ")
        case .object(let fields):
            fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.shown)" }.joined(separator: ", ")
        case .null: "-"
        default: value.shown
        }
    }
}
