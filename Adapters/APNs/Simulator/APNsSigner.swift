public import PushAdapter
public import PushCrypto

/// A key for provider tokens that Apple knows: its public half and its limits.
public struct APNsSigner: Sendable {
    /// The id of the key, ten characters.
    public var keyID: String
    /// The team that owns the key, ten characters.
    public var teamID: String
    /// The public half. Apple accepts only signatures of ES256 keys.
    public var verifyingKey: VerifyingKey
    /// The environment that the key works in; nil for both, as keys from before 2025.
    public var environment: AppEnvironment?
    /// The bundle ids that the key may push to; nil for all apps of the team.
    public var topics: Set<String>?
    /// The id of a second key that may share connections with this one; nil for none.
    public var relatedKeyID: String?

    /// Creates a key for all apps of its team, in both environments.
    public init(keyID: String, teamID: String, verifyingKey: VerifyingKey) {
        self.keyID = keyID
        self.teamID = teamID
        self.verifyingKey = verifyingKey
    }

    /// Generates a new key and the text of its `.p8` file. Throws `invalidState` if that fails.
    public static func generate(keyID: String, teamID: String) throws(PushError) -> (signer: APNsSigner, pem: Secret) {
        let key = try SigningKey.generate(.es256)
        return (APNsSigner(keyID: keyID, teamID: teamID, verifyingKey: try key.verifyingKey), key.privateKey)
    }

    /// Whether one of the two keys names the other as related.
    func isRelated(to other: APNsSigner) -> Bool { relatedKeyID == other.keyID || other.relatedKeyID == keyID }
}
