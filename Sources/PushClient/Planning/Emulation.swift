import PushAdapter

/// A feature that the client builds from a vendor's other calls.
struct Emulation: Sendable {
    /// How the client does it.
    enum Way: Sendable {
        /// Reads, compares, adds and removes.
        case comparing
        /// Clears and adds.
        case clearing
        /// Reads the device's alias and the devices that have it, and deletes it by name.
        case deletingByName
        /// An account of the type that stands for aliases.
        case account
        /// One call for each device.
        case byDevice
        /// Reads the ledger, without a request.
        case ledger
    }

    /// The feature that it provides.
    let feature: Feature
    /// The native calls that it needs.
    let needs: [Feature]
    let way: Way
    /// Its costs and promises.
    let recipe: Recipe
    /// A native call that makes it pointless.
    var unless: Feature?
    /// Whether it uses an account in place of an alias.
    var isAboutAlias = false

    /// The emulations that a provider's native calls make possible; the first of a feature wins.
    static func possible(with native: Capabilities, hasLedger: Bool) -> [Feature: Emulation] {
        func has(_ feature: Feature) -> Bool { native[feature] == .native }
        let fitting = all(native).filter { emulation in
            guard case .unsupported = native[emulation.feature] else { return false }
            return emulation.needs.allSatisfy(has) && !(emulation.unless.map(has) ?? false)
                && (emulation.way != .ledger || hasLedger) && (!emulation.isAboutAlias || isAlias(native))
        }
        return Dictionary(fitting.map { ($0.feature, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Whether an account can stand for an alias: a new one replaces the old.
    private static func isAlias(_ native: Capabilities) -> Bool {
        guard case .unsupported = native[.setAlias] else { return false }
        return native.aliasAccountType != nil && native.limits[.accountsPerType]?.maximum == 1
    }

    private static func all(_ native: Capabilities) -> [Emulation] {
        func clearing(_ feature: Feature, _ clear: Feature, _ add: Feature) -> Emulation {
            Emulation(
                feature: feature, needs: [clear, add], way: .clearing,
                recipe: Self.clearing(native.writeDelay[clear]))
        }
        func remembered(_ feature: Feature, _ call: Feature, isAboutAlias: Bool = false) -> Emulation {
            Emulation(
                feature: feature, needs: [call], way: .ledger, recipe: ledger,
                unless: isAboutAlias ? nil : .readTags, isAboutAlias: isAboutAlias)
        }
        return [
            Emulation(
                feature: .replaceTags, needs: [.readTags, .addTags, .removeTags], way: .comparing,
                recipe: native[.updateDevice] == .native ? comparingTogether : comparing),
            clearing(.replaceTags, .clearTags, .addTags),
            clearing(.replaceAccounts, .clearAccounts, .addAccounts),
            clearing(.replaceAttributes, .clearAttributes, .addAttributes),
            Emulation(
                feature: .removeAlias, needs: [.readAlias, .readAliasDevices, .deleteAlias], way: .deletingByName,
                recipe: deletingByName),
            Emulation(feature: .addMembers, needs: [.addTags], way: .byDevice, recipe: byDevice),
            Emulation(feature: .removeMembers, needs: [.removeTags], way: .byDevice, recipe: byDevice),
            Emulation(
                feature: .setAlias, needs: [.addAccounts], way: .account, recipe: account, isAboutAlias: true),
            remembered(.readTags, .addTags), remembered(.testTag, .addTags),
            remembered(.readAlias, .addAccounts, isAboutAlias: true),
            remembered(.removeAlias, .removeAccounts, isAboutAlias: true),
        ]
    }

    // MARK: Recipes

    private static let comparing = Recipe(
        .faithful, isAtomic: false, requests: 2,
        caveat: "reads, adds and removes in separate requests: others can see and change the state in between")

    private static let comparingTogether = Recipe(
        .faithful, isAtomic: false, requests: 2,
        caveat: "reads, then adds and removes what differs: others can change the tags in between")

    private static let byDevice = Recipe(
        .faithful, isAtomic: false, requests: 1, caveat: "one request for each device")

    private static let deletingByName = Recipe(
        .faithful, isAtomic: false, requests: 3,
        caveat:
            "reads the device's alias and who has it, and deletes it by name: a device that gets it in between loses it"
    )

    private static let ledger = Recipe(
        .lossy, isAtomic: true, requests: 0,
        caveat: "knows only what was confirmed through this client's ledger, not what others have set or removed")

    private static let account = Recipe(
        .lossy, isAtomic: true, requests: 1,
        caveat:
            "binds an account of a type that stands for aliases: the vendor treats aliases as accounts, and neither "
            + "reads nor removes them as aliases")

    /// Clearing and adding: faithful where the vendor clears before it answers.
    private static func clearing(_ writeDelay: Duration?) -> Recipe {
        guard let writeDelay else {
            return Recipe(
                .faithful, isAtomic: false, requests: 2,
                caveat: "clears, then adds: in between, and if adding fails, there is nothing")
        }
        return Recipe(
            .lossy, isAtomic: false, requests: 2,
            caveat:
                "clears, waits \(writeDelay.rounded) and adds: the vendor clears some time after it answers, and if "
                + "that takes longer, the new ones are lost")
    }
}
