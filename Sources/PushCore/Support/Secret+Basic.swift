import FoundationEssentials

extension Secret {
    /// The value of an `Authorization` field for HTTP Basic, itself a secret.
    public static func basic(_ user: String, _ password: Secret) -> Secret {
        let pair = password.withBytes { Array((user + ":").utf8) + Array($0) }
        return Secret(Array("Basic ".utf8) + Data(pair).base64EncodedData())
    }

    /// A header field that holds the secret. Header compression must not keep it in a table.
    public func field(_ name: HTTPField.Name) -> HTTPField {
        var field = HTTPField(name: name, value: withBytes { String(decoding: $0, as: UTF8.self) })
        field.indexingStrategy = .disallow
        return field
    }
}
