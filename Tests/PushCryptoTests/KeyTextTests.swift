import Foundation
import PushAdapter
import PushCrypto
import Testing

/// Keys and certificates in the forms that people have.
@Suite("Texts of keys and certificates")
struct KeyTextTests {
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private static func text(_ secret: Secret) -> String { secret.withBytes { String(decoding: $0, as: UTF8.self) } }

    /// The bytes between the first and the last line.
    private static func der(_ pem: String) throws -> [UInt8] {
        let body = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
        return Array(try #require(Data(base64Encoded: body)))
    }

    /// As some Windows editors save it: a mark first, then the low byte of each character first.
    private static func utf16(_ text: String) -> [UInt8] {
        text.utf16.reduce(into: [0xFF, 0xFE]) { bytes, unit in
            bytes += [UInt8(truncatingIfNeeded: unit), UInt8(truncatingIfNeeded: unit >> 8)]
        }
    }

    // MARK: Read

    /// The ways in which a text reaches a program.
    enum Change: CaseIterable {
        case mark, windows, escaped, escapedTwice, escapedWindows, markAndEscaped
    }

    @Test(
        "a key is read with a byte-order mark, and with the two characters of a line break in place of each",
        arguments: Change.allCases)
    func changed(change: Change) throws {
        let key = try SigningKey.generate(.es256)
        let pem = Self.text(key.privateKey)
        let changed: [UInt8] =
            switch change {
            case .mark: Self.mark + pem.utf8
            case .windows: Array(pem.replacing("\n", with: "\r\n").utf8)
            case .escaped: Array(pem.replacing("\n", with: #"\n"#).utf8)
            case .escapedTwice: Array(pem.replacing("\n", with: #"\\n"#).utf8)
            case .escapedWindows: Array(pem.replacing("\n", with: #"\r\n"#).utf8)
            case .markAndEscaped: Self.mark + pem.replacing("\n", with: #"\n"#).utf8
            }
        let read = try SigningKey(pem: Secret(changed))
        #expect(try read.verifyingKey == key.verifyingKey)
        let signature = try read.signature(of: [1, 2, 3])
        #expect(try key.verifyingKey.accepts(signature, of: [1, 2, 3]))
    }

    @Test("a chain of certificates is read in the same forms")
    func chain() throws {
        let (one, two) = (try SelfSignedCertificate(), try SelfSignedCertificate())
        let pem = one.certificate + two.certificate
        let changed = Self.mark + pem.replacing("\n", with: #"\n"#).utf8
        #expect(try PEM.readable(Secret(changed), .certificates, "the chain") == Secret(pem))
        #expect(try PEM.readable(Secret(pem), .certificates, "the chain") == Secret(pem))
    }

    // MARK: Named

    /// An unsupported form, and the words that name it in the error.
    struct Form: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: Secret
        let words: String

        init(_ name: String, _ text: some Collection<UInt8>, _ words: String) {
            (testDescription, self.text, self.words) = (name, Secret(text), words)
        }
    }

    private static func forms() throws -> (keys: [Form], certificates: [Form]) {
        let key = text(try SigningKey.generate(.es256).privateKey)
        let certificate = try SelfSignedCertificate().certificate
        let utf16 = utf16(key)
        let keys = [
            Form(
                "encrypted", Foreign.encrypted.utf8, "encrypted; write it without its password: openssl pkey -in FILE"),
            Form("encrypted, old form", Foreign.encryptedOldForm.utf8, "encrypted; write it without its password"),
            Form(
                "PKCS#12", try der(Foreign.pkcs12), "PKCS#12 (.p12, .pfx); convert it: openssl pkcs12 -in FILE -nocerts"
            ),
            Form("DER", try der(key), "DER, the binary form; convert it: openssl pkey -inform DER -in FILE"),
            Form("encrypted DER", try der(Foreign.encrypted), "and encrypted; convert it: openssl pkey -inform DER"),
            Form("OpenSSH", Foreign.openSSH.utf8, "ssh-keygen -p -m PKCS8"),
            Form("a certificate", certificate.utf8, "a certificate, not a private key"),
            Form("a certificate, DER", try der(certificate), "a certificate, not a private key"),
            Form("a public key", try SigningKey.generate(.es256).verifyingKey.pem.utf8, "a public key"),
            Form("UTF-16", utf16, "UTF-16; save it as UTF-8"),
            Form("one line", key.replacing("\n", with: " ").utf8, "with its line breaks"),
            Form("nothing", [], "must be a PEM text"), Form("zeros", [0, 0, 0, 0], "must be a PEM text"),
        ]
        let certificates = [
            Form("PKCS#12", try der(Foreign.pkcs12), "convert it: openssl pkcs12 -in FILE -nokeys"),
            Form("DER", try der(certificate), "convert it: openssl x509 -inform DER -in FILE"),
            Form("PKCS#7", Foreign.pkcs7.utf8, "convert it: openssl pkcs7 -print_certs -in FILE"),
            Form("a key", key.utf8, "a private key, not a certificate"),
            Form("a key, DER", try der(key), "a private key, not a certificate"),
            Form("UTF-16", utf16, "UTF-16; save it as UTF-8"), Form("nothing", [], "must be a PEM text"),
        ]
        return (keys, certificates)
    }

    @Test("a key in another form is named, with the command that converts it, and nothing of it is repeated")
    func keys() throws {
        for form in try Self.forms().keys {
            let error = #expect(throws: PushError.self) { try SigningKey(pem: form.text) }
            #expect(
                error?.kind == .misconfigured && error?.message.contains(form.words) == true, "\(form.testDescription)")
            #expect(error.map { !"\($0)".contains("MI") && !$0.message.contains("BEGIN") } == true)
        }
    }

    @Test("a certificate in another form is named, with the command that converts it")
    func certificates() throws {
        for form in try Self.forms().certificates {
            let error = #expect(throws: PushError.self) { try PEM.readable(form.text, .certificates, "the chain") }
            #expect(
                error?.kind == .misconfigured && error?.message.contains(form.words) == true, "\(form.testDescription)")
            #expect(error?.message.hasPrefix("the chain") == true)
        }
    }
}

/// Keys made for these tests; they open nothing.
private enum Foreign {
    static let encrypted = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAj2WA5baR0nVAICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEP58wRXGGyRMM7Ym1ImPWPgEgZBN
        gMMfq7/Yb5gii3H4bT5BjWUft56WWBKu9vgLYj2Eod6TRE0lKE82aTarRG7oJep5
        T2mI6+GM+iTAa1vrJQvZBefSsjPH/eT5S3P6YJarQpHJ2lP8wy5M124FI79BXN88
        dH33H7jNhekMRckaY+smUZkFIYvDT2BE5DO9SLXdQbYEozjsPi72/rnSAMoq2pY=
        -----END ENCRYPTED PRIVATE KEY-----
        """
    static let encryptedOldForm = """
        -----BEGIN EC PRIVATE KEY-----
        Proc-Type: 4,ENCRYPTED
        DEK-Info: AES-128-CBC,00112233445566778899AABBCCDDEEFF

        AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB
        -----END EC PRIVATE KEY-----
        """
    static let openSSH = """
        -----BEGIN OPENSSH PRIVATE KEY-----
        b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAaAAAABNlY2RzYS
        -----END OPENSSH PRIVATE KEY-----
        """
    static let pkcs7 = """
        -----BEGIN PKCS7-----
        MIIBnAYJKoZIhvcNAQcCoIIBjTCCAYkCAQExADALBgkqhkiG9w0BBwGgggFxMIIB
        -----END PKCS7-----
        """
    /// Encrypted with a password.
    static let pkcs12 = """
        MIIBfgIBAzCCATQGCSqGSIb3DQEHAaCCASUEggEhMIIBHTCCARkGCSqGSIb3DQEHAaCCAQoEggEGMIIBAjCB/wYLKoZIhvcNAQwK
        AQKgge8wgewwVwYJKoZIhvcNAQUNMEowKQYJKoZIhvcNAQUMMBwECMVBCZi8ZblaAgIIADAMBggqhkiG9w0CCQUAMB0GCWCGSAFl
        AwQBKgQQLmENGGIzOR6/L2En4A08ywSBkJH/qvZMjS90wYoN0YkicXixSZClWpKQgDEW4+UoB4TKyqITQ8nWgOqDzYcOZcE4sf84
        bZfei1Z7ArxH19P4yzfHGBooSpOg+nCEG4pLRryaGT7/XCKBiWQZgxF6QIZ8PQI2OfWm7BbS9PdZVevzvLKBYiGICL9fSxTN79tB
        a+XPlV88IbN4X11yvz9LCVFFnjBBMDEwDQYJYIZIAWUDBAIBBQAEIG5ANMn2PW3YKNlzvObyweJaD4mqGP1FzThXPORPfsYVBAjc
        nRpuBh/9jAICCAA=
        """
}
