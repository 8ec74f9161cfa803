import FoundationEssentials
import PushAdapter
import PushCrypto
import PushSimulation

/// The token endpoint.
extension HonorSimulator {
    /// Issues an access token for a client id and its secret.
    func exchange(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        var form = call.request
        form.query = String(decoding: call.body, as: UTF8.self)
        guard form.parameter("grant_type") == "client_credentials" else {
            throw .grant("invalid_grant", "grant_type is wrong")
        }
        let client = form.parameter("client_id") ?? ""
        guard let app = apps.values.first(where: { $0.clientID == client }) else {
            throw .grant("invalid_client", "The client is unknown")
        }
        guard Secret(form.parameter("client_secret") ?? "") == app.clientSecret else {
            throw .grant("unauthorized_client", "The secret is wrong")
        }
        return issue(to: client, call.now)
    }

    private func issue(to client: String, _ now: Date) -> SimulatedResponse {
        if settings.newTokenEndsOthers {
            for (digest, token) in accessTokens where token.client == client { accessTokens[digest]?.end = now }
        }
        let text = Base64URL.encode(SimulatorRandom.bytes(48))
        accessTokens[Self.digest(text)] = (client, now.addingTimeInterval(Double(settings.accessTokenLife)))
        exchangeCount += 1
        return .json([
            "access_token": .string(text), "expires_in": JSONValue(settings.accessTokenLife), "token_type": "Bearer",
        ])
    }
}
