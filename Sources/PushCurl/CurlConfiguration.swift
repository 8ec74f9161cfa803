/// How a `CurlTransport` connects. The defaults suit a backend that talks to one vendor.
public struct CurlConfiguration: Sendable {
    public enum HTTPVersion: Sendable, Hashable {
        /// HTTP/2 where the server offers it, else HTTP/1.1.
        case negotiated
        case http1
    }

    /// Requests under way at once; more callers wait for a place.
    public var maxInFlight = 64
    public var httpVersion: HTTPVersion = .negotiated
    /// A PEM file with the certificate authorities to trust instead of the system's.
    public var caFile: String?
    /// The server key to insist on: `sha256//` and the Base64 digest of its public key; several with `;`.
    public var pinnedPublicKey: String?
    /// An HTTP proxy such as `http://proxy:3128`; nil uses none, whatever the environment says.
    public var proxy: String?
    /// For name resolution, TCP and TLS together.
    public var connectTimeout: Duration = .seconds(5)
    /// A transfer that moves less than a byte a second for so long is given up.
    public var stallTimeout: Duration = .seconds(20)
    /// The longest body of a response, in bytes.
    public var maxResponseBytes = 1 << 20
    /// The longest header of a response, in bytes.
    public var maxHeaderBytes = 64 << 10
    public var userAgent = "PushBridge"

    public init() {}
}
