/// A login of the backend's own users, with the vendor's account type where it has types.
public struct Account: Sendable, Hashable, Codable {
    /// The account's name: user id, phone number, mail address.
    public var name: String
    /// The vendor's number for the kind of account; nil where the vendor knows one kind only.
    public var type: Int?

    /// An account by its name, with the vendor's number for its kind where there are kinds.
    public init(name: String, type: Int? = nil) {
        self.name = name
        self.type = type
    }
}

extension Account: CustomStringConvertible {
    /// Shortened like a device's id.
    public var description: String { Redaction.shortened(name) }
}
