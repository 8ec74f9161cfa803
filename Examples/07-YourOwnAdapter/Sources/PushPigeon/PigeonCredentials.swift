import FoundationEssentials
import PushAdapter

/// How requests are signed: the key is a header field of every call.
struct PigeonCredentials: Authorizer {
    let key: Secret

    /// What the vendor says about the key.
    static let errors: [VendorErrorRow] = [
        .refused(10, .unauthorized, "the key is wrong; copy it from the loft", PigeonErrors.page),
        .refused(11, .unauthorized, "the key has expired; make another in the loft", PigeonErrors.page),
    ]

    /// Pigeon has no access tokens.
    var tokens: TokenMinting? { nil }

    func authorize(
        _ request: WireRequest, as scope: CredentialScope, with token: AccessToken?, at now: Date
    ) throws(PushError) -> HTTPFields {
        guard scope == .app, let name = HTTPField.Name("X-Pigeon-Key") else {
            throw PushError(.misconfigured, "Pigeon has only app keys, none for a \(scope.name)")
        }
        var field = HTTPField(name: name, value: key.withBytes { String(decoding: $0, as: UTF8.self) })
        field.indexingStrategy = .disallow
        return HTTPFields([field])
    }
}
