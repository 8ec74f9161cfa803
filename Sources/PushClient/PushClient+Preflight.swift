package import PushCore

/// A call about one device, as data.
package enum DeviceUse: Sendable {
    /// Changes tags.
    case tags(TagUpdate)
    /// Lists the tags.
    case readTags
    /// Asks for one tag.
    case testTag(Tag)
    /// Gives the device an alias; nil takes off the one it has.
    case alias(Alias?)
    /// Reads the alias.
    case readAlias
    /// Gives the device a phone number; nil takes off the one it has.
    case phone(PhoneNumber?)
    /// Changes accounts.
    case accounts(AccountUpdate)
    /// Unbinds the accounts of some types.
    case accountTypes(Set<Int>)
    /// Changes attributes.
    case attributes(AttributeUpdate)

    /// The feature that it uses.
    package var feature: Feature {
        switch self {
        case .tags(let change): change.feature
        case .readTags: .readTags
        case .testTag: .testTag
        case .alias(let alias): alias == nil ? .removeAlias : .setAlias
        case .readAlias: .readAlias
        case .phone(let phone): phone == nil ? .removePhone : .setPhone
        case .accounts(let change): change.feature
        case .accountTypes: .removeAccounts
        case .attributes(let change): change.feature
        }
    }
}

extension PushClient {
    /// Refuses what the client's own call would refuse before anything is sent.
    ///
    /// Makes no request, and no layer sees it: for a caller that must know about several calls before the first of them
    /// is made.
    package func preflight(_ use: DeviceUse, of device: DeviceID) throws(PushError) {
        try preflight(device)
        switch use {
        case .tags(let change): try check(change, by: wayToReplace(change, of: device), of: device)
        case .readTags: try require(.readTags)
        case .testTag(let tag):
            try require(.testTag)
            try validation.check(tag)
        case .alias(let alias): try preflight(alias, of: device)
        case .readAlias: try require(.readAlias)
        case .phone(let phone):
            try require(use.feature)
            if let phone { try capabilities.limits.check(phone, of: provider.id) }
            _ = try role(\.phoneBinding, for: use.feature).setPhone(phone, of: device)
        case .accounts(let change): try preflight(change, of: device)
        case .accountTypes:
            try require(.removeAccounts)
            guard configuration.ledger != nil else {
                throw PushError(
                    .unsupported, "\(provider.id) unbinds accounts by name; give the client a ledger, which knows them",
                    operation: .removeAccounts)
            }
        case .attributes(let change): try preflight(change, of: device)
        }
    }

    /// Refuses an id that the provider does not take, and everything after the client was shut down.
    package func preflight(_ device: DeviceID) throws(PushError) {
        try checkOpen()
        try validation.check(device)
    }

    /// Refuses what only the ledger could name and does not. Makes no request.
    package func checkKnown(_ use: DeviceUse, of device: DeviceID) async throws(PushError) {
        guard case .alias(nil) = use, capabilities[.removeAlias] == .emulated(Emulations.ledger) else { return }
        _ = try await aliasToRemove(of: device)
    }

    /// Whether a feature is the vendor's own, or an emulation that needs no consent or has it.
    package func allows(_ feature: Feature) -> Bool {
        do throws(PushError) { try require(feature) } catch { return false }
        return true
    }

    private func preflight(_ alias: Alias?, of device: DeviceID) throws(PushError) {
        guard let alias else { return try require(.removeAlias) }
        try require(.setAlias)
        try validation.check(alias)
        if let type = capabilities.aliasAccountType, Emulations.isAlias(provider.capabilities) {
            try preflight(AccountUpdate.add([Account(name: alias.rawValue, type: type)]), of: device)
        } else {
            _ = try role(\.aliasing, for: .setAlias).setAlias(alias, of: device)
        }
    }
}
