import COpenSSL
import PushAdapter

extension PEM {
    /// The error for a text without the right content: its actual content, and the command that converts it.
    static func refusal(of text: Secret, _ content: Content, _ name: String) -> PushError {
        let reason = text.withBytes { found(in: $0, content) } ?? standard(content)
        return PushError(.misconfigured, "\(name) cannot be read: \(reason)")
    }

    private static func standard(_ content: Content) -> String {
        switch content {
        case .privateKey: "it must be a PEM text without a password, with its line breaks"
        case .certificates: "it must be a PEM text, with its line breaks"
        }
    }

    /// The actual content of a text; nil if that is unknown.
    private static func found(in bytes: UnsafeRawBufferPointer, _ content: Content) -> String? {
        guard contains("-----BEGIN ", bytes) else { return binary(bytes, content) }
        return labels.first { $0.isWrong(for: content) && contains($0.words, bytes) }?.reason
    }

    /// Words of a PEM text, and their meaning.
    private struct Label {
        let words: String
        let reason: String
        /// The content for which they are wrong; nil for both.
        var content: Content?

        func isWrong(for content: Content) -> Bool { self.content.map { $0 == content } ?? true }
    }

    private static let labels = [
        Label(
            words: "-----BEGIN ENCRYPTED PRIVATE KEY-----", reason: "it is encrypted; \(decrypting)",
            content: .privateKey),
        Label(words: "Proc-Type: 4,ENCRYPTED", reason: "it is encrypted; \(decrypting)", content: .privateKey),
        Label(
            words: "-----BEGIN OPENSSH PRIVATE KEY-----",
            reason: "it is a key in OpenSSH's form; convert a copy: ssh-keygen -p -m PKCS8 -f COPY",
            content: .privateKey),
        Label(
            words: "PRIVATE KEY-----", reason: "it is a private key, not a certificate", content: .certificates),
        Label(words: "-----BEGIN PUBLIC KEY-----", reason: "it is a public key"),
        Label(words: "-----BEGIN CERTIFICATE REQUEST-----", reason: "it is a request for a certificate"),
        Label(
            words: "-----BEGIN PKCS7-----",
            reason: "it is PKCS#7; convert it: openssl pkcs7 -print_certs -in FILE -out chain.pem",
            content: .certificates),
        Label(
            words: "-----BEGIN CERTIFICATE-----", reason: "it is a certificate, not a private key",
            content: .privateKey),
    ]

    private static let decrypting = "write it without its password: openssl pkey -in FILE -out key.pem"

    private static func binary(_ bytes: UnsafeRawBufferPointer, _ content: Content) -> String? {
        guard let base = bytes.bindMemory(to: UInt8.self).baseAddress else { return nil }
        let isKey = content == .privateKey
        switch pb_der_content(base, bytes.count) {
        case pb_der_pkcs12:
            let command = "openssl pkcs12 -in FILE \(isKey ? "-nocerts -nodes -out key.pem" : "-nokeys -out chain.pem")"
            return
                "it is PKCS#12 (.p12, .pfx); convert it: \(command), with -legacy if OpenSSL does not know its cipher"
        case pb_der_key:
            return isKey
                ? "it is DER, the binary form; convert it: openssl pkey -inform DER -in FILE -out key.pem"
                : "it is a private key, not a certificate"
        case pb_der_encrypted_key:
            return isKey
                ? "it is DER, the binary form, and encrypted; convert it: openssl pkey -inform DER -in FILE -out key.pem"
                : "it is a private key, not a certificate"
        case pb_der_certificate:
            return isKey
                ? "it is a certificate, not a private key"
                : "it is DER, the binary form; convert it: openssl x509 -inform DER -in FILE -out chain.pem"
        default: return nil
        }
    }
}
