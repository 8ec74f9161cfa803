package import FoundationEssentials
public import PushAdapter
import PushCrypto

/// The key of a Huawei service account, as downloaded from the console. It signs requests to HarmonyOS, and to Android
/// if the app wants that.
public struct HuaweiServiceAccount: Sendable {
    /// The project that owns the account. The vendor refuses the key for any other project.
    public let projectID: String
    /// The id of the key.
    public let keyID: String
    private let account: String
    private let key: SigningKey

    /// The life that the vendor advises. It refuses tokens with more than a day.
    private static let life = 3600
    /// The vendor checks this audience, whichever address gets the request. No request goes there.
    private static let audience = "https://oauth-login.cloud.huawei.com/oauth2/v3/token"

    /// Reads the key from the text of its JSON file. The text may begin with a byte-order mark.
    ///
    /// Refuses with `misconfigured` a text that is not JSON, a missing field, and a private key that is not RSA. The
    /// error names the field and contains nothing of the key. The adapter ignores the file's addresses.
    public init(json: Secret) throws(PushError) {
        let file = try ServiceAccountFile(json)
        projectID = try file.field("project_id")
        keyID = try file.field("key_id")
        account = try file.field("sub_account")
        key = try file.key(for: .ps256)
    }

    /// Reads the key from its JSON file. Refuses an unreadable file with `misconfigured`.
    public init(path: String) throws(PushError) {
        try self.init(json: Secret(contentsOf: path, named: "the service account"))
    }

    /// Makes tokens that last an hour, without a request, and renews them five minutes before they expire.
    ///
    /// Source: JSON Web Tokens of Push Kit, 2026-01-14.
    package var tokens: TokenMinting {
        TokenMinting(renewalMargin: .seconds(300)) { (_, now) throws(PushError) in
            let seconds = Int(now.timeIntervalSince1970.rounded(.down))
            let token = try WebToken.signed(
                [
                    "iss": .string(account), "aud": .string(Self.audience),
                    "iat": JSONValue(integerLiteral: seconds), "exp": JSONValue(integerLiteral: seconds + Self.life),
                ], header: ["kid": .string(keyID), "typ": "JWT"], by: key)
            return .made(
                AccessToken(
                    token, mintedAt: now, expiresAt: Date(timeIntervalSince1970: Double(seconds + Self.life))))
        }
    }

    /// Reads the key that a configuration names: the text `serviceAccount` or the path `serviceAccountFile`. Nil if it
    /// names none; refuses both with `misconfigured`.
    package init?(_ settings: ProviderSettings) throws(PushError) {
        switch (settings.secretIfPresent("serviceAccount"), settings.textIfPresent("serviceAccountFile")) {
        case (let text?, nil): try self.init(json: text)
        case (nil, let path?): try self.init(path: path)
        case (nil, nil): return nil
        case (_?, _?):
            throw PushError(.misconfigured, "set one of serviceAccount and serviceAccountFile, not both")
        }
    }

    /// The settings that name the key.
    package static let settings: [ProviderSetting] = [
        .optional("serviceAccount", "the JSON text of a service account's key", .secret),
        .optional("serviceAccountFile", "the path of that JSON, instead of the text"),
    ]
}

extension HuaweiServiceAccount: CustomStringConvertible, CustomReflectable {
    /// The project only, no key material.
    public var description: String { "a service account of the project \(projectID)" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// Sends a token as a bearer token.
package struct HuaweiAuthorizer: Authorizer {
    private let vendor: String

    package init(_ vendor: String) { self.vendor = vendor }

    package func authorize(
        _ request: WireRequest, as scope: CredentialScope, with token: AccessToken?, at now: Date
    ) throws(PushError) -> HTTPFields {
        guard scope == .app, let token else {
            throw PushError(.misconfigured, "\(vendor) has no credentials for a \(scope.name)")
        }
        return token.bearer
    }
}
