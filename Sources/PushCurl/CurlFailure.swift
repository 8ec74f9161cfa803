import CLibcurl
import PushCore
import PushIO

/// What libcurl's failures mean.
enum CurlFailure {
    static func error(_ code: CURLcode, _ transfer: CurlTransfer) -> PushError {
        let row = transfer.breach.map(Self.row(for:)) ?? Self.row(for: code, wasSent: transfer.wasSent)
        return .transport(row.text, kind: row.kind, retry: row.retry, wasSent: transfer.wasSent)
    }

    private static func row(for code: CURLcode, wasSent: Bool) -> Row {
        // The scheme was checked before; later, libcurl uses this code for a response that is not HTTP.
        if wasSent, code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_WEIRD_SERVER_REPLY {
            return (.malformedResponse, .backoff, "the response is not HTTP")
        }
        // Until something is sent, libcurl connects.
        if !wasSent, code == CURLE_OPERATION_TIMEDOUT { return (.transport, .backoff, "no connection in time") }
        return table[code.rawValue] ?? (.transport, .backoff, String(cString: curl_easy_strerror(code)))
    }

    private static func row(for breach: CurlTransfer.Breach) -> Row {
        switch breach {
        case .longBody: (.malformedResponse, .backoff, "the response body is too long; see maxResponseBytes")
        case .longHeader: (.malformedResponse, .backoff, "the response header is too long; see maxHeaderBytes")
        case .repetition: (.transport, .backoff, "the connection closed before a response")
        case .staleConnection: (.transport, .backoff, "the kept connection was not usable")
        case .earlyAnswer:
            (.malformedResponse, .backoff, "the server responded before it had the whole request")
        case .foreignStatusLine:
            (.malformedResponse, .backoff, "the response's status line is not of the HTTP version in use")
        case .leftoverBytes: (.malformedResponse, .backoff, "the server sent more than one response")
        case .brokenHeader: (.transport, .backoff, "the connection closed inside the response header")
        case .lookups:
            (
                .transport, .backoff,
                "\(NameLookups.most) lookups of the host name are still unanswered; is the name server reachable?"
            )
        }
    }

    private typealias Row = (kind: PushError.Kind, retry: PushError.Retry, text: String)

    private static let table: [UInt32: Row] = [
        CURLE_UNSUPPORTED_PROTOCOL.rawValue: (.invalidArgument, .never, "the address scheme is not supported"),
        CURLE_URL_MALFORMAT.rawValue: (.invalidArgument, .never, "the address is malformed"),
        CURLE_COULDNT_RESOLVE_PROXY.rawValue: (.transport, .backoff, "the proxy's name cannot be resolved"),
        CURLE_COULDNT_RESOLVE_HOST.rawValue: (.transport, .backoff, "the host name cannot be resolved"),
        CURLE_COULDNT_CONNECT.rawValue: (.transport, .backoff, "no connection; is the host right and reachable?"),
        CURLE_OPERATION_TIMEDOUT.rawValue: (.timeout, .backoff, "no response in time"),
        CURLE_SSL_CONNECT_ERROR.rawValue: (.transport, .backoff, "the TLS handshake failed"),
        CURLE_PEER_FAILED_VERIFICATION.rawValue: (
            .transport, .never, "the server's certificate is not trusted for this host; check the CA file"
        ),
        CURLE_SSL_CACERT_BADFILE.rawValue: (.misconfigured, .never, "the CA file cannot be read"),
        CURLE_SSL_PINNEDPUBKEYNOTMATCH.rawValue: (.transport, .never, "the server's key is not the pinned one"),
        CURLE_SEND_ERROR.rawValue: (.transport, .backoff, "the connection broke while sending"),
        CURLE_SEND_FAIL_REWIND.rawValue: (.transport, .backoff, "the connection closed before a response"),
        CURLE_RECV_ERROR.rawValue: (.transport, .backoff, "the connection broke before the whole response"),
        CURLE_GOT_NOTHING.rawValue: (.transport, .backoff, "the server closed the connection without a response"),
        CURLE_PARTIAL_FILE.rawValue: (.transport, .backoff, "the connection closed inside the response"),
        CURLE_READ_ERROR.rawValue: (.invalidArgument, .never, "a file of the request cannot be read"),
    ]
}
