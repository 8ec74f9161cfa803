import FoundationEssentials
public import PushAdapter
import PushCrypto

/// A key of a developer team that signs provider tokens: the file `AuthKey_….p8`, its id and the team.
public struct APNsKey: Sendable {
    /// The id of the key: ten letters and digits.
    public let keyID: String
    /// The id of the team: ten letters and digits.
    public let teamID: String
    private let key: SigningKey

    /// The lifetime of a token. The vendor refuses tokens that are older than an hour.
    private static let life: TimeInterval = 55 * 60
    /// The minimum age before renewal: the vendor refuses a connection that changes its token more often.
    private static let leastAge: Duration = .seconds(20 * 60)

    /// Creates a key from the text of its file. Line breaks may be the two characters `\n`, as in an environment
    /// variable.
    ///
    /// Refuses with `misconfigured` a text that is not an elliptic-curve key on P-256, and ids that are not ten letters
    /// and digits. The error contains nothing of the key.
    public init(pem: Secret, keyID: String, teamID: String) throws(PushError) {
        for (name, id) in [("keyID", keyID), ("teamID", teamID)] {
            guard id.utf8.count == 10, id.utf8.allSatisfy({ Self.letters.contains($0) }) else {
                throw PushError(
                    .misconfigured,
                    "\(name) is \(Redaction.quoted(id)); the vendor's ids have ten letters and digits, such as K7EXAMPLE9"
                )
            }
        }
        do throws(PushError) {
            key = try SigningKey(pem: pem)
            guard key.algorithm == .es256 else {
                throw PushError(.misconfigured, "it is not an elliptic key; take the .p8 file as the vendor made it")
            }
        } catch {
            var error = error
            error.message = "the key for APNs: " + error.message
            throw error
        }
        self.keyID = keyID
        self.teamID = teamID
    }

    /// Reads the key from its file. Refuses an unreadable file with `misconfigured`.
    public init(path: String, keyID: String, teamID: String) throws(PushError) {
        try self.init(pem: Secret(contentsOf: path, named: "the key for APNs"), keyID: keyID, teamID: teamID)
    }

    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

    /// Mints tokens that last 55 minutes. They are renewed after 50 minutes, and never sooner than after 20.
    var tokens: TokenMinting {
        TokenMinting(renewalMargin: .seconds(5 * 60), minimumInterval: Self.leastAge) { (_, now) throws(PushError) in
            // The vendor counts the token's age from this claim, in whole seconds.
            let seconds = now.timeIntervalSince1970.rounded(.down)
            let token = try WebToken.signed(
                ["iss": .string(teamID), "iat": JSONValue(integerLiteral: Int(seconds))],
                header: ["kid": .string(keyID)], by: key)
            return .made(
                AccessToken(
                    token, mintedAt: now, expiresAt: Date(timeIntervalSince1970: seconds + Self.life), scheme: "bearer")
            )
        }
    }
}

extension APNsKey: CustomStringConvertible, CustomReflectable {
    /// The ids only, no key material.
    public var description: String { "the key \(keyID) of the team \(teamID)" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
