public import FoundationEssentials
public import HTTPTypes

/// Makes the header fields that authenticate a request.
public protocol Authorizer: Sendable {
    /// Signs one attempt; called for every attempt, so a signature is never older than the attempt.
    func authorize(
        _ request: WireRequest, as scope: CredentialScope, at now: Date
    ) throws(PushError) -> HTTPFields
}
