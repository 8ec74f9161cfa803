import FoundationEssentials
import PushAdapter
import PushCrypto
import PushSimulation

/// The token endpoint, and the metadata server of a machine in the vendor's cloud.
extension FCMSimulator {
    /// Exchanges an assertion for an access token.
    func exchange(_ request: SimulatedRequest, _ now: Date) throws(Refusal) -> SimulatedResponse {
        var form = request
        form.query = String(decoding: request.body, as: UTF8.self)
        guard let grant = form.parameter("grant_type") else {
            throw .grant("invalid_request", "Missing required parameter: grant_type")
        }
        guard grant == Rules.grantType else { throw .grant("unsupported_grant_type", "Invalid grant_type: \(grant)") }
        guard let text = form.parameter("assertion") else {
            throw .grant("invalid_request", "Missing required parameter: assertion")
        }
        guard let assertion = Assertion(text) else { throw .grant("invalid_grant", "Invalid JWT.") }
        let account = try owner(of: assertion, now) { isOwnAudience($0, request) }
        let scopes = assertion.scopes
        guard !scopes.isEmpty, scopes.allSatisfy({ $0.hasPrefix(Rules.scopePrefix) }) else {
            throw .grant("invalid_scope", "Invalid OAuth scope.")
        }
        return try issue(to: account.email, scopes, now)
    }

    /// The account that made an assertion, after all checks except the scopes.
    func owner(
        of assertion: Assertion, _ now: Date, isOurs: (String) -> Bool
    ) throws(Refusal) -> FCMServiceAccount {
        guard let email = assertion.claims["iss"]?.stringValue, let account = accounts[email] else { throw .account }
        guard assertion.isSigned(byOneOf: account.keys) else { throw .signature }
        guard let audience = assertion.claims["aud"]?.stringValue, isOurs(audience) else {
            throw .grant("invalid_grant", "Invalid JWT: the audience is wrong.")
        }
        guard assertion.isTimely(now.timeIntervalSince1970, skew: settings.clockSkew) else { throw .times }
        guard assertion.claims["sub"].map({ $0 == .string(email) }) ?? true else {
            throw .grant("unauthorized_client", "The client may not act for another account.", status: 401)
        }
        return account
    }

    /// Whether the audience is the vendor's address or this server's, with any scheme and port.
    private func isOwnAudience(_ audience: String, _ request: SimulatedRequest) -> Bool {
        if audience == Rules.tokenAudience { return true }
        let parts = audience.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, ["https:", "http:"].contains(parts[0]), "/\(parts[3])" == request.path else {
            return false
        }
        let host = parts[2].split(separator: ":").first ?? ""
        return request.host.isEmpty || host.lowercased() == request.host.lowercased()
    }

    // MARK: Metadata server

    private static let flavor = HTTPField.Name("Metadata-Flavor")

    /// A token for the machine's account, with the scopes of the request or all of them.
    func machineToken(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let (name, request) = (call["account"], call.request)
        guard let flavor = Self.flavor, request.headers[flavor] == "Google" else {
            throw .grant("forbidden", "The header Metadata-Flavor: Google is missing.", status: 403)
        }
        guard let email = machineAccount, accounts[email] != nil, ["default", email].contains(name) else {
            throw .grant("not_found", "The machine has no such service account.", status: 404)
        }
        let named = (request.parameter("scopes") ?? "").split(separator: ",").map(String.init)
        var response = try issue(to: email, named.isEmpty ? [Rules.platformScope] : Set(named), call.now)
        response.headers[flavor] = "Google"
        return response
    }
}
