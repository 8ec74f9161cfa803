public import PushAdapter

/// The subject of a device's call. Open: more subjects may be added.
public struct SessionSubject: TextIdentifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The tags.
    public static let tags: SessionSubject = "tags"
    /// The alias.
    public static let alias: SessionSubject = "alias"
    /// Tags and alias together, in one request.
    public static let tagsAndAlias: SessionSubject = "tagsAndAlias"
    /// The phone number.
    public static let phone: SessionSubject = "phone"
    /// The accounts.
    public static let accounts: SessionSubject = "accounts"
    /// The attributes.
    public static let attributes: SessionSubject = "attributes"
    /// The badge.
    public static let badge: SessionSubject = "badge"
    /// Tokens from the operating system.
    public static let tokens: SessionSubject = "tokens"
    /// The user's language.
    public static let language: SessionSubject = "language"
    /// The service on the device: registration, connection, polling.
    public static let service: SessionSubject = "service"
    /// A query whose answer does not name its request, so only one can be in flight.
    public static let query: SessionSubject = "query"
}
