/// A device, an alias or an account that a message is addressed to.
public enum Target: Sendable, Hashable {
    /// One device, by the vendor's id.
    case device(DeviceID)
    /// The devices that have one alias.
    case alias(Alias)
    /// The devices of one account.
    case account(Account)

    /// The identifier as the caller gave it.
    public var text: String {
        switch self {
        case .device(let id): id.rawValue
        case .alias(let alias): alias.rawValue
        case .account(let account): account.name
        }
    }
}
