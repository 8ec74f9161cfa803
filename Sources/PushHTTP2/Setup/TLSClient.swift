import COpenSSL
import Glibc
import PushAdapter
import PushCrypto
import PushIO

/// The encryption of connections, and the authorities that they trust.
///
/// `@unchecked`: OpenSSL's context is made once; connections only read it, from several threads.
final class TLSClient: @unchecked Sendable {
    private let context: OpaquePointer
    private let pins: [[UInt8]]

    init(_ configuration: HTTP2Configuration) throws(PushError) {
        pins = try configuration.pins()
        guard let context = SSL_CTX_new(TLS_client_method()) else {
            throw PushError(.invalidState, "OpenSSL could not be initialized")
        }
        self.context = context
        pb_set_limits(context)
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        if let file = try configuration.authorities() {
            let isUsable = file.text.withBytes { pb_trust_pem(context, $0.baseAddress, Int32(clamping: $0.count)) == 1 }
            guard isUsable else { throw PushError(.misconfigured, "the CA file holds no certificate that can be used") }
        } else {
            // Not `SSL_CTX_set_default_verify_paths`, which lets the environment choose whom to trust.
            SSL_CTX_load_verify_dir(context, X509_get_default_cert_dir())
            SSL_CTX_load_verify_file(context, X509_get_default_cert_file())
        }
        if let certificate = try configuration.clientCertificate?.readable() {
            let isUsable = certificate.key.withBytes { key in
                pb_use_pem(context, certificate.chain, key.baseAddress, Int32(key.count)) == 1
            }
            guard isUsable else {
                throw PushError(.misconfigured, "the client certificate and its key do not belong together")
            }
        }
        // Files that do not exist leave errors behind, which a later call would take for its own.
        ERR_clear_error()
    }

    deinit { SSL_CTX_free(context) }

    /// A new TLS connection over a socket, to this host and no other.
    func connection(over socket: Int32, to host: String) -> OpaquePointer? {
        guard let ssl = SSL_new(context) else { return nil }
        let rules = SSL_get0_param(ssl)
        X509_VERIFY_PARAM_set_hostflags(
            rules, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT))
        // Certificates name a host without the dot at its end.
        let host = host.hasSuffix(".") ? String(host.dropLast()) : host
        var address = in6_addr()
        let isAddress = inet_pton(AF_INET, host, &address) == 1 || inet_pton(AF_INET6, host, &address) == 1
        let isBound =
            isAddress
            ? X509_VERIFY_PARAM_set1_ip_asc(rules, host) == 1
            : X509_VERIFY_PARAM_set1_host(rules, host, host.utf8.count) == 1 && pb_set_server_name(ssl, host) == 1
        let protocols: [UInt8] = [2] + Array("h2".utf8)
        guard isBound, SSL_set_alpn_protos(ssl, protocols, UInt32(protocols.count)) == 0, SSL_set_fd(ssl, socket) == 1
        else {
            SSL_free(ssl)
            return nil
        }
        // One system call for many records, where it otherwise takes two for each.
        SSL_set_read_ahead(ssl, 1)
        SSL_set_default_read_buffer_len(ssl, 64 << 10)
        return ssl
    }

    /// Why a finished handshake is refused; nil if it is accepted.
    func refusal(of ssl: OpaquePointer) -> ConnectionFailure? {
        if !pins.isEmpty, !pins.contains(where: { $0 == Self.digest(of: ssl) }) {
            return .otherKey
        }
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &length)
        let isHTTP2 = UnsafeBufferPointer(start: name, count: Int(length)).elementsEqual("h2".utf8)
        return isHTTP2 ? nil : .otherProtocol(wanted: .http2)
    }

    /// The SHA-256 digest of the server's public key.
    private static func digest(of ssl: OpaquePointer) -> [UInt8]? {
        guard let certificate = SSL_get1_peer_certificate(ssl) else { return nil }
        defer { X509_free(certificate) }
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &bytes)
        guard count > 0, let bytes else { return nil }
        defer { pb_free(bytes) }
        return Digests.sha256(Array(UnsafeBufferPointer(start: bytes, count: Int(count))))
    }
}
