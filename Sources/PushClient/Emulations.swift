import PushCore

/// What the client makes from other requests where a vendor has no native call.
enum Emulations {
    static let replaceTags = Recipe(
        .faithful, isAtomic: false, requests: 2,
        caveat: "reads, adds and removes in separate requests: others can see and change the state in between")

    static let aliasRemoval = Recipe(
        .faithful, isAtomic: false, requests: 3,
        caveat:
            "reads the device's alias, looks who has it, and deletes it by name: a device that gets it in between loses it"
    )

    static let ledger = Recipe(
        .lossy, isAtomic: true, requests: 0,
        caveat: "knows only what was confirmed through this client's ledger, not what others have set or removed")

    static let alias = Recipe(
        .lossy, isAtomic: true, requests: 1,
        caveat:
            "binds an account of a type that stands for aliases: what the vendor does with accounts happens to aliases, and it "
            + "neither reads nor removes them as such")

    /// Clearing and adding: faithful where the vendor clears before it answers.
    private static func clearing(_ settling: Duration?) -> Recipe {
        guard let settling else {
            return Recipe(
                .faithful, isAtomic: false, requests: 2,
                caveat: "clears, then adds: in between, and when adding fails, there is nothing")
        }
        return Recipe(
            .lossy, isAtomic: false, requests: 2,
            caveat:
                "clears, waits \(settling.rounded) and adds: the vendor clears some time after it answers, and when that is "
                + "later, the new ones are lost")
    }

    /// A provider's capabilities with the emulations that they make possible.
    static func extend(_ native: Capabilities, hasLedger: Bool = false) -> Capabilities {
        var effective = native
        let canRead = native[.readTags] == .native
        if native[.replaceTags] != .native, canRead,
            [Feature.addTags, .removeTags, .clearTags].allSatisfy({ native[$0] == .native })
        {
            effective.support[.replaceTags] = .emulated(replaceTags)
        }
        if case .unsupported = native[.removeAlias],
            [Feature.readAlias, .readAliasDevices, .deleteAlias].allSatisfy({ native[$0] == .native })
        {
            effective.support[.removeAlias] = .emulated(aliasRemoval)
        }
        let families: [(clear: Feature, add: Feature, replace: Feature)] = [
            (.clearTags, .addTags, native[.replaceTags] == .native ? .replaceTagsByClearing : .replaceTags),
            (.clearAccounts, .addAccounts, .replaceAccounts),
            (.clearAttributes, .addAttributes, .replaceAttributes),
        ]
        for (clear, add, replace) in families where native[clear] == .native && native[add] == .native {
            // A vendor that lists tags has better ways than to clear them first.
            if replace == .replaceTagsByClearing && canRead { continue }
            if case .unsupported = effective[replace] {
                effective.support[replace] = .emulated(clearing(native.settling[clear]))
            }
        }
        var remembered: [Feature] = []
        if native[.addTags] == .native, !canRead { remembered += [.readTags, .testTag] }
        if isAlias(native) {
            effective.support[.setAlias] = .emulated(alias)
            remembered += native[.removeAccounts] == .native ? [.readAlias, .removeAlias] : [.readAlias]
        }
        if hasLedger {
            for feature in remembered where native[feature] != .native {
                effective.support[feature] = .emulated(ledger)
            }
        }
        return effective
    }

    /// Whether an account can stand for an alias: a new one takes the place of the old.
    static func isAlias(_ native: Capabilities) -> Bool {
        guard case .unsupported = native[.setAlias] else { return false }
        return native.aliasAccountType != nil && native[.addAccounts] == .native
            && native.limits[.accountsPerType]?.maximum == 1
    }
}
