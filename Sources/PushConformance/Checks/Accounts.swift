import PushAdapter
import PushClient
import PushSimulation

extension ConformanceCheck {
    /// The effects of account calls at the vendor.
    static let accounts: [ConformanceCheck] =
        [
            ConformanceCheck(
                .behavior, "accounts.read", "Reading accounts returns exactly the accounts that the vendor has.",
                needs: [.readAccounts]
            ) { world in
                try expectEqual(
                    try await world.client.readAccounts(of: world.device), world.firstAccounts,
                    "the accounts of a new device", hint: "an empty set, or those that the harness gave it")
                guard world.binds else { return }
                let accounts = Set(world.accounts)
                try await world.bind(accounts, to: world.device)
                _ = try await world.snapshot(world.device)
                let read = try await world.client.readAccounts(of: world.device)
                try expectEqual(
                    Set(read.map(\.name)), Set(accounts.map(\.name)), "the names of the accounts", hint: "all of them")
                try expect(
                    read.allSatisfy { $0.type == nil || accounts.contains($0) }, "the types as given, or none",
                    actual: "others", hint: "a type that the vendor does not report is nil, not a guess")
            },
            ConformanceCheck(
                .behavior, "accounts.devices", "Reading the devices of an account returns those that it is bound to.",
                needs: [.readAccountDevices], bindsAccounts: true
            ) { world in
                let account = world.accounts[0]
                for device in world.deviceIDs.prefix(2) {
                    try await world.bind([account], to: device)
                }
                _ = try await world.snapshot(world.device)
                for sought in [account, Account(name: account.name)] {
                    try expectEqual(
                        try await world.client.readDevices(of: sought), Set(world.deviceIDs.prefix(2)), "the devices",
                        hint: "both; an account without a type matches any type")
                }
                try expectEqual(
                    try await world.client.readDevices(of: world.accounts[1]), [], "the devices of another account",
                    hint: "none, and no error")
            },
            ConformanceCheck(
                .behavior, "accounts.add", "Adding accounts keeps the others, and adding again changes nothing.",
                needs: [.addAccounts]
            ) { world in
                for part in [world.accounts.prefix(2), world.accounts.suffix(2), world.accounts.prefix(1)] {
                    _ = try await world.client.updateAccounts(.add(Set(part)), of: world.device)
                }
                try expectEqual(
                    try await world.accounts(world.device), Set(world.accounts), "the accounts",
                    hint: "add must not replace")
                try expectEqual(
                    try await world.accounts(world.deviceIDs[1]), [], "the accounts of another device",
                    hint: "change only one device")
            },
            ConformanceCheck(
                .behavior, "accounts.type", "A device has as many accounts of one type as the limits say.",
                when: { $0.has(.addAccounts) && $0.client.capabilities.limits[.accountsPerType]?.maximum == 1 },
                supported: { world in
                    let type = world.accounts[0].type
                    // In the form of its type, and twice as long.
                    let (first, second) = (world.accounts[0], world.accounts[0].doubled(type))
                    for account in [first, second] {
                        _ = try await world.client.updateAccounts(.add([account]), of: world.device)
                    }
                    try expectEqual(
                        try await world.accounts(world.device), [second], "the accounts", hint: "the last of its type")
                    try await world.expectRefusal(
                        "two accounts of one type", as: [.limitExceeded], hint: "one of them would be lost"
                    ) { () async throws(PushError) in
                        try await world.client.updateAccounts(.add([first, second]), of: world.device)
                    }
                },
                refused: { world in
                    guard world.has(.addAccounts) else { return try await world.expectRefusal(of: .addAccounts) }
                    let accounts = [world.accounts[0], world.accounts[0].doubled(world.accounts[0].type)]
                    _ = try await world.client.updateAccounts(.add(Set(accounts)), of: world.device)
                    try expectEqual(
                        try await world.accounts(world.device), Set(accounts), "the accounts",
                        hint: "no limit is stated")
                }),
            ConformanceCheck(
                .behavior, "accounts.remove", "Removing accounts keeps the others; removing an absent one is harmless.",
                needs: [.removeAccounts], bindsAccounts: true
            ) { world in
                try await world.bind(Set(world.accounts.prefix(2)), to: world.device)
                _ = try await world.snapshot(world.device)
                _ = try await world.client.updateAccounts(
                    .remove([world.accounts[0], world.accounts[2]]), of: world.device)
                try expectEqual(
                    try await world.accounts(world.device), [world.accounts[1]], "the accounts",
                    hint: "remove only the named ones")
            },
            ConformanceCheck(
                .behavior, "accounts.replace", "Replacing accounts leaves exactly the new set.",
                needs: [.replaceAccounts]
            ) { world in
                try await world.bind(Set(world.accounts.prefix(2)), to: world.device)
                for wanted in [Set(world.accounts.suffix(1)), []] {
                    _ = try await world.client.updateAccounts(.replace(wanted), of: world.device)
                    try expectEqual(
                        try await world.accounts(world.device), wanted, "the accounts", hint: "no more, no less")
                }
            },
            ConformanceCheck(
                .behavior, "accounts.clear", "Clearing unbinds all accounts of one device and none of the others.",
                needs: [.clearAccounts], bindsAccounts: true
            ) { world in
                for device in world.deviceIDs.prefix(2) {
                    try await world.bind(Set(world.accounts), to: device)
                }
                _ = try await world.client.updateAccounts(.clear, of: world.device)
                try expectEqual(try await world.accounts(world.device), [], "the accounts", hint: "all of them")
                try expectEqual(
                    try await world.accounts(world.deviceIDs[1]), Set(world.accounts), "the accounts of another device",
                    hint: "change only one device")
            },
            ConformanceCheck(
                .refusal, "empty.account", "An empty account is refused, and so is an empty set of accounts.",
                needs: [.addAccounts], isSafeLive: true
            ) { world in
                for accounts: Set<Account> in [[], [Account(name: "", type: world.accounts[0].type)]] {
                    try await world.expectRefusal("the change", as: [.invalidArgument], hint: "check before encoding") {
                        () async throws(PushError) in
                        try await world.client.updateAccounts(.add(accounts), of: world.device)
                    }
                }
            },
            ConformanceCheck(
                .retry, "account",
                "The client retries an account binding after a lost response, with the result of one call.",
                needs: [], bindsAccounts: true
            ) { world in
                let feature: Feature = world.has(.addAccounts) ? .addAccounts : .replaceAccounts
                // If the client replaces with two calls, the second one.
                let binding = try world.sample(of: feature) ?? world.required(.addAccounts)
                world.host.faults.add(.actedThenLost, path: try world.path(of: binding))
                try await world.bind([world.accounts[0]], to: world.device)
                try expectEqual(world.tap.count, 2, "the requests", hint: "binding twice is binding once: .idempotent")
                try expectEqual(
                    try await world.accounts(world.device), [world.accounts[0]], "the accounts", hint: "one of them")
            },
        ]
        + Corpus.names.map { name, text in
            ConformanceCheck(
                .encoding, "account.\(name)", "An account arrives unchanged, or is refused before sending: \(name).",
                when: { $0.binds && (try? $0.check(Account(name: text, type: $0.accounts[0].type))) != nil },
                supported: { world in
                    let account = Account(name: text, type: world.accounts[0].type)
                    try await world.bind([account], to: world.device)
                    try expectEqual(
                        try await world.accounts(world.device), [account], "the accounts at the vendor",
                        hint: "every byte must match")
                },
                refused: { world in
                    try await world.expectRefusal(
                        "the account", as: [.invalidArgument, .tooLong, .unsupported],
                        hint: "a character in it is not allowed"
                    ) { () async throws(PushError) in
                        try await world.bind([Account(name: text, type: world.accounts[0].type)], to: world.device)
                    }
                })
        }
}

extension Account {
    /// Another account, with the name doubled.
    fileprivate func doubled(_ type: Int?) -> Account { Account(name: name + name, type: type) }
}

extension World {
    /// Whether accounts can be bound, by adding or by replacing.
    var binds: Bool { has(.addAccounts) || has(.replaceAccounts) }

    /// The accounts of the first device at first. Where no call binds accounts, the harness gives it those by which an
    /// audience finds it.
    var firstAccounts: Set<Account> {
        guard !binds, case .accounts(let accounts)? = harness.samples.audiences[.audienceAccounts] else { return [] }
        return Set(accounts)
    }

    /// Binds accounts to a device that has none.
    func bind(_ accounts: Set<Account>, to device: DeviceID) async throws(PushError) {
        let isReplacing = !has(.addAccounts) && has(.replaceAccounts)
        _ = try await client.updateAccounts(isReplacing ? .replace(accounts) : .add(accounts), of: device)
    }

    func accounts(_ device: DeviceID) async throws -> Set<Account> { try await snapshot(device).accounts }

    func check(_ account: Account) throws(PushError) {
        try client.capabilities.limits.check(.accounts([account]), of: provider.id)
    }
}
