package import PushAdapter

/// The JSON file of a service account's key, in the form of Google's and Huawei's consoles. No error contains anything
/// of it.
package struct ServiceAccountFile: Sendable {
    private let json: JSONValue

    /// Reads the text of the file, which may begin with a byte-order mark. Refuses other texts with `misconfigured`.
    package init(_ text: Secret) throws(PushError) {
        let text = try text.withoutMark(named: "the service account")
        guard let json = text.withBytes({ try? JSONValue(parsing: Array($0)) }) else {
            // Google's console offers a second form of key, which begins with a long list in DER.
            let isBinary = text.withBytes { $0.starts(with: [0x30, 0x82]) }
            throw PushError(
                .misconfigured,
                isBinary
                    ? "the service account is not JSON; it looks like a P12 key: make a key of the type JSON in the console"
                    : "the service account is not JSON; give the text of the file that the console made")
        }
        self.json = json
    }

    /// The text of a field; nil if there is none.
    package subscript(name: String) -> String? { json[name]?.stringValue }

    /// The text of a field. Refuses an empty or missing one with `misconfigured`.
    package func field(_ name: String) throws(PushError) -> String {
        guard let value = self[name], !value.isEmpty else {
            throw PushError(.misconfigured, "the service account has no \(name); take the file as the console made it")
        }
        return value
    }

    /// The private key of the account. Refuses a key that cannot sign so with `misconfigured`.
    package func key(for algorithm: SignatureAlgorithm) throws(PushError) -> SigningKey {
        let pem = Secret(try field("private_key"))
        do throws(PushError) {
            return try SigningKey(pem: pem).signing(with: algorithm)
        } catch {
            var error = error
            error.message = "the service account: " + error.message
            throw error
        }
    }
}
