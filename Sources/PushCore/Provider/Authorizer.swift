public import FoundationEssentials
public import HTTPTypes

/// Makes the header fields that prove who is asking.
public protocol Authorizer: Sendable {
    /// Called for every attempt, so a signature is never older than the attempt.
    func authorize(
        _ request: WireRequest, as scope: CredentialScope, at now: Date
    ) throws(PushError) -> HTTPFields
}
