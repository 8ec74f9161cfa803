import COpenSSL
import PushAdapter

/// Options for a hostile server's TLS, besides its certificate.
package struct TLSOptions: Sendable {
    /// Whether it speaks only TLS 1.1.
    package var isOutdated: Bool
    /// The certificate that clients must present, in PEM form; nil to ask for none.
    package var clientCertificate: String?
    /// Whether it aborts the handshake if the client offers none of its protocols.
    package var insistsOnProtocol: Bool

    package init(isOutdated: Bool = false, clientCertificate: String? = nil, insistsOnProtocol: Bool = false) {
        self.isOutdated = isOutdated
        self.clientCertificate = clientCertificate
        self.insistsOnProtocol = insistsOnProtocol
    }
}

/// The OpenSSL settings of a server.
///
/// `@unchecked`: created once; the connections only read it.
final class TLSContext: @unchecked Sendable {
    let pointer: OpaquePointer
    /// The protocols in ALPN's format: a length before each.
    private let protocols: [UInt8]
    private let insistsOnProtocol: Bool

    init(
        certificate: String, key: String, protocols: [String], options: TLSOptions
    ) throws(PushError) {
        guard let pointer = SSL_CTX_new(TLS_server_method()) else { throw PushError(.invalidState, "no memory") }
        self.pointer = pointer
        self.protocols = protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        insistsOnProtocol = options.insistsOnProtocol
        if options.isOutdated {
            // Both the system's settings and OpenSSL's own level forbid this.
            SSL_CTX_set_security_level(pointer, 0)
            SSL_CTX_ctrl(pointer, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_VERSION), nil)
            SSL_CTX_ctrl(pointer, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(TLS1_1_VERSION), nil)
        }
        guard pb_use_pem(pointer, certificate, key, Int32(key.utf8.count)) == 1 else {
            throw PushError(.invalidArgument, "the certificate or its key cannot be used")
        }
        if let text = options.clientCertificate {
            guard let trusted = HostileServer.x509(fromPEM: text) else {
                throw PushError(.invalidArgument, "the client's certificate cannot be used")
            }
            X509_STORE_add_cert(SSL_CTX_get_cert_store(pointer), trusted)
            X509_free(trusted)
            SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
            // OpenSSL resumes sessions only within a named context.
            SSL_CTX_set_session_id_context(pointer, [1], 1)
        }
        if !protocols.isEmpty { chooseProtocol() }
    }

    deinit { SSL_CTX_free(pointer) }

    private func chooseProtocol() {
        SSL_CTX_set_alpn_select_cb(
            pointer,
            { _, output, outputLength, input, inputLength, context in
                guard let context, let output, let outputLength else { return SSL_TLSEXT_ERR_NOACK }
                let own = Unmanaged<TLSContext>.fromOpaque(context).takeUnretainedValue()
                return own.protocols.withUnsafeBufferPointer { offered in
                    var chosen: UnsafeMutablePointer<UInt8>?
                    // The choice points into the server's or the client's list. Both outlive the call.
                    let code = SSL_select_next_proto(
                        &chosen, outputLength, offered.baseAddress, UInt32(offered.count), input, inputLength)
                    output.pointee = chosen.map { UnsafePointer($0) }
                    if code == OPENSSL_NPN_NEGOTIATED { return SSL_TLSEXT_ERR_OK }
                    return own.insistsOnProtocol ? SSL_TLSEXT_ERR_ALERT_FATAL : SSL_TLSEXT_ERR_NOACK
                }
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}

extension HostileServer {
    /// The name under which OpenSSL finds an authority in a folder: a hash of its subject.
    package static func authorityName(ofPEM certificate: String) -> String? {
        guard let x509 = x509(fromPEM: certificate) else { return nil }
        defer { X509_free(x509) }
        let digits = String(X509_subject_name_hash(x509), radix: 16)
        return String(repeating: "0", count: max(0, 8 - digits.count)) + digits + ".0"
    }

    /// The pin of a certificate's public key: `sha256//` and the Base64 digest.
    package static func pin(ofPEM certificate: String) -> String? {
        guard let x509 = x509(fromPEM: certificate) else { return nil }
        defer { X509_free(x509) }
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(x509), &bytes)
        guard count > 0, let bytes else { return nil }
        defer { pb_free(bytes) }
        var digest = [UInt8](repeating: 0, count: 32)
        guard EVP_Digest(bytes, Int(count), &digest, nil, EVP_sha256(), nil) == 1 else { return nil }
        var text = [UInt8](repeating: 0, count: 45)
        let length = EVP_EncodeBlock(&text, digest, 32)
        return "sha256//" + String(decoding: text[..<Int(length)], as: UTF8.self)
    }

    /// Creates a certificate. The caller must free it.
    static func x509(fromPEM certificate: String) -> OpaquePointer? {
        // OpenSSL does not copy the text, so it must live while OpenSSL reads the certificate.
        certificate.withCString { text -> OpaquePointer? in
            guard let bio = BIO_new_mem_buf(text, -1) else { return nil }
            defer { BIO_free(bio) }
            return PEM_read_bio_X509(bio, nil, nil, nil)
        }
    }
}
