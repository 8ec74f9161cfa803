import COpenSSL
import Glibc

/// The hosts that a server's certificate is for.
enum ServerName {
    /// Whether a host is among a certificate's host names; its common name does not count (RFC 9110, 4.3.4).
    static func isIn(_ ssl: OpaquePointer, _ host: String) -> Bool {
        guard let certificate = SSL_get1_peer_certificate(ssl) else { return false }
        defer { X509_free(certificate) }
        // Certificates name a host without the dot at its end.
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        var address = in6_addr()
        if inet_pton(AF_INET, name, &address) == 1 || inet_pton(AF_INET6, name, &address) == 1 {
            return X509_check_ip_asc(certificate, name, 0) == 1
        }
        let rules = UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT)
        return X509_check_host(certificate, name, name.utf8.count, rules, nil) == 1
    }
}
