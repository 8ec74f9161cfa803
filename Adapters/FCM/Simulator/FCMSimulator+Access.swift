import FoundationEssentials
import PushAdapter
import PushCrypto
import PushSimulation

/// The caller of a request, and its project.
extension FCMSimulator {
    /// The owner of the request's access token, if the token is valid and covers the call.
    func caller(_ request: SimulatedRequest, _ call: Call, _ now: Date) throws(Refusal) -> FCMServiceAccount {
        let text = try bearer(request, call)
        guard let token = accessTokens[Self.digest(text)] ?? selfSigned(text, now), let account = accounts[token.email]
        else { throw .unknownBearer }
        guard token.end > now else { throw .expiredBearer(call) }
        guard !token.scopes.isDisjoint(with: call.family.scopes) else { throw .scope(call) }
        return account
    }

    private func bearer(_ request: SimulatedRequest, _ call: Call) throws(Refusal) -> String {
        guard request.headers[.authorization] != nil else {
            guard let text = request.parameter("access_token") ?? request.parameter("oauth_token") else {
                throw .noBearer(call)
            }
            return text
        }
        guard let text = request.credential("Bearer") else { throw .unknownBearer }
        return text
    }

    /// Reads an assertion that serves as an access token, if the settings allow it.
    private func selfSigned(_ text: String, _ now: Date) -> AccessToken? {
        guard settings.acceptsSelfSignedTokens, let assertion = Assertion(text) else { return nil }
        let isOurs = { (audience: String) in audience == Rules.bearerAudience }
        guard let account = try? owner(of: assertion, now, isOurs: isOurs) else { return nil }
        let scopes = assertion.scopes.isEmpty ? [Rules.platformScope] : assertion.scopes
        return AccessToken(email: account.email, scopes: scopes, end: .distantFuture)
    }

    /// The id of the project in a path, if the caller has the permission of a kind of calls there.
    func project(_ request: SimulatedCall, _ call: Call) throws(Refusal) -> String {
        let caller = try caller(request.request, call, request.now)
        let name = request["project"]
        let (permission, permissionName) = call.permission
        let found = projects[name] ?? projects.values.first { $0.project.number == name }
        guard let project = found?.project else { throw .permission(permissionName, project: name) }
        guard project.isAPIEnabled else { throw .disabled(project, call) }
        guard caller.permissions[project.id]?.contains(permission) ?? false else {
            throw .permission(permissionName, project: name)
        }
        return project.id
    }

    /// Issues an access token.
    func issue(to email: String, _ scopes: Set<String>, _ now: Date) throws(Refusal) -> SimulatedResponse {
        guard let bytes = try? SecureRandom.bytes(48) else { throw .failure(500, hasCode: false) }
        let text = "ya29." + Base64URL.encode(bytes)
        let life = settings.accessTokenLife
        accessTokens[Self.digest(text)] = AccessToken(
            email: email, scopes: scopes, end: now.addingTimeInterval(Double(life)))
        exchangeCount += 1
        let shownLife: JSONValue = settings.writesLifeAsText ? .string(String(life)) : JSONValue(life)
        return .json(["access_token": .string(text), "expires_in": shownLife, "token_type": "Bearer"])
    }

    private static func digest(_ text: String) -> [UInt8] { Digests.sha256(Array(text.utf8)) }
}
