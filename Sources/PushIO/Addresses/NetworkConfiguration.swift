import COpenSSL
package import PushAdapter

/// The settings that both transports have.
package protocol NetworkConfiguration: Sendable {
    var maxInFlight: Int { get set }
    var caFile: String? { get set }
    var pinnedPublicKey: String? { get set }
    var proxy: Secret? { get set }
    var proxyChecksAddresses: Bool { get set }
    var connectTimeout: Duration { get set }
    var maxResponseBytes: Int { get set }
    var maxHeaderBytes: Int { get set }
    var userAgent: String { get set }
    /// The durations besides `connectTimeout`.
    static var durations: [WritableKeyPath<Self, Duration>] { get }

    init()
}

extension NetworkConfiguration {
    /// A copy whose values are clamped, so that no sum or product of them overflows: a million requests, a terabyte, and
    /// the longest wait.
    package var bounded: Self {
        var bounded = self
        bounded.maxInFlight = min(maxInFlight, 1 << 20)
        bounded.maxResponseBytes = min(maxResponseBytes, 1 << 40)
        bounded.maxHeaderBytes = min(maxHeaderBytes, 1 << 40)
        for path in Self.durations + [\.connectTimeout] { bounded[keyPath: path] = self[keyPath: path].bounded }
        return bounded
    }

    /// Refuses with `misconfigured` a user agent that would split a header.
    package func checkUserAgent() throws(PushError) {
        guard HTTPField.isValidValue(userAgent) else {
            throw PushError(.misconfigured, "the user agent has a line break or another control character")
        }
    }

    /// The SHA-256 digests of `pinnedPublicKey`; none without it. Refuses a text of another form with `misconfigured`.
    package func pins() throws(PushError) -> [[UInt8]] {
        guard let pinnedPublicKey else { return [] }
        var pins: [[UInt8]] = []
        for pin in pinnedPublicKey.split(separator: ";", omittingEmptySubsequences: false) {
            let base64 = pin.dropFirst("sha256//".count)
            var bytes = [UInt8](repeating: 0, count: 33)
            guard pin.hasPrefix("sha256//"), base64.utf8.count == 44,
                EVP_DecodeBlock(&bytes, Array(base64.utf8), 44) == 33, base64.last == "="
            else {
                throw PushError(
                    .misconfigured, "a pinned key is not sha256// and the Base64 digest of a public key; several with ;"
                )
            }
            pins.append(Array(bytes[..<32]))
        }
        return pins
    }
}
