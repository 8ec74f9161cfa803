/// A vendor's limits as data. A limit that is absent is one the vendor does not state, and nothing is checked.
public struct Limits: Sendable {
    private var bounds: [Limit: Bound]
    private var alphabets: [Limit: Alphabet]

    public init(_ bounds: [Limit: Bound] = [:], alphabets: [Limit: Alphabet] = [:]) {
        self.bounds = bounds
        self.alphabets = alphabets
    }

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

/// The name of a limit. Open: an adapter adds its own.
public struct Limit: TextIdentifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let devicesPerSend: Limit = "send.devices"
    public static let aliasesPerSend: Limit = "send.aliases"
    public static let tagsPerSend: Limit = "send.tags"
    public static let tagLength: Limit = "tag.length"
    public static let aliasLength: Limit = "alias.length"
    public static let deviceIDLength: Limit = "device.length"
    public static let tagsPerCall: Limit = "tags.call"
    public static let tagBytesPerCall: Limit = "tags.call.bytes"
    public static let tagsPerDevice: Limit = "tags.device"
    public static let devicesPerAlias: Limit = "alias.devices"
    public static let messagesPerReport: Limit = "report.messages"
    public static let timeToLive: Limit = "message.timeToLive"
    public static let keysPerMint: Limit = "keys.mint"
}

/// A limit's number, what it counts, what happens above it, and where it comes from.
public struct Bound: Sendable, Hashable {
    public enum Unit: String, Sendable, Hashable {
        case count
        case utf8Bytes
        case characters
        case seconds
    }

    public enum Overflow: String, Sendable, Hashable {
        /// The client makes several requests.
        case split
        /// The client refuses before anything is sent.
        case reject
        /// The vendor decides, for example because the number depends on a contract.
        case leaveToVendor
    }

    public var maximum: Int
    public var unit: Unit
    public var overflow: Overflow
    /// The page or document and its date.
    public var source: String

    public init(_ maximum: Int, _ unit: Unit, _ overflow: Overflow, source: String) {
        self.maximum = maximum
        self.unit = unit
        self.overflow = overflow
        self.source = source
    }
}
