import CLibcurl
import PushCore

/// What libcurl's failures mean.
enum CurlFailure {
    /// - Parameter wasSent: whether a byte of the request may have reached the server; decides the effect.
    static func error(_ code: CURLcode, _ transfer: CurlTransfer, wasSent: Bool) -> PushError {
        if let overflow = transfer.overflow {
            let what =
                overflow == .body
                ? "body is longer than \(transfer.maxBody)" : "header is longer than \(transfer.maxHeaders)"
            return PushError(.malformedResponse, "the answer's \(what) bytes", retry: .backoff, effect: .unknown)
        }
        let row = table[code.rawValue] ?? (.transport, .backoff, String(cString: curl_easy_strerror(code)))
        let sent = wasSent ? "; the request had begun to leave" : "; nothing was sent"
        return PushError(row.kind, row.text + sent, retry: row.retry, effect: wasSent ? .unknown : .notApplied)
    }

    /// What a caller is told whose task was cancelled, or whose transport was shut down.
    static func cancelled(wasSent: Bool) -> PushError {
        PushError(
            .cancelled,
            wasSent ? "cancelled after the request had begun to leave" : "cancelled before anything was sent",
            effect: wasSent ? .unknown : .notApplied)
    }

    private typealias Row = (kind: PushError.Kind, retry: PushError.Retry, text: String)

    private static let table: [UInt32: Row] = [
        CURLE_UNSUPPORTED_PROTOCOL.rawValue: (.invalidArgument, .never, "the address scheme is not supported"),
        CURLE_URL_MALFORMAT.rawValue: (.invalidArgument, .never, "the address is malformed"),
        CURLE_COULDNT_RESOLVE_PROXY.rawValue: (.transport, .backoff, "the proxy's name cannot be resolved"),
        CURLE_COULDNT_RESOLVE_HOST.rawValue: (.transport, .backoff, "the host name cannot be resolved"),
        CURLE_COULDNT_CONNECT.rawValue: (.transport, .backoff, "no connection; is the host right and reachable?"),
        CURLE_OPERATION_TIMEDOUT.rawValue: (.timeout, .backoff, "no answer in time"),
        CURLE_SSL_CONNECT_ERROR.rawValue: (.transport, .backoff, "the TLS handshake failed"),
        CURLE_PEER_FAILED_VERIFICATION.rawValue: (
            .transport, .never, "the server's certificate is not trusted for this host; check the CA file"
        ),
        CURLE_SSL_CACERT_BADFILE.rawValue: (.misconfigured, .never, "the CA file cannot be read"),
        CURLE_SSL_PINNEDPUBKEYNOTMATCH.rawValue: (.transport, .never, "the server's key is not the pinned one"),
        CURLE_SEND_ERROR.rawValue: (.transport, .backoff, "the connection broke while sending"),
        CURLE_SEND_FAIL_REWIND.rawValue: (.transport, .backoff, "the connection closed before an answer"),
        CURLE_RECV_ERROR.rawValue: (.transport, .backoff, "the connection broke before the whole answer"),
        CURLE_GOT_NOTHING.rawValue: (.transport, .backoff, "the server closed the connection without an answer"),
        CURLE_PARTIAL_FILE.rawValue: (.transport, .backoff, "the connection closed inside the answer"),
        CURLE_READ_ERROR.rawValue: (.invalidArgument, .never, "a file of the request cannot be read"),
    ]
}
