public import PushCrypto

/// An account for servers, with the public halves of its keys.
public struct FCMServiceAccount: Sendable {
    /// What a role lets an account do in a project.
    public enum Permission: Sendable, Hashable, CaseIterable {
        /// Send messages.
        case sendMessages
        /// Read and change the topics of registrations.
        case manageTopics
        /// Read the report on deliveries.
        case readDeliveries
    }

    /// The account's address, which assertions name.
    public var email: String
    /// The id of the project that the account belongs to.
    public var project: String
    /// The keys that check its assertions, by key id.
    public var keys: [String: VerifyingKey]
    /// What it may do, by project id.
    public var permissions: [String: Set<Permission>]

    /// An account that may do everything in its own project, and nothing elsewhere.
    public init(email: String, project: String, keys: [String: VerifyingKey] = [:]) {
        self.email = email
        self.project = project
        self.keys = keys
        permissions = [project: Set(Permission.allCases)]
    }
}
