/// A vendor's limits as data. A limit that is absent is one the vendor does not state: the client then checks
/// no more than that an identifier has 1 to 1024 bytes and no blank or control character.
public struct Limits: Sendable {
    private var bounds: [LimitKey: Limit]
    private var characters: [LimitKey: AllowedCharacters]
    /// How the names of accounts are written, by the vendor's types of accounts, where it says so.
    public var accountFormats: [Int: TextFormat] = [:]
    /// Whether an account has to have a type.
    public var needsAccountType = false

    /// The limits that a vendor states, and the characters that it allows in texts.
    public init(_ bounds: [LimitKey: Limit] = [:], characters: [LimitKey: AllowedCharacters] = [:]) {
        self.bounds = bounds
        self.characters = characters
    }

    /// The number that the vendor states; nil where it states none.
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
