import COpenSSL
import Glibc

extension ConnectionFailure {
    /// The system's error when it opens or connects a socket.
    package init(systemError number: Int32, _ peer: Peer) {
        switch number {
        case ECONNREFUSED: self = .refused(peer)
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN: self = .noRoute(peer)
        case ETIMEDOUT: self = .late
        default: self = .noConnection(peer, number)
        }
    }

    /// A proxy's response to CONNECT; nil if it opened the tunnel.
    package init?(proxyStatus status: Int) {
        switch status {
        case 200..<300: return nil
        case 300..<600: self = .proxyStatus(status)
        default: self = .noProxyResponse
        }
    }

    /// OpenSSL's verdict on a certificate.
    package init(verdict: Int, _ peer: Peer) {
        switch Int32(truncatingIfNeeded: verdict) {
        case X509_V_ERR_CERT_HAS_EXPIRED: self = .expired(peer)
        case X509_V_ERR_CERT_NOT_YET_VALID: self = .notYetValid(peer)
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: self = .otherHost(peer)
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
            X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_CERT_UNTRUSTED, X509_V_ERR_CERT_SIGNATURE_FAILURE:
            self = .unknownIssuer(peer)
        default: self = .badCertificate(peer, String(cString: X509_verify_cert_error_string(verdict)))
        }
    }

    /// OpenSSL's error of a handshake; zero if it has none, because the connection ended.
    package init(handshakeError code: UInt, _ peer: Peer, wanted: HTTPVersion) {
        // Other libraries of OpenSSL have the same numbers for other things.
        let reason = code == 0 ? 0 : ERR_GET_LIB(code) == ERR_LIB_SSL ? ERR_GET_REASON(code) : -1
        switch reason {
        case 0, SSL_R_UNEXPECTED_EOF_WHILE_READING: self = .brokenHandshake(peer)
        case SSL_R_WRONG_VERSION_NUMBER, SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST, SSL_R_PACKET_LENGTH_TOO_LONG,
            SSL_R_BAD_RECORD_TYPE, SSL_R_RECORD_LENGTH_MISMATCH, SSL_R_UNKNOWN_PROTOCOL:
            self = .noTLS(peer)
        case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_TLSV1_ALERT_PROTOCOL_VERSION, SSL_R_WRONG_SSL_VERSION,
            SSL_R_VERSION_TOO_LOW, SSL_R_NO_PROTOCOLS_AVAILABLE:
            self = .oldTLS(peer)
        case _ where Self.isAboutClientCertificate(reason): self = .clientCertificate(peer)
        case SSL_R_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: self = .otherProtocol(wanted: wanted)
        default:
            let words = ERR_reason_error_string(code).map { String(cString: $0) } ?? "OpenSSL gives no reason"
            self = .failedHandshake(peer, words)
        }
    }

    /// Whether an error of OpenSSL is the other side's alert about the client's certificate. With TLS 1.3, it comes after
    /// the client's side of the handshake.
    package init?(certificateAlert code: UInt, _ peer: Peer) {
        guard Self.isAboutClientCertificate(ERR_GET_REASON(code)) else { return nil }
        self = .clientCertificate(peer)
    }

    private static func isAboutClientCertificate(_ reason: Int32) -> Bool {
        switch reason {
        case SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED, SSL_R_SSLV3_ALERT_NO_CERTIFICATE,
            SSL_R_SSLV3_ALERT_BAD_CERTIFICATE, SSL_R_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE,
            SSL_R_SSLV3_ALERT_CERTIFICATE_REVOKED, SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED,
            SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN, SSL_R_TLSV1_ALERT_UNKNOWN_CA, SSL_R_TLSV1_ALERT_ACCESS_DENIED:
            true
        default: false
        }
    }
}
