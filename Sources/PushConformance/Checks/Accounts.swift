import PushClient
import PushCore
import PushSimulation

extension ConformanceCheck {
    /// What calls about accounts do, seen at the vendor.
    static let accounts: [ConformanceCheck] =
        [
            ConformanceCheck(
                .behaviour, "accounts.read", "The accounts that are read are those that the vendor has.",
                needs: [.readAccounts]
            ) { world in
                try expectEqual(
                    try await world.client.readAccounts(of: world.device), [], "the accounts of a new device",
                    hint: "an empty set")
                guard world.binds else { return }
                let accounts = Set(world.accounts)
                try await world.bind(accounts, to: world.device)
                _ = try await world.snapshot(world.device)
                let read = try await world.client.readAccounts(of: world.device)
                try expectEqual(
                    Set(read.map(\.name)), Set(accounts.map(\.name)), "the names of the accounts", hint: "all of them")
                try expect(
                    read.allSatisfy { $0.type == nil || accounts.contains($0) }, "the types as given, or none",
                    actual: "others", hint: "a type that the vendor does not tell is nil, not a guess")
            },
            ConformanceCheck(
                .behaviour, "accounts.devices", "The devices of an account are those that it is bound to.",
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
                        hint: "both; an account without a type is of any")
                }
                try expectEqual(
                    try await world.client.readDevices(of: world.accounts[1]), [], "the devices of another account",
                    hint: "none, and no error")
            },
            ConformanceCheck(
                .behaviour, "accounts.add", "Adding accounts keeps the others, and adding again changes nothing.",
                needs: [.addAccounts]
            ) { world in
                for part in [world.accounts.prefix(2), world.accounts.suffix(2), world.accounts.prefix(1)] {
                    _ = try await world.client.updateAccounts(.add(Set(part)), of: world.device)
                }
                try expectEqual(
                    try await world.accounts(world.device), Set(world.accounts), "the accounts",
                    hint: "add is no replacement")
                try expectEqual(
                    try await world.accounts(world.deviceIDs[1]), [], "the accounts of another device",
                    hint: "one device")
            },
            ConformanceCheck(
                .behaviour, "accounts.type", "Of one type a device has as many accounts as the limits say.",
                when: { $0.has(.addAccounts) && $0.client.capabilities.limits[.accountsPerType]?.maximum == 1 },
                supported: { world in
                    let type = world.accounts[0].type
                    // Of the type's form, and twice as long.
                    let (first, second) = (world.accounts[0], world.accounts[0].doubled(type))
                    for account in [first, second] {
                        _ = try await world.client.updateAccounts(.add([account]), of: world.device)
                    }
                    try expectEqual(
                        try await world.accounts(world.device), [second], "the accounts", hint: "the last of its type")
                    try await world.expectRefusal(
                        "two of a type", as: [.limitExceeded], hint: "one of them would be lost"
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
                .behaviour, "accounts.remove", "Removing accounts keeps the others, and an absent one is harmless.",
                needs: [.removeAccounts], bindsAccounts: true
            ) { world in
                try await world.bind(Set(world.accounts.prefix(2)), to: world.device)
                _ = try await world.snapshot(world.device)
                _ = try await world.client.updateAccounts(
                    .remove([world.accounts[0], world.accounts[2]]), of: world.device)
                try expectEqual(
                    try await world.accounts(world.device), [world.accounts[1]], "the accounts",
                    hint: "only the named ones go")
            },
            ConformanceCheck(
                .behaviour, "accounts.replace", "Replacing accounts leaves exactly the new set.",
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
                .behaviour, "accounts.clear", "Clearing unbinds all accounts of one device and none of the others.",
                needs: [.clearAccounts], bindsAccounts: true
            ) { world in
                for device in world.deviceIDs.prefix(2) {
                    try await world.bind(Set(world.accounts), to: device)
                }
                _ = try await world.client.updateAccounts(.clear, of: world.device)
                try expectEqual(try await world.accounts(world.device), [], "the accounts", hint: "all of them")
                try expectEqual(
                    try await world.accounts(world.deviceIDs[1]), Set(world.accounts), "those of another device",
                    hint: "one device")
            },
            ConformanceCheck(
                .refusal, "empty.account", "An empty account, and no account at all, are refused.",
                needs: [.addAccounts], isSafeLive: true
            ) { world in
                for accounts: Set<Account> in [[], [Account(name: "", type: world.accounts[0].type)]] {
                    try await world.expectRefusal("it", as: [.invalidArgument], hint: "check before encoding") {
                        () async throws(PushError) in
                        try await world.client.updateAccounts(.add(accounts), of: world.device)
                    }
                }
            },
            ConformanceCheck(
                .retry, "account", "A binding whose answer is lost is repeated, with the result of one.",
                needs: [], bindsAccounts: true
            ) { world in
                let feature: Feature = world.has(.addAccounts) ? .addAccounts : .replaceAccounts
                // Where it is made from two calls, the second of them.
                let binding = try world.outline(of: feature) ?? world.required(.addAccounts)
                world.host.faults.add(.actedThenLost, path: try world.path(of: binding))
                try await world.bind([world.accounts[0]], to: world.device)
                try expectEqual(world.tap.count, 2, "the requests", hint: "binding twice is binding once: .idempotent")
                try expectEqual(
                    try await world.accounts(world.device), [world.accounts[0]], "the accounts", hint: "one of them")
            },
        ]
        + Corpus.names.map { name, text in
            ConformanceCheck(
                .encoding, "account.\(name)", "An account arrives as it is, or is refused before it is sent: \(name).",
                when: { $0.binds && (try? $0.check(Account(name: text, type: $0.accounts[0].type))) != nil },
                supported: { world in
                    let account = Account(name: text, type: world.accounts[0].type)
                    try await world.bind([account], to: world.device)
                    try expectEqual(
                        try await world.accounts(world.device), [account], "the accounts at the vendor",
                        hint: "bytes count")
                },
                refused: { world in
                    try await world.expectRefusal(
                        "the account", as: [.invalidArgument, .tooLong, .unsupported],
                        hint: "its alphabet does not have it"
                    ) { () async throws(PushError) in
                        try await world.bind([Account(name: text, type: world.accounts[0].type)], to: world.device)
                    }
                })
        }

    /// What calls about attributes do, seen at the vendor.
    static let attributes: [ConformanceCheck] =
        [
            ConformanceCheck(
                .behaviour, "attributes.read", "The attributes that are read are those that the vendor has.",
                needs: [.readAttributes]
            ) { world in
                try expectEqual(
                    try await world.client.readAttributes(of: world.device), [:], "the attributes of a new device",
                    hint: "an empty dictionary")
                guard world.has(.addAttributes) else { return }
                _ = try await world.client.updateAttributes(.add(world.attributes(3)), of: world.device)
                try expectEqual(
                    try await world.client.readAttributes(of: world.device), world.attributes(3), "the attributes",
                    hint: "names and values")
            },
            ConformanceCheck(
                .behaviour, "attributes.add", "Setting attributes keeps the others and takes the place of old values.",
                needs: [.addAttributes]
            ) { world in
                var wanted = world.attributes(2)
                _ = try await world.client.updateAttributes(.add(wanted), of: world.device)
                let first = world.harness.samples.attributeNames[0]
                let outcome = try await world.client.updateAttributes(.add([first: "new"]), of: world.device)
                wanted[first] = "new"
                try expectEqual(
                    try await world.snapshot(world.device).attributes, wanted, "the attributes",
                    hint: "add is no replacement")
                try expectEqual(outcome.added, [first], "the names that were set", hint: "as the vendor confirmed")
                try expectEqual(
                    try await world.snapshot(world.deviceIDs[1]).attributes, [:], "those of another device",
                    hint: "one device")
            },
            ConformanceCheck(
                .behaviour, "attributes.remove", "Removing attributes keeps the others, and an absent one is harmless.",
                needs: [.removeAttributes, .addAttributes]
            ) { world in
                let names = world.harness.samples.attributeNames
                _ = try await world.client.updateAttributes(.add(world.attributes(2)), of: world.device)
                _ = try await world.client.updateAttributes(.remove([names[0], names[2]]), of: world.device)
                try expectEqual(
                    Set(try await world.snapshot(world.device).attributes.keys), [names[1]], "the names",
                    hint: "only the named ones go")
            },
            ConformanceCheck(
                .behaviour, "attributes.replace", "Replacing attributes leaves exactly the new ones.",
                needs: [.replaceAttributes, .addAttributes]
            ) { world in
                _ = try await world.client.updateAttributes(.add(world.attributes(3)), of: world.device)
                for wanted in [world.attributes(1), [:]] {
                    let outcome = try await world.client.updateAttributes(.replace(wanted), of: world.device)
                    try expectEqual(
                        try await world.snapshot(world.device).attributes, wanted, "the attributes",
                        hint: "no more, no less")
                    try expect(
                        !outcome.isAtomic || outcome.requests == 1, "an outcome that is not called atomic",
                        actual: "\(outcome.requests) requests", hint: "several requests are not atomic")
                }
            },
            ConformanceCheck(
                .behaviour, "attributes.clear", "Clearing takes all attributes off one device and none off the others.",
                needs: [.clearAttributes, .addAttributes]
            ) { world in
                for device in world.deviceIDs.prefix(2) {
                    _ = try await world.client.updateAttributes(.add(world.attributes(2)), of: device)
                }
                _ = try await world.client.updateAttributes(.clear, of: world.device)
                try expectEqual(
                    try await world.snapshot(world.device).attributes, [:], "the attributes", hint: "all of them")
                try expectEqual(
                    try await world.snapshot(world.deviceIDs[1]).attributes, world.attributes(2), "another device's",
                    hint: "one device")
            },
            ConformanceCheck(
                .partial, "attributes", "Attributes that the app does not have are named, and the others are set.",
                when: { $0.has(.addAttributes) && $0.harness.samples.unknownAttribute != nil },
                supported: { world in
                    guard let unknown = world.harness.samples.unknownAttribute else { return }
                    var wanted = world.attributes(1)
                    let known = Set(wanted.keys)
                    wanted[unknown] = "x"
                    let outcome = try await world.client.updateAttributes(.add(wanted), of: world.device)
                    try expectEqual(
                        outcome.rejected, [unknown], "the names passed over", hint: "the receipt names them")
                    try expectEqual(outcome.added, known, "the names set", hint: "the others")
                    try expect(!outcome.isComplete, "an incomplete outcome", hint: "a part was passed over")
                    try expectEqual(
                        Set(try await world.snapshot(world.device).attributes.keys), known, "the names at the vendor",
                        hint: "as reported")
                    let error = try await expectError("a change of unknown names only", hint: "nothing was changed") {
                        () async throws(PushError) in
                        try await world.client.updateAttributes(.add([unknown: "x"]), of: world.device)
                    }
                    try expectEqual(error.effect, .notApplied, "the effect", hint: "nothing was changed")
                },
                refused: { world in
                    guard world.has(.addAttributes) else { return try await world.expectRefusal(of: .addAttributes) }
                    let outcome = try await world.client.updateAttributes(.add(["anything": "x"]), of: world.device)
                    try expect(
                        outcome.isComplete, "any name to be taken", hint: "or name an unknown one in the samples")
                }),
            ConformanceCheck(
                .refusal, "empty.attribute", "An attribute without a name, and no attribute at all, are refused.",
                needs: [.addAttributes], isSafeLive: true
            ) { world in
                for attributes in [[:], ["": "x"]] {
                    try await world.expectRefusal("it", as: [.invalidArgument], hint: "check before encoding") {
                        () async throws(PushError) in
                        try await world.client.updateAttributes(.add(attributes), of: world.device)
                    }
                }
            },
            ConformanceCheck(
                .refusal, "attribute.value", "The longest value passes, and one unit more is refused.",
                when: {
                    $0.has(.addAttributes) && $0.client.capabilities.limits[.attributeValue]?.overflow == .reject
                },
                supported: { world in
                    let limits = world.client.capabilities.limits
                    guard let bound = limits[.attributeValue] else { return }
                    let name = world.harness.samples.attributeNames[0]
                    let longest = try world.text(filling: bound, alphabet: limits[alphabet: .attributeValue])
                    _ = try await world.client.updateAttributes(.add([name: longest]), of: world.device)
                    try expectEqual(
                        try await world.snapshot(world.device).attributes, [name: longest], "the attributes",
                        hint: "never truncate")
                    try await world.expectRefusal("a value over the limit", as: [.tooLong], hint: "\(bound)") {
                        () async throws(PushError) in
                        try await world.client.updateAttributes(
                            .add([name: longest + String(longest.suffix(1))]), of: world.device)
                    }
                },
                refused: { world in
                    guard world.has(.addAttributes) else { return try await world.expectRefusal(of: .addAttributes) }
                    let name = world.harness.samples.attributeNames[0]
                    _ = try? await world.client.updateAttributes(
                        .add([name: String(repeating: "v", count: 500)]), of: world.device)
                    try expect(world.tap.count > 0, "a request", actual: "none", hint: "no limit is stated")
                }),
            ConformanceCheck(
                .retry, "attribute", "A change of attributes whose answer is lost is repeated, with the result of one.",
                needs: [.addAttributes]
            ) { world in
                let adding = try world.required(.addAttributes)
                world.host.faults.add(.actedThenLost, path: try world.path(of: adding))
                _ = try await world.client.updateAttributes(.add(world.attributes(1)), of: world.device)
                try expectEqual(world.tap.count, 2, "the requests", hint: "setting twice is setting once: .idempotent")
                try expectEqual(
                    try await world.snapshot(world.device).attributes, world.attributes(1), "the attributes",
                    hint: "as given")
            },
        ]
        + Corpus.names.map { name, text in
            ConformanceCheck(
                .encoding, "attribute.\(name)", "An attribute's value arrives as it is, or is refused: \(name).",
                when: { world in
                    world.has(.addAttributes)
                        && (try? world.client.capabilities.limits.check(
                            [world.harness.samples.attributeNames[0]: text], of: world.provider.id)) != nil
                },
                supported: { world in
                    let attributes = [world.harness.samples.attributeNames[0]: text]
                    _ = try await world.client.updateAttributes(.add(attributes), of: world.device)
                    let values = try await world.snapshot(world.device).attributes.values.map { Array($0.utf8) }
                    try expectEqual(values, [Array(text.utf8)], "the value at the vendor", hint: "bytes count")
                },
                refused: { world in
                    try await world.expectRefusal(
                        "the value", as: [.invalidArgument, .tooLong, .unsupported], hint: "the limits do not allow it"
                    ) { () async throws(PushError) in
                        try await world.client.updateAttributes(
                            .add([world.harness.samples.attributeNames[0]: text]), of: world.device)
                    }
                })
        }
}

extension Account {
    /// Another account: the name twice.
    fileprivate func doubled(_ type: Int?) -> Account { Account(name: name + name, type: type) }
}

extension World {
    /// Whether accounts can be bound, one way or the other.
    var binds: Bool { has(.addAccounts) || has(.replaceAccounts) }

    /// Binds accounts to a device that has none.
    func bind(_ accounts: Set<Account>, to device: DeviceID) async throws(PushError) {
        let isReplacing = !has(.addAccounts) && has(.replaceAccounts)
        _ = try await client.updateAccounts(isReplacing ? .replace(accounts) : .add(accounts), of: device)
    }

    func accounts(_ device: DeviceID) async throws -> Set<Account> { try await snapshot(device).accounts }

    func check(_ account: Account) throws(PushError) {
        try client.capabilities.limits.check(account, of: provider.id)
    }
}
