public import HTTPTypes

/// A request that is ready to send: absolute address, all header fields.
public struct TransportRequest: Sendable {
    /// The HTTP method of the request line.
    public var method: HTTPRequest.Method
    /// Absolute and percent-encoded; sent exactly as it is.
    public var url: String
    /// All header fields except the content type, which comes with the body.
    public var headers: HTTPFields
    /// The body of the request.
    public var body: WireBody
    /// The longest time from now to the whole response, including the wait for a free connection.
    public var timeout: Duration
    /// Requests of different groups share no connection, even to one address: a vendor may bind a connection to the key
    /// that it saw first. Nil is a group as well. Only transports for HTTP/2 tell them apart.
    public var connectionGroup: String?
    /// Whether the service speaks HTTP/2 only; a transport that does not refuses the request with `misconfigured`.
    public var requiresHTTP2 = false
    /// Whether the request must not reach a private network, this machine or a cloud's metadata; see
    /// ``TargetAddress/mustBePublic``.
    public var requiresPublicAddress = false

    /// A request to an absolute address; by default without header fields and body.
    public init(
        method: HTTPRequest.Method, url: String, headers: HTTPFields = [:], body: WireBody = .none, timeout: Duration
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}

extension TransportRequest {
    /// How long the permission to write a request is valid, from the moment at which the transport asked for it; see
    /// ``HTTPTransport/send(_:beforeWriting:)``.
    public static let longestLeave = Duration.seconds(5)

    /// Host and port of the address: `api.jpush.cn`.
    public var host: String {
        let bytes = url.utf8
        guard let slash = bytes.firstIndex(of: 0x2F) else { return "" }
        let rest = bytes[slash...].drop { $0 == 0x2F }
        return String(rest.prefix { $0 != 0x2F && $0 != 0x3F }) ?? ""
    }
}

extension TransportRequest: CustomStringConvertible, CustomReflectable {
    /// Without address and header fields, which hold device ids and credentials.
    public var description: String { "\(method.rawValue) request (\(body))" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
