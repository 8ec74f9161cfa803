import FoundationEssentials
import HuaweiSimulation
import PushAdapter
import PushCrypto
import PushSimulation

/// The token endpoint.
extension HuaweiSimulator {
    private static let secretForm: Set<UInt8> = Set(
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)

    /// Issues an access token for a client id and its secret.
    func exchange(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        var form = call.request
        form.query = String(decoding: call.body, as: UTF8.self)
        guard form.parameter("grant_type") == "client_credentials" else { throw .grant(20_182, "grant_type") }
        let client = form.parameter("client_id") ?? ""
        guard !client.isEmpty, client.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw .grant(20_002, "client_id")
        }
        guard let app = apps[client] else { throw .grant(20_003, "client_id") }
        guard let secret = form.parameter("client_secret"), !secret.isEmpty else {
            throw .grant(20_171, "client_secret")
        }
        guard secret.utf8.allSatisfy(Self.secretForm.contains) else { throw .grant(20_172, "client_secret") }
        guard Secret(secret) == app.clientSecret else { throw .grant(12_304, "client_secret") }
        guard exchanges[client, default: RateWindow(seconds: 300)].take(settings.tokensPerFiveMinutes, call.now) else {
            throw .busy
        }
        return issue(to: client, call.now)
    }

    private func issue(to client: String, _ now: Date) -> SimulatedResponse {
        if settings.newTokenEndsOthers {
            for (digest, token) in accessTokens where token.client == client { accessTokens[digest]?.end = now }
        }
        // The slash shows that the vendor's JSON escapes it.
        let text = "CF/" + Base64URL.encode(SimulatorRandom.bytes(48))
        let life = settings.accessTokenLife
        accessTokens[Self.digest(text)] = (client, now.addingTimeInterval(Double(life)))
        exchangeCount += 1
        let escaped = text.replacing("/", with: #"\/"#)
        let body = #"{"access_token":"\#(escaped)","expires_in":\#(life),"token_type":"Bearer"}"#
        return SimulatedResponse(
            status: 200, headers: [.contentType: "application/json;charset=utf-8"], body: Array(body.utf8))
    }
}

extension Refusal {
    static let wrongMethod = Refusal(405, 0, "")
    static let endedToken = Refusal(401, 80_200_003, "The access token has expired")
    static let collapseKey = Refusal(400, 80_100_013, "Incorrect collapse_key")
    static let sensitiveWords = Refusal(400, 80_100_016, "The message contains sensitive information")
    static let tooManyTasks = Refusal(
        400, 80_100_017, "A maximum of 100 topic-based messages can be sent at the same time")
    static let reviewSignature = Refusal(400, 80_100_018, "The signature of the review is wrong")
    static let notUrgent = Refusal(400, 80_300_011, "The app has no right for messages of high urgency")

    /// An error of the token endpoint.
    static func grant(_ code: Int, _ field: String) -> Refusal {
        Refusal(
            400, 1101, "invalid request",
            fields: ["error": 1101, "sub_error": JSONValue(code), "error_description": .string("wrong \(field)")])
    }

    /// The response: the token endpoint has its own form.
    func answer(_ requestID: String, alwaysOK: Bool) -> SimulatedResponse {
        fields.isEmpty ? response(requestID, alwaysOK: alwaysOK) : .json(.object(fields), status: status)
    }
}
