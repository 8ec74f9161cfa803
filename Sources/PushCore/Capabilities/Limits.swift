/// A vendor's limits as data. Where the vendor states no limit, the client checks only that an identifier has 1 to 1024
/// bytes and no blank or control character.
public struct Limits: Sendable {
    private var bounds: [LimitKey: Limit]
    private var characters: [LimitKey: AllowedCharacters]
    /// The format of account names, by the vendor's account type, where the vendor states one.
    public var accountFormats: [Int: TextFormat] = [:]
    /// Whether an account must have a type.
    public var needsAccountType = false

    /// The limits that a vendor states, and the characters that it allows in texts.
    public init(_ bounds: [LimitKey: Limit] = [:], characters: [LimitKey: AllowedCharacters] = [:]) {
        self.bounds = bounds
        self.characters = characters
    }

    /// The number that the vendor states; nil if it states none.
    public subscript(limit: LimitKey) -> Limit? {
        get { bounds[limit] }
        set { bounds[limit] = newValue }
    }

    /// The characters that a text may have.
    public subscript(charactersOf limit: LimitKey) -> AllowedCharacters? {
        get { characters[limit] }
        set { characters[limit] = newValue }
    }

    /// Every stated limit, by name.
    public var all: [(limit: LimitKey, bound: Limit)] {
        bounds.sorted { $0.key < $1.key }.map { (limit: $0.key, bound: $0.value) }
    }
}
