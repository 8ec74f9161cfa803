/// Which of a vendor's keys signs a request.
public enum CredentialScope: String, Sendable, Hashable {
    /// The key of one app.
    case app
    /// The key of a group of apps.
    case group
    /// The key of the developer's account with the vendor.
    case account
    /// No key: the request carries its own proof, such as the request for an access token.
    case none
}
