import CLibcurl
import COpenSSL
import PushAdapter
import PushIO

/// The meaning of libcurl's failures. Failures to connect are only classified here; `ConnectionFailure` has their
/// meaning.
enum CurlFailure {
    static func error(_ code: CURLcode, _ transfer: CurlTransfer) -> PushError {
        let wasSent = transfer.wasSent
        if transfer.breach == nil, let failure = connectionFailure(code, transfer) {
            return failure.error(wasSent: wasSent)
        }
        let row = transfer.breach.map(Self.row(for:)) ?? Self.row(for: code, wasSent: wasSent)
        return .transport(row.text, kind: row.kind, retry: row.retry, wasSent: wasSent)
    }

    /// Why there is no connection. Until something is sent, libcurl connects.
    private static func connectionFailure(_ code: CURLcode, _ transfer: CurlTransfer) -> ConnectionFailure? {
        let easy = transfer.easy
        guard !transfer.wasSent else { return ConnectionFailure(certificateAlert: pb_openssl_error(easy), .server) }
        // The proxy's response to CONNECT is the border: every failure before it is the proxy's.
        let tunnel = long(CURLINFO_HTTP_CONNECTCODE, of: easy)
        let isAtProxy = transfer.engine.configuration.proxy != nil && tunnel == 0
        let peer: ConnectionFailure.Peer = isAtProxy ? .proxy : .server
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: return .unknownName(.server)
        case CURLE_COULDNT_RESOLVE_PROXY: return .unknownName(.proxy)
        case CURLE_COULDNT_CONNECT where transfer.hasNoPublicAddress:
            return .notPublic(host: transfer.call.origin.host)
        case CURLE_COULDNT_CONNECT:
            let number = Int32(truncatingIfNeeded: long(CURLINFO_OS_ERRNO, of: easy))
            return ConnectionFailure(systemError: number == 0 ? transfer.engine.sockets.lastError : number, peer)
        case CURLE_OPERATION_TIMEDOUT: return .late
        case CURLE_PEER_FAILED_VERIFICATION:
            let info = isAtProxy ? CURLINFO_PROXY_SSL_VERIFYRESULT : CURLINFO_SSL_VERIFYRESULT
            let verdict = long(info, of: easy)
            // libcurl compares the names itself, before it asks for the verdict.
            return [Int(X509_V_OK), Int(X509_V_ERR_UNSPECIFIED)].contains(verdict)
                ? .otherHost(peer) : ConnectionFailure(verdict: verdict, peer)
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH: return .otherKey
        case CURLE_SSL_CLIENTCERT: return .clientCertificate(peer)
        case CURLE_SSL_CONNECT_ERROR:
            return ConnectionFailure(handshakeError: pb_openssl_error(easy), peer, wanted: .http1)
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_WEIRD_SERVER_REPLY, CURLE_PROXY:
            return transfer.engine.configuration.proxy == nil ? nil : ConnectionFailure(proxyStatus: tunnel)
        default: return nil
        }
    }

    private static func long(_ info: CURLINFO, of easy: UnsafeMutableRawPointer) -> Int {
        var value = 0
        pb_get_long(easy, info, &value)
        return value
    }

    private static func row(for code: CURLcode, wasSent: Bool) -> Row {
        // The scheme was checked before; later, libcurl uses this code for a response that is not HTTP.
        if wasSent, code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_WEIRD_SERVER_REPLY {
            return (.malformedResponse, .backoff, "the response is not HTTP")
        }
        return table[code.rawValue] ?? (.transport, .backoff, String(cString: curl_easy_strerror(code)))
    }

    private static func row(for breach: CurlTransfer.Breach) -> Row {
        switch breach {
        case .longBody: (.malformedResponse, .backoff, "the response body is too long; see maxResponseBytes")
        case .longHeader: (.malformedResponse, .backoff, "the response header is too long; see maxHeaderBytes")
        case .repetition: (.transport, .backoff, "the connection closed before a response")
        case .staleConnection, .privateConnection, .noConnection, .oldPermission:
            (.transport, .backoff, "the kept connection was not usable")
        case .earlyAnswer:
            (.malformedResponse, .backoff, "the server responded before it had the whole request")
        case .foreignStatusLine:
            (.malformedResponse, .backoff, "the response's status line is not of the HTTP version in use")
        case .leftoverBytes: (.malformedResponse, .backoff, "the server sent more than one response")
        case .brokenHeader: (.transport, .backoff, "the connection closed inside the response header")
        case .lookups:
            (
                .transport, .backoff,
                "too many lookups of host names are still unanswered; is the name server reachable?"
            )
        }
    }

    private typealias Row = (kind: PushError.Kind, retry: PushError.Retry, text: String)

    private static let table: [UInt32: Row] = [
        CURLE_UNSUPPORTED_PROTOCOL.rawValue: (.invalidArgument, .never, "the address scheme is not supported"),
        CURLE_URL_MALFORMAT.rawValue: (.invalidArgument, .never, "the address is malformed"),
        CURLE_OPERATION_TIMEDOUT.rawValue: (.timeout, .backoff, "no response in time"),
        CURLE_SSL_CACERT_BADFILE.rawValue: (.misconfigured, .never, "the CA file cannot be read"),
        CURLE_SEND_ERROR.rawValue: (.transport, .backoff, "the connection broke while sending"),
        CURLE_SEND_FAIL_REWIND.rawValue: (.transport, .backoff, "the connection closed before a response"),
        CURLE_RECV_ERROR.rawValue: (.transport, .backoff, "the connection broke before the whole response"),
        CURLE_GOT_NOTHING.rawValue: (.transport, .backoff, "the server closed the connection without a response"),
        CURLE_PARTIAL_FILE.rawValue: (.transport, .backoff, "the connection closed inside the response"),
        CURLE_READ_ERROR.rawValue: (.invalidArgument, .never, "a file of the request cannot be read"),
    ]
}
