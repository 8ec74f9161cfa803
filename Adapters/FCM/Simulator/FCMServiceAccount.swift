public import PushAdapter
public import PushCrypto

/// A service account with the public halves of its keys.
public struct FCMServiceAccount: Sendable {
    /// A permission that a role gives an account in a project.
    public enum Permission: Sendable, Hashable, CaseIterable {
        /// Send messages.
        case sendMessages
        /// Read and change the topics of registrations.
        case manageTopics
        /// Read the delivery report.
        case readDeliveries
    }

    /// The account's address, named in assertions.
    public var email: String
    /// The id of the account's project.
    public var project: String
    /// The keys that verify the account's assertions, by key id.
    public var keys: [String: VerifyingKey]
    /// The account's permissions, by project id.
    public var permissions: [String: Set<Permission>]

    /// Creates an account with all permissions in its own project, and none elsewhere.
    public init(email: String, project: String, keys: [String: VerifyingKey] = [:]) {
        self.email = email
        self.project = project
        self.keys = keys
        permissions = [project: Set(Permission.allCases)]
    }

    /// Generates an account with a new key, and the JSON file of the key as the console provides it.
    ///
    /// This takes about a tenth of a second. The vendor's own libraries exchange tokens at the file's `token_uri`:
    /// replace it with the simulator's address. Throws `invalidState` if no key can be generated.
    public static func generate(
        in project: String
    ) throws(PushError) -> (account: FCMServiceAccount, keyFile: [String: JSONValue]) {
        try generate(in: project, with: SigningKey.generate(.rs256))
    }

    /// The same with this RSA key. Throws `misconfigured` for a key of another type.
    public static func generate(
        in project: String, with key: SigningKey
    ) throws(PushError) -> (account: FCMServiceAccount, keyFile: [String: JSONValue]) {
        let key = try key.signing(with: .rs256)
        let (id, email) = ("simulatorkey1", "simulator@\(project).iam.gserviceaccount.com")
        let pem = key.privateKey.withBytes { String(decoding: $0, as: UTF8.self) }
        let account = FCMServiceAccount(email: email, project: project, keys: [id: try key.verifyingKey])
        let file: [String: JSONValue] = [
            "type": "service_account", "project_id": .string(project), "private_key_id": .string(id),
            "private_key": .string(pem), "client_email": .string(email), "client_id": "100000000000000000001",
            "token_uri": .string(Rules.tokenAudience),
        ]
        return (account, file)
    }
}
