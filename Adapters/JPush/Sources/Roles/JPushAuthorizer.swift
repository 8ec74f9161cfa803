import FoundationEssentials
import PushAdapter

/// HTTP Basic on every request: the app's pair, or the group's pair for group calls.
struct JPushAuthorizer: Authorizer {
    private var credentials: [CredentialScope: Secret] = [:]

    init(appKey: String, masterSecret: Secret, group: JPushGroup?) throws(PushError) {
        credentials[.app] = try Self.basic(appKey, masterSecret, "", "app key", "master secret")
        if let group {
            credentials[.group] = try Self.basic(
                group.key, group.masterSecret, "group-", "group key", "group master secret")
        }
    }

    func authorize(
        _ request: WireRequest, as scope: CredentialScope, with token: AccessToken?, at now: Date
    ) throws(PushError) -> HTTPFields {
        guard let secret = credentials[scope] else {
            let advice = scope == .group ? "give the adapter a JPushGroup" : "this adapter does not support them"
            throw PushError(.misconfigured, "this call needs \(scope.name) credentials; \(advice)")
        }
        return HTTPFields([secret.field(.authorization)])
    }

    static func basic(
        _ key: String, _ secret: Secret, _ prefix: String, _ keyName: String, _ secretName: String
    ) throws(PushError) -> Secret {
        try check(Array(key.utf8), keyName)
        try check(secret.withBytes { Array($0) }, secretName)
        return Secret.basic(prefix + key, secret)
    }

    private static func check(_ text: [UInt8], _ name: String) throws(PushError) {
        let isAlphanumeric = text.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        }
        guard text.count == 24, isAlphanumeric else {
            throw PushError(
                .misconfigured,
                "a JPush \(name) has 24 letters and digits; this one has \(text.count) bytes; copy it from the console")
        }
    }
}
