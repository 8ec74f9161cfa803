import FoundationEssentials
import PushAdapter

/// Sends a bearer token, and the time of the attempt, which the vendor compares with its own.
struct HonorAuthorizer: Authorizer {
    let unit: Honor.TimestampUnit

    func authorize(
        _ request: WireRequest, as scope: CredentialScope, with token: AccessToken?, at now: Date
    ) throws(PushError) -> HTTPFields {
        guard scope == .app, let token else {
            throw PushError(.misconfigured, "Honor has no credentials for a \(scope.name)")
        }
        var fields = token.bearer
        guard let name = HTTPField.Name("timestamp") else { return fields }
        fields[name] = String(Int64((now.timeIntervalSince1970 * unit.perSecond).rounded(.down)))
        return fields
    }
}

extension Honor.TimestampUnit {
    /// Units in a second.
    fileprivate var perSecond: Double { self == .seconds ? 1 : 1000 }
}
