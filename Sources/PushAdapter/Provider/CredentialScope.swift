/// Which of a vendor's keys signs a request.
public enum CredentialScope: Sendable, Hashable {
    /// The key of one app.
    case app
    /// The key of a group of apps.
    case group
    /// The key of the developer's account with the vendor.
    case account
    /// One of the provider's own keys, for requests to one origin: a token for another origin or of another key proves
    /// nothing there.
    /// - Parameters:
    ///   - origin: scheme, host and port of the requests' addresses.
    ///   - key: the id of the key.
    case origin(String, key: String)
    /// No key: the request carries its own proof, such as the request for an access token.
    case none

    /// The name in messages, without origin and key.
    public var name: String {
        switch self {
        case .app: "app"
        case .group: "group"
        case .account: "account"
        case .origin: "origin"
        case .none: "none"
        }
    }
}
