import CLibcurl
import COpenSSL

/// Makes a handshake fail with a server or an HTTPS proxy whose certificate names no host. libcurl would take the common
/// name for one. Where a certificate names hosts, libcurl compares them itself.
let requireHostNames: curl_ssl_ctx_callback = { _, context, _ in
    SSL_CTX_set_verify(context.map { OpaquePointer($0) }, SSL_VERIFY_PEER) { isGood, store in
        guard isGood == 1, X509_STORE_CTX_get_error_depth(store) == 0,
            let certificate = X509_STORE_CTX_get_current_cert(store), pb_names_host(certificate) == 0
        else { return isGood }
        X509_STORE_CTX_set_error(store, X509_V_ERR_HOSTNAME_MISMATCH)
        return 0
    }
    return CURLE_OK
}
