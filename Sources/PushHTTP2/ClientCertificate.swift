public import PushCore

/// A certificate by which a server knows its client.
public struct ClientCertificate: Sendable {
    /// The certificate, and those that lead to its authority, in PEM form.
    public var chain: String
    /// The private key of the certificate, in PEM form and not encrypted.
    public var key: Secret

    /// A certificate and its key.
    public init(chain: String, key: Secret) {
        self.chain = chain
        self.key = key
    }
}
