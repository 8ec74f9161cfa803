public import PushAdapter
import PushIO

/// How an `HTTP2Transport` connects. The defaults suit a backend that talks to one vendor.
public struct HTTP2Configuration: Sendable {
    /// Requests in flight at once in one group of connections; further ones wait. One origin is a group, unless the vendor's
    /// adapter divides it, as APNs does by key.
    public var maxInFlight = 1_000
    /// Connections to one group of requests. The transport opens a further one only when all others have answered
    /// twice and are full.
    public var maxConnections = 4
    /// A PEM file with the certificate authorities to trust instead of the system's.
    public var caFile: String?
    /// The server key to require besides a trusted certificate: `sha256//` and the Base64 digest of its public key;
    /// several with `;`.
    public var pinnedPublicKey: String?
    /// The certificate for servers that ask the client for one.
    public var clientCertificate: ClientCertificate?
    /// An HTTP proxy such as `http://user:password@proxy:3128`; nil uses none and ignores the environment.
    public var proxy: Secret?
    /// Whether the proxy refuses to connect to private addresses. It looks up names in the transport's place, so the
    /// transport cannot check the addresses. Without this, it refuses with `misconfigured` a request through a proxy
    /// that requires a public address, as those of Web Push do.
    public var proxyChecksAddresses = false
    /// For name resolution, TCP, proxy, TLS and the server's settings together.
    public var connectTimeout: Duration = .seconds(5)
    /// The transport sends a PING over a connection that was silent for longer: while requests wait for responses, and
    /// before the connection gets new ones.
    public var pingInterval: Duration = .seconds(10)
    /// A connection that does not answer within this time is closed.
    public var pingTimeout: Duration = .seconds(5)
    /// A connection that was idle for longer is closed. Long, because vendors take frequent new connections for an attack.
    public var maxIdleTime: Duration = .seconds(3600)
    /// Idle connections in all groups together. Above that, the one that was idle for the longest time is closed.
    public var maxIdleConnections = 256
    /// The longest body of a response, in bytes.
    public var maxResponseBytes = 1 << 20
    /// The longest header of a response, in bytes, with interim responses and trailers.
    public var maxHeaderBytes = 64 << 10
    /// The bytes of all responses that have not ended, in all groups together. Above that, the longest of them ends with
    /// `malformedResponse`, until the others fit.
    public var maxUnfinishedBytes = 64 << 20
    /// The `User-Agent` of every request; one with a control character is refused with `misconfigured`.
    public var userAgent = "PushBridge"

    /// The defaults, which trust the certificate authorities of the system.
    public init() {}
}

extension HTTP2Configuration: NetworkConfiguration {
    package static var durations: [WritableKeyPath<HTTP2Configuration, Duration>] {
        [\.pingInterval, \.pingTimeout, \.maxIdleTime]
    }
}
