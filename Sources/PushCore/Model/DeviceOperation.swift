/// What a backend can ask of one device. The client's methods, device sessions and `pushctl` are written
/// in terms of these.
public enum DeviceOperation: Sendable, Hashable {
    /// Lists the tags.
    case readTags
    /// Asks for one tag.
    case testTag(Tag)
    /// Changes the tags.
    case updateTags(TagUpdate)
    /// Reads the alias.
    case readAlias
    /// Gives the device an alias, in place of the one it had.
    case setAlias(Alias)
    /// Takes the alias off.
    case removeAlias
    /// Reads the phone number.
    case readPhone
    /// Gives the device a phone number, in place of the one it had.
    case setPhone(PhoneNumber)
    /// Takes the phone number off.
    case removePhone
    /// Lists the accounts.
    case readAccounts
    /// Changes the accounts.
    case updateAccounts(AccountUpdate)
    /// Unbinds the accounts of some types, by the names that the client's ledger has for them.
    case removeAccounts(ofTypes: Set<Int>)
    /// Lists the attributes.
    case readAttributes
    /// Changes the attributes.
    case updateAttributes(AttributeUpdate)

    /// The feature that it uses.
    public var feature: Feature {
        switch self {
        case .readTags: .readTags
        case .testTag: .testTag
        case .updateTags(let change): change.feature
        case .readAlias: .readAlias
        case .setAlias: .setAlias
        case .removeAlias: .removeAlias
        case .readPhone: .readPhone
        case .setPhone: .setPhone
        case .removePhone: .removePhone
        case .readAccounts: .readAccounts
        case .updateAccounts(let change): change.feature
        case .removeAccounts: .removeAccounts
        case .readAttributes: .readAttributes
        case .updateAttributes(let change): change.feature
        }
    }
}
