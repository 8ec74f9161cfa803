/// A vendor's limits as data. A limit that is absent is one the vendor does not state: the client then checks
/// no more than that an identifier has 1 to 1024 bytes and no blank or control character.
public struct Limits: Sendable {
    private var bounds: [Limit: Bound]
    private var alphabets: [Limit: Alphabet]
    /// How the names of accounts are written, by the vendor's types of accounts, where it says so.
    public var accountFormats: [Int: TextFormat] = [:]
    /// Whether an account has to have a type.
    public var needsAccountType = false

    /// The limits that a vendor states, and the characters that it allows in texts.
    public init(_ bounds: [Limit: Bound] = [:], alphabets: [Limit: Alphabet] = [:]) {
        self.bounds = bounds
        self.alphabets = alphabets
    }

    /// The number that the vendor states; nil where it states none.
    public subscript(limit: Limit) -> Bound? {
        get { bounds[limit] }
        set { bounds[limit] = newValue }
    }

    /// The characters that a text may have.
    public subscript(alphabet limit: Limit) -> Alphabet? {
        get { alphabets[limit] }
        set { alphabets[limit] = newValue }
    }

    /// Every stated limit, by name.
    public var all: [(limit: Limit, bound: Bound)] {
        bounds.sorted { $0.key < $1.key }.map { (limit: $0.key, bound: $0.value) }
    }
}
