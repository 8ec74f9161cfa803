/// An account of the backend's own users, with the vendor's account type where the vendor has types.
public struct Account: Sendable {
    /// The account's name: user id, phone number, mail address.
    public var name: String
    /// The vendor's number for the account type; nil where the vendor has only one, or did not report it.
    public var type: Int?

    /// An account by its name, with the vendor's number for its type where the vendor has types.
    public init(name: String, type: Int? = nil) {
        self.name = name
        self.type = type
    }
}

extension Account: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable { case name, type }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.object(of: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        type = try container.decodeIfPresent(Int.self, forKey: .type)
    }
}

extension Account: Hashable {
    /// Equal when types and bytes are. Unlike strings, vendors treat two spellings of an accent as different names.
    public static func == (left: Account, right: Account) -> Bool {
        left.type == right.type && left.name.utf8.elementsEqual(right.name.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        name.withBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension Account: CustomStringConvertible, CustomReflectable {
    /// Shortened like a device's id.
    public var description: String { Redaction.shortened(name) }
    /// Empty, so `dump` shows only the shortened description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
