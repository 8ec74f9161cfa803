public import PushAdapter
import PushIO

/// How a `CurlTransport` connects. The defaults suit a backend that talks to one vendor.
public struct CurlConfiguration: Sendable {
    /// Requests in flight at once; further callers wait for a slot.
    public var maxInFlight = 64
    /// A PEM file with the certificate authorities to trust instead of the system's.
    public var caFile: String?
    /// The server key to require: `sha256//` and the Base64 digest of its public key; several with `;`.
    public var pinnedPublicKey: String?
    /// Hosts besides this machine that plain HTTP may go to, such as `metadata.google.internal`, the metadata server of
    /// a machine in Google Cloud. Anyone on the network path to them can read the requests and responses.
    public var plainHosts: Set<String> = []
    /// An HTTP proxy such as `http://user:password@proxy:3128`; nil uses none and ignores the environment.
    public var proxy: Secret?
    /// Whether the proxy refuses to connect to private addresses. It looks up names in the transport's place, so the
    /// transport cannot check the addresses. Without this, it refuses with `misconfigured` a request through a proxy
    /// that requires a public address, as those of Web Push do.
    public var proxyChecksAddresses = false
    /// For name resolution, TCP and TLS together.
    public var connectTimeout: Duration = .seconds(5)
    /// A transfer that moves less than a byte per second for this long fails.
    public var stallTimeout: Duration = .seconds(20)
    /// A connection that was idle for longer is not reused, in whole seconds. Keep it below the time after which the
    /// vendor's servers close idle connections (often 60 s or more). The transport does not resend a request that meets
    /// the closing, and its effect is `unknown`.
    public var maxIdleTime: Duration = .seconds(30)
    /// The longest body of a response, in bytes.
    public var maxResponseBytes = 1 << 20
    /// The longest header of a response, in bytes.
    public var maxHeaderBytes = 64 << 10
    /// The `User-Agent` of every request; one with a control character is refused with `misconfigured`.
    public var userAgent = "PushBridge"

    /// The defaults, which trust the certificate authorities of the system.
    public init() {}
}

extension CurlConfiguration: NetworkConfiguration {
    package static var durations: [WritableKeyPath<CurlConfiguration, Duration>] { [\.stallTimeout, \.maxIdleTime] }
}
