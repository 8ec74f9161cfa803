import COpenSSL
public import PushAdapter

/// A certificate made on the spot for servers on this machine. It signs itself, so it is its own CA file.
public struct SelfSignedCertificate: Sendable {
    /// The certificate in PEM form.
    public let certificate: String
    /// The private key in PEM form; P-256.
    public let privateKey: String

    /// - Parameters:
    ///   - names: DNS names and IP addresses the certificate is valid for; none for one that has only its common name.
    ///   - subject: its common name, by which clients distinguish authorities.
    ///   - start: when it becomes valid, from now. By default an hour ago, so that clocks may differ.
    ///   - lifetime: from now.
    public init(
        names: [String] = ["localhost", "127.0.0.1", "::1"], subject: String = "PushBridge simulator",
        start: Duration = .seconds(-3_600), lifetime: Duration = .seconds(86_400)
    ) throws(PushError) {
        guard let key = pb_new_p256_key(), let x509 = X509_new() else { throw Self.failure("no memory") }
        defer {
            EVP_PKEY_free(key)
            X509_free(x509)
        }
        X509_set_version(x509, 2)
        let serial = try SecureRandom.bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } >> 1
        ASN1_INTEGER_set_uint64(X509_get_serialNumber(x509), serial)
        X509_gmtime_adj(X509_getm_notBefore(x509), Int(start.components.seconds))
        X509_gmtime_adj(X509_getm_notAfter(x509), Int(lifetime.components.seconds))
        X509_set_pubkey(x509, key)
        let name = X509_get_subject_name(x509)
        X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, subject, -1, -1, 0)
        X509_set_issuer_name(x509, name)
        let alternatives = names.map { ($0.allSatisfy { $0.isHexDigit || ".:".contains($0) } ? "IP:" : "DNS:") + $0 }
        if !names.isEmpty { try Self.add(NID_subject_alt_name, alternatives.joined(separator: ","), to: x509) }
        try Self.add(NID_basic_constraints, "critical,CA:TRUE", to: x509)
        guard X509_sign(x509, key, EVP_sha256()) > 0 else { throw Self.failure("signing failed") }
        certificate = try PEM.text { PEM_write_bio_X509($0, x509) }
        privateKey = try PEM.text { PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) }
    }

    private static func add(_ id: Int32, _ value: String, to x509: OpaquePointer) throws(PushError) {
        guard let part = X509V3_EXT_conf_nid(nil, nil, id, value) else { throw failure("extension \(value)") }
        X509_add_ext(x509, part, -1)
        X509_EXTENSION_free(part)
    }

    private static func failure(_ what: String) -> PushError {
        PushError(.invalidState, "OpenSSL could not make a certificate: \(what)")
    }
}

extension SelfSignedCertificate: CustomStringConvertible, CustomReflectable {
    public var description: String { "a self-signed certificate" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
