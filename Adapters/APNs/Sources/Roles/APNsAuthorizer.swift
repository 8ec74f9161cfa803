import FoundationEssentials
import PushAdapter

/// Sends the provider token as a bearer token. Each key has its own group of connections, because the vendor binds a
/// connection to the first team and key that it sees.
struct APNsAuthorizer: Authorizer {
    /// Nil if the connection has a certificate and needs no token.
    let group: String?

    func authorize(
        _ request: WireRequest, as scope: CredentialScope, with token: AccessToken?, at now: Date
    ) throws(PushError) -> HTTPFields {
        guard scope == .app, (token == nil) == (group == nil) else {
            throw PushError(.misconfigured, "APNs has no credentials for a \(scope.name)")
        }
        return token?.bearer ?? HTTPFields()
    }

    func connectionGroup(for scope: CredentialScope) -> String? { group }
}
