package import PushAdapter
import PushCrypto

/// The file of the certificate authorities that a transport trusts.
package struct AuthorityFile: Sendable {
    package let path: String
    /// The text, as OpenSSL reads it.
    package let text: Secret
    /// Whether OpenSSL may read the file itself.
    package let isReadableAsItIs: Bool

    fileprivate init(_ path: String) throws(PushError) {
        let name = "the CA file \(Redaction.quoted(path))"
        guard let file = try? Secret(contentsOf: path, named: name) else {
            throw PushError(.misconfigured, "\(name) cannot be read")
        }
        text = try PEM.readable(file, .certificates, name)
        isReadableAsItIs = text == file
        self.path = path
    }
}

extension NetworkConfiguration {
    /// Reads `caFile`; nil without one. Refuses with `misconfigured` a file that cannot be read, or is not PEM.
    package func authorities() throws(PushError) -> AuthorityFile? {
        guard let caFile else { return nil }
        return try AuthorityFile(caFile)
    }
}
