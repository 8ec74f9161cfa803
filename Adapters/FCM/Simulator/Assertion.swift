import PushAdapter
import PushCrypto
import PushSimulation

/// The assertion that a service account signs to get an access token.
typealias Assertion = SimulatedWebToken

extension Assertion {
    var scopes: Set<String> {
        Set((claims["scope"]?.stringValue ?? "").split(separator: " ").map(String.init))
    }

    /// Whether one of the keys made the signature: the key that the header names, or any if it names none.
    func isSigned(byOneOf keys: [String: VerifyingKey]) -> Bool {
        guard header["alg"] == "RS256", header["typ"].map({ $0 == "JWT" }) ?? true else { return false }
        let candidates =
            if let id = header["kid"]?.stringValue { keys[id].map { [$0] } ?? [] } else { Array(keys.values) }
        return candidates.contains { $0.algorithm == .rs256 && $0.accepts(signature, of: signed) }
    }

    /// Whether its times are close to `now`, in seconds since 1970, and at most an hour apart.
    func isTimely(_ now: Double, skew: Double) -> Bool {
        guard let start = claims["iat"]?.intValue.map({ Double($0) }),
            let end = claims["exp"]?.intValue.map({ Double($0) })
        else { return false }
        return start <= now + skew && end > now - skew && end > start && end - start <= Rules.assertionLife
    }
}
