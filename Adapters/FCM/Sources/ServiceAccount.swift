import Glibc
public import PushAdapter
import PushCrypto

/// The key of a Google service account, as downloaded from the console.
public struct ServiceAccount: Sendable {
    /// The project that owns the account.
    public let projectID: String
    /// The account's address, by which Google knows it.
    public let email: String
    /// The id of the key in Google's lists.
    public let keyID: String
    let key: SigningKey

    /// Reads the key from the text of its JSON file. The text may begin with a byte-order mark.
    ///
    /// Refuses with `misconfigured` a text that is not JSON, a file of another type, a missing field, and an unreadable
    /// private key. The error names the field and contains nothing of the key. The adapter ignores the file's
    /// addresses: the data center decides where the key goes.
    public init(json: Secret) throws(PushError) {
        let file = try ServiceAccountFile(json)
        guard file["type"] == "service_account" else {
            throw PushError(
                .misconfigured,
                "the file is of the type \(Redaction.quoted(file["type"] ?? "")), not service_account; make a key for a service "
                    + "account in the console")
        }
        projectID = try file.field("project_id")
        email = try file.field("client_email")
        keyID = try file.field("private_key_id")
        key = try file.key(for: .rs256)
    }

    /// Reads the key from its JSON file. Refuses an unreadable file with `misconfigured`.
    public init(path: String) throws(PushError) {
        try self.init(json: Secret(contentsOf: path, named: "the service account"))
    }

    /// Reads the key file named by the variable `GOOGLE_APPLICATION_CREDENTIALS`, as Google's own libraries do. Refuses
    /// an unset variable with `misconfigured`.
    public static func fromEnvironment() throws(PushError) -> ServiceAccount {
        guard let path = getenv("GOOGLE_APPLICATION_CREDENTIALS").map({ String(cString: $0) }), !path.isEmpty else {
            throw PushError(
                .misconfigured,
                "GOOGLE_APPLICATION_CREDENTIALS is not set; set it to the path of the service account's file")
        }
        return try ServiceAccount(path: path)
    }
}

extension ServiceAccount: CustomStringConvertible, CustomReflectable {
    /// The project only, no key material.
    public var description: String { "a service account of \(projectID)" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
