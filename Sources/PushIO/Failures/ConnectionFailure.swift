import Glibc
package import PushAdapter

/// Why there is no connection to send over. All transports share this table and only classify their failures, so they
/// report the same failure alike.
package enum ConnectionFailure: Sendable, Hashable {
    /// Who failed: with a proxy, both have a name, an address and perhaps a certificate.
    package enum Peer: String, Sendable {
        case server, proxy
    }

    /// The HTTP version of a transport.
    package enum HTTPVersion: String, Sendable {
        case http1 = "HTTP/1.1"
        case http2 = "HTTP/2"
    }

    case late
    case unknownName(Peer)
    case refused(Peer)
    case noRoute(Peer)
    /// Another error of the system, by its number.
    case noConnection(Peer, Int32)
    /// The proxy's response to CONNECT is not a success.
    case proxyStatus(Int)
    /// The proxy closed the connection, or its response to CONNECT is not HTTP.
    case noProxyResponse
    case expired(Peer)
    case notYetValid(Peer)
    case otherHost(Peer)
    case unknownIssuer(Peer)
    /// Another verdict of OpenSSL on the certificate, in its words.
    case badCertificate(Peer, String)
    case otherKey
    case noTLS(Peer)
    case oldTLS(Peer)
    /// The connection ended within the handshake.
    case brokenHandshake(Peer)
    /// Another failure of the handshake, in the words of OpenSSL.
    case failedHandshake(Peer, String)
    case clientCertificate(Peer)
    case otherProtocol(wanted: HTTPVersion)
    /// The request requires a public address, and this host has none.
    case notPublic(host: String)
}

extension ConnectionFailure {
    private typealias Row = (retry: PushError.Retry, sentence: String, hint: String?)

    private var row: Row {
        switch self {
        case .late: (.backoff, "no connection in time", "is the host right and reachable?")
        case .unknownName(let peer):
            (
                .backoff, "the name of the \(peer.rawValue) cannot be resolved",
                "is it right, and is the name server reachable?"
            )
        case .refused(let peer):
            (
                .backoff, "the \(peer.rawValue) refuses the connection",
                "is the port right, and is the \(peer.rawValue) running?"
            )
        case .noRoute(let peer): (.backoff, "there is no route to the \(peer.rawValue)", "is the address right?")
        case .noConnection(let peer, 0): (.backoff, "no connection to the \(peer.rawValue)", nil)
        case .noConnection(let peer, let number):
            (.backoff, "no connection to the \(peer.rawValue): \(String(cString: strerror(number)))", nil)
        case .proxyStatus(407):
            (
                .never, "the proxy wants other credentials (HTTP 407)",
                "check the user and the password of the setting proxy"
            )
        case .proxyStatus(let status) where Self.mayPass(status):
            (
                .backoff, "the proxy cannot reach the server (HTTP \(status))",
                "is the host right, and is the server running?"
            )
        case .proxyStatus(let status):
            (
                .never, "the proxy forbids the connection (HTTP \(status))",
                "it must allow CONNECT to the host and its port"
            )
        case .noProxyResponse:
            (.backoff, "the proxy gave no HTTP response to CONNECT", "is it an HTTP proxy?")
        case .expired(let peer):
            (
                .never, "the certificate of the \(peer.rawValue), or of its authority, has expired",
                "its operator must renew it, unless this machine's clock is wrong"
            )
        case .notYetValid(let peer):
            (
                .never, "the certificate of the \(peer.rawValue), or of its authority, is not valid yet",
                "is this machine's clock right?"
            )
        case .otherHost(let peer):
            (.never, "the certificate of the \(peer.rawValue) is for another host", "check the host in the address")
        case .unknownIssuer(let peer):
            (
                .never, "the certificate of the \(peer.rawValue) is not trusted, because its authority is unknown",
                "the CA file (caFile) must hold that authority"
            )
        case .badCertificate(let peer, let words):
            (.never, "the certificate of the \(peer.rawValue) is not accepted: \(words)", nil)
        case .otherKey:
            (
                .never, "the key of the server is not the pinned one",
                "check pinnedPublicKey, if the server has a new key"
            )
        case .noTLS(let peer): (.backoff, "the \(peer.rawValue) does not speak TLS", "is the port right?")
        case .oldTLS(let peer):
            (.never, "the \(peer.rawValue) does not speak TLS 1.2 or later", "it needs a newer version")
        case .brokenHandshake(let peer):
            (.backoff, "the connection ended within the TLS handshake with the \(peer.rawValue)", "is the port right?")
        case .failedHandshake(let peer, let words):
            (.backoff, "the TLS handshake with the \(peer.rawValue) failed: \(words)", nil)
        case .clientCertificate(let peer):
            (
                .never, "the \(peer.rawValue) does not accept this client's certificate, or wants one",
                "check clientCertificateFile, which HTTP2Transport shows"
            )
        case .otherProtocol(let wanted):
            (
                .never, "the server does not speak \(wanted.rawValue)",
                "use \(wanted == .http2 ? "CurlTransport" : "HTTP2Transport")"
            )
        case .notPublic(let host):
            (
                .never, "\(host) has no public address",
                "this request must not reach this machine or a private network"
            )
        }
    }

    /// Whether a proxy's refusal may end by itself: the proxy, or the server behind it, is busy or down.
    private static func mayPass(_ status: Int) -> Bool {
        status == 408 || status == 429 || status >= 500 && status != 501 && status != 505
    }

    /// A request to an address that it must not reach is wrong. It says nothing about the vendor or the network, so no
    /// circuit breaker counts it.
    private var kind: PushError.Kind { if case .notPublic = self { .invalidArgument } else { .transport } }

    /// Nothing was sent, unless the failure showed only after the request had begun to leave.
    package func error(wasSent: Bool = false) -> PushError {
        let text = row.hint.map { "\(row.sentence); \($0)" } ?? row.sentence
        return .transport(text, kind: kind, retry: row.retry, wasSent: wasSent)
    }
}
