import FoundationEssentials
import PushCore

/// HTTP Basic with app key and master secret, on every call.
struct JPushAuthorizer: Authorizer {
    private let credentials: Secret

    init(appKey: String, masterSecret: Secret) throws(PushError) {
        try Self.check(Array(appKey.utf8), "app key")
        let secret = masterSecret.withBytes { Array($0) }
        try Self.check(secret, "master secret")
        let encoded = Data(Array(appKey.utf8) + [0x3A] + secret).base64EncodedData()
        credentials = Secret(Array("Basic ".utf8) + encoded)
    }

    func authorize(_ request: WireRequest, as scope: CredentialScope, at now: Date) throws(PushError) -> HTTPFields {
        guard scope == .app else {
            throw PushError(
                .misconfigured, "this call needs \(scope.rawValue) credentials; the provider has the app's only")
        }
        let value = credentials.withBytes { String(decoding: $0, as: UTF8.self) }
        var field = HTTPField(name: .authorization, value: value)
        field.indexingStrategy = .disallow
        return HTTPFields([field])
    }

    private static func check(_ text: [UInt8], _ name: String) throws(PushError) {
        let isAlphanumeric = text.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        }
        guard text.count == 24, isAlphanumeric else {
            throw PushError(
                .misconfigured,
                "a JPush \(name) has 24 letters and digits, this one has \(text.count) bytes; copy it from the console")
        }
    }
}
