import FoundationEssentials
import PushAdapter
import PushWebhooks

/// `Authorization: key=SECRET`, with `key` in small letters.
struct XiaomiAuthorizer: Authorizer {
    private let credentials: Secret

    init(_ secret: Secret) throws(PushError) {
        guard !secret.isEmpty, secret.isVisible else {
            throw PushError(
                .misconfigured, "appSecret is empty, or has blanks; copy the AppSecret from the vendor's console")
        }
        credentials = Secret(secret.withBytes { Array("key=".utf8) + Array($0) })
    }

    func authorize(
        _ request: WireRequest, as scope: CredentialScope, with token: AccessToken?, at now: Date
    ) throws(PushError) -> HTTPFields {
        guard scope == .app else {
            throw PushError(.misconfigured, "Xiaomi has no credentials for a \(scope.name)")
        }
        return HTTPFields([credentials.field(.authorization)])
    }
}
