public import FoundationEssentials
public import HTTPTypes

/// Makes the header fields that authenticate a request.
public protocol Authorizer: Sendable {
    /// Signs one attempt; called for every attempt, so a signature is never older than the attempt. Not called for
    /// ``CredentialScope/none``.
    /// - Parameters:
    ///   - request: the request to sign.
    ///   - scope: the key to sign with.
    ///   - token: a valid token of the scope, for a vendor with ``Roles/tokens``; nil for any other.
    ///   - now: the moment of the attempt.
    func authorize(
        _ request: WireRequest, as scope: CredentialScope, with token: AccessToken?, at now: Date
    ) throws(PushError) -> HTTPFields

    /// The group of connections for requests that are signed as this scope; see ``TransportRequest/connectionGroup``.
    /// For a vendor that binds a connection to the key that it saw first. Then requests with different access tokens
    /// share no connection either.
    func connectionGroup(for scope: CredentialScope) -> String?
}

extension Authorizer {
    /// Nil: all keys may share connections.
    public func connectionGroup(for scope: CredentialScope) -> String? { nil }
}
