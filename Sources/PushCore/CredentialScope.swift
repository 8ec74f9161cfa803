/// Which of a vendor's keys signs a request.
public enum CredentialScope: String, Sendable, Hashable {
    case app
    case group
    case account
}
