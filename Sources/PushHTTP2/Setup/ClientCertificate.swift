public import PushAdapter
import PushCrypto

/// A certificate by which a server knows its client.
public struct ClientCertificate: Sendable {
    /// The certificate, and those that lead to its authority, in PEM form.
    public var chain: String
    /// The private key of the certificate, in PEM form and not encrypted.
    public var key: Secret

    /// A certificate and its key. Both may begin with a byte-order mark, and their line breaks may be the two characters
    /// `\n`, as in an environment variable.
    public init(chain: String, key: Secret) {
        self.chain = chain
        self.key = key
    }

    /// A certificate and its key from their files, which may be the same.
    ///
    /// Refuses with `misconfigured` a file that cannot be read or is not PEM. The error names the file's actual form,
    /// such as PKCS#12 or an encrypted key, and the command that converts it.
    public init(chainFile: String, keyFile: String) throws(PushError) {
        let chain = try Secret(contentsOf: chainFile, named: Self.chainName)
        self.init(
            chain: Self.text(try PEM.readable(chain, .certificates, Self.chainName)),
            key: try PEM.readable(Secret(contentsOf: keyFile, named: Self.keyName), .privateKey, Self.keyName))
    }

    /// The certificate as OpenSSL reads it. Refuses a text that is not PEM, with `misconfigured`.
    func readable() throws(PushError) -> ClientCertificate {
        ClientCertificate(
            chain: Self.text(try PEM.readable(Secret(chain), .certificates, Self.chainName)),
            key: try PEM.readable(key, .privateKey, Self.keyName))
    }

    private static let chainName = "the client certificate"
    private static let keyName = "the key of the client certificate"

    private static func text(_ chain: Secret) -> String { chain.withBytes { String(decoding: $0, as: UTF8.self) } }
}
