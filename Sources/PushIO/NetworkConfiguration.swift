package import PushCore

/// The settings that both transports have.
package protocol NetworkConfiguration: Sendable {
    var maxInFlight: Int { get set }
    var caFile: String? { get set }
    var pinnedPublicKey: String? { get set }
    var proxy: Secret? { get set }
    var connectTimeout: Duration { get set }
    var maxResponseBytes: Int { get set }
    var maxHeaderBytes: Int { get set }
    var userAgent: String { get set }

    init()
}

extension NetworkConfiguration {
    /// Refuses with `misconfigured` a user agent that would split a header.
    package func checkUserAgent() throws(PushError) {
        guard HTTPField.isValidValue(userAgent) else {
            throw PushError(.misconfigured, "the user agent has a line break or another control character")
        }
    }
}
