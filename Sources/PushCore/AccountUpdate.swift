/// One change of the accounts of a device.
public enum AccountUpdate: Sendable, Hashable {
    /// Binds these accounts; where the vendor keeps one account of a type, each takes the place of the one of its type.
    case add(Set<Account>)
    /// Unbinds these accounts and leaves the others.
    case remove(Set<Account>)
    /// Makes the device's accounts exactly this set.
    case replace(Set<Account>)
    /// Unbinds all accounts of the device.
    case clear

    /// The feature a provider needs for it.
    public var feature: Feature {
        switch self {
        case .add: .addAccounts
        case .remove: .removeAccounts
        case .replace: .replaceAccounts
        case .clear: .clearAccounts
        }
    }

    /// The accounts it names; none for `clear`.
    public var accounts: Set<Account> {
        switch self {
        case .add(let accounts), .remove(let accounts), .replace(let accounts): accounts
        case .clear: []
        }
    }
}
