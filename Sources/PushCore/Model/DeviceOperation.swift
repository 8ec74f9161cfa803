/// An operation on one device. The client's methods, device sessions and `pushctl` are written in terms of these.
public enum DeviceOperation: Sendable, Hashable {
    /// Lists the tags.
    case readTags
    /// Checks whether the device has a tag.
    case testTag(Tag)
    /// Changes the tags.
    case updateTags(TagUpdate)
    /// Reads the alias.
    case readAlias
    /// Sets the alias of the device, replacing the old one.
    case setAlias(Alias)
    /// Removes the alias.
    case removeAlias
    /// Changes several things in one request, at a vendor that has such a request.
    case update(DeviceUpdate)
    /// Reads the phone number.
    case readPhone
    /// Sets the phone number of the device, replacing the old one.
    case setPhone(PhoneNumber)
    /// Removes the phone number.
    case removePhone
    /// Lists the accounts.
    case readAccounts
    /// Changes the accounts.
    case updateAccounts(AccountUpdate)
    /// Unbinds the accounts of these types; the client's ledger supplies their names.
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
        case .update: .updateDevice
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
