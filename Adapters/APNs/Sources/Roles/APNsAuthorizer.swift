import FoundationEssentials
import PushAdapter

/// The provider token as a bearer, and one group of connections for each key: the vendor binds a connection to the team and
/// key that it saw first.
struct APNsAuthorizer: Authorizer {
    /// Nil where the connection has a certificate, which needs no token.
    let group: String?

    func authorize(
        _ request: WireRequest, as scope: CredentialScope, with token: AccessToken?, at now: Date
    ) throws(PushError) -> HTTPFields {
        guard scope == .app, (token == nil) == (group == nil) else {
            throw PushError(.misconfigured, "APNs has no credentials for a \(scope.rawValue)")
        }
        return token?.bearer ?? HTTPFields()
    }

    func connectionGroup(for scope: CredentialScope) -> String? { group }
}
