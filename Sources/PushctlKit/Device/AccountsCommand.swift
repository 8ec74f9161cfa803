import ArgumentParser
import PushBridge

struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts", abstract: "Reads and changes the accounts of a device.",
        discussion:
            "An account is written NAME, or TYPE:NAME with the vendor's number for its type: 1002:+8613711112222.",
        subcommands: [Get.self, Devices.self, Add.self, Remove.self, Set.self, Clear.self])

    struct Get: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the accounts; not every vendor reports their types.")
        @OptionGroup var device: DeviceOptions
        func run() async throws { try await device.perform(.readAccounts) }
    }

    struct Devices: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the devices of an account.")
        @Argument(help: "The account.") var account: String
        @OptionGroup var client: ClientOptions

        func run() async throws {
            let devices = try await client.withClient { (client) async throws(PushError) in
                try await client.readDevices(of: Account(written: account))
            }
            Output.list(devices.sorted().map(\.rawValue), "devices", asJSON: client.json)
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Binds accounts to the device.")
        @OptionGroup var device: DeviceOptions
        @Argument(help: "Accounts, one or more: NAME, or TYPE:NAME.") var accounts: [String]
        func run() async throws {
            try await device.perform(.updateAccounts(.add(AccountsCommand.read(accounts))))
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Unbinds accounts from the device.")
        @OptionGroup var device: DeviceOptions
        @Argument(help: "Accounts, one or more: NAME, or TYPE:NAME.") var accounts: [String]
        func run() async throws {
            try await device.perform(.updateAccounts(.remove(AccountsCommand.read(accounts))))
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Replaces all accounts of the device.",
            discussion: "If the vendor cannot replace accounts, the client unbinds all and binds the new ones.")
        @OptionGroup var device: DeviceOptions
        @Argument(help: "Accounts, one or more: NAME, or TYPE:NAME.") var accounts: [String]
        func run() async throws {
            try await device.perform(.updateAccounts(.replace(AccountsCommand.read(accounts))))
        }
    }

    struct Clear: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Unbinds all accounts of the device.")
        @OptionGroup var device: DeviceOptions
        func run() async throws { try await device.perform(.updateAccounts(.clear)) }
    }

    private static func read(_ texts: [String]) -> Swift.Set<Account> { Swift.Set(texts.map { Account(written: $0) }) }
}

extension Account {
    /// `NAME`, or `TYPE:NAME` with a number in front of the first colon.
    init(written text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, let type = Int(parts[0]) {
            self.init(name: String(parts[1]), type: type)
        } else {
            self.init(name: text)
        }
    }

    var written: String { type.map { "\($0):\(name)" } ?? name }
}
