import FoundationEssentials
import PushAdapter

/// HTTP Basic on every request: the app's pair, or the group's pair for group calls.
struct EngageLabAuthorizer: Authorizer {
    private var credentials: [CredentialScope: Secret] = [:]

    init(appKey: String, masterSecret: Secret, group: EngageLabGroup?) throws(PushError) {
        try Self.check(appKey, masterSecret, "app")
        credentials[.app] = .basic(appKey, masterSecret)
        if let group {
            try Self.check(group.key, group.masterSecret, "group")
            credentials[.group] = .basic("group-" + group.key, group.masterSecret)
        }
    }

    func authorize(
        _ request: WireRequest, as scope: CredentialScope, with token: AccessToken?, at now: Date
    ) throws(PushError) -> HTTPFields {
        guard let secret = credentials[scope] else {
            let advice = scope == .group ? "give the adapter an EngageLabGroup" : "this adapter does not support them"
            throw PushError(.misconfigured, "this call needs \(scope.name) credentials; \(advice)")
        }
        return HTTPFields([secret.field(.authorization)])
    }

    /// The samples have 24 lower-case hex digits, but no page promises that. A colon would end the key, and the vendor
    /// answers a space with 21008.
    private static func check(_ key: String, _ secret: Secret, _ owner: String) throws(PushError) {
        let isPrintable = secret.withBytes { $0.allSatisfy { (0x21...0x7E).contains($0) } }
        guard !key.isEmpty, key.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x3A }), !secret.isEmpty,
            isPrintable
        else {
            throw PushError(
                .misconfigured,
                "the \(owner) key or the \(owner) master secret of EngageLab is empty, or has blanks or characters "
                    + "that no key can have; copy both from the console")
        }
    }
}
