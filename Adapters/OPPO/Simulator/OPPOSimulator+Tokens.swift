import FoundationEssentials
import PushAdapter
import PushCrypto
import PushSimulation

/// The token of an app: for a day, for a signature.
extension OPPOSimulator {
    private static let tokenLife = 86_400.0
    private static let clockSkew = 600.0

    func issueToken(_ call: SimulatedCall) throws(Refusal) -> SimulatedResponse {
        let fields = try Fields(form: call.request)
        guard let key = fields["app_key"] else { throw .noKey }
        guard let sign = fields["sign"] else { throw .noSignature }
        guard let timestamp = fields["timestamp"] else { throw .noTimestamp }
        guard let app = apps[key] else { throw .key }
        let secret = app.masterSecret.withBytes { Array($0) }
        let digest = Digests.sha256(Array((key + timestamp).utf8) + secret)
        guard sign == Digests.hex(digest) else { throw .signature }
        guard timestamp.utf8.count == 13, let time = Double(timestamp),
            abs(time / 1000 - call.now.timeIntervalSince1970) <= Self.clockSkew
        else { throw .timestamp }
        tokenCount += 1
        let token = Digests.hex(Digests.sha256(Array("\(key) \(tokenCount)".utf8)).prefix(16))
        if settings.newTokenEndsOthers { tokens = tokens.filter { $0.value.app != key } }
        tokens[token] = (key, call.now.addingTimeInterval(Self.tokenLife))
        let milliseconds = Int(call.now.timeIntervalSince1970 * 1000)
        return .accepted(["auth_token": .string(token), "create_time": JSONValue(milliseconds)])
    }

    /// The app of the token, which is in the form or in a header field.
    func app(_ call: SimulatedCall, _ fields: Fields) throws(Refusal) -> OPPOApp {
        let header = HTTPField.Name("auth_token").flatMap { call.request.headers[$0] }
        guard let text = fields["auth_token"] ?? (settings.takesHeaderTokens ? header : nil) else { throw .noToken }
        guard let token = tokens[text], token.end > call.now, let app = apps[token.app] else { throw .token }
        guard app.isOn else { throw .disabled }
        return app
    }
}
