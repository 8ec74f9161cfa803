public import FoundationEssentials
public import PushAdapter

/// A vendor's server, as its documents describe it: stateful, strict, and without a network.
///
/// A host adds faults, a journal and a clock, and serves it in-process or over loopback.
public protocol VendorSimulator: Sendable {
    /// The vendor's name, as the adapter's provider id.
    var vendor: String { get }
    /// Whether whoever knows the path of a request may send such a request, so that pages and logs must not show it.
    var hasSecretPaths: Bool { get }
    /// The addresses a client needs, by the vendor's own names, for a server at `origin`: `https://localhost:8443`.
    func addresses(at origin: String) -> [String: String]
    /// The vendor's response to any request at a moment; an error is a response too.
    func respond(to request: SimulatedRequest, at now: Date) async -> SimulatedResponse
    /// The vendor's own response when it throttles.
    func throttled(reset: Int?, for request: SimulatedRequest) -> SimulatedResponse
    /// The vendor's own response to an internal error.
    func failed(status: Int, for request: SimulatedRequest) -> SimulatedResponse
}

extension VendorSimulator {
    /// False: the credentials of a request are in its header fields or its body.
    public var hasSecretPaths: Bool { false }
}

/// A request as it came over the wire.
public struct SimulatedRequest: Sendable {
    /// The HTTP method as received.
    public var method: HTTPRequest.Method
    /// The host of the request's address, without its port; empty when unknown.
    public var host: String
    /// Percent-encoded, as received.
    public var path: String
    /// Percent-encoded, without the question mark.
    public var query: String
    /// All header fields as received, credentials included.
    public var headers: HTTPFields
    /// The whole body; empty for none.
    public var body: [UInt8]
    /// The connection that it came over, for an ``HTTP2Simulator``; nil for others.
    public var connection: SimulatedConnection?

    /// A request with separate path and query, both still percent-encoded.
    public init(
        method: HTTPRequest.Method, host: String = "", path: String, query: String, headers: HTTPFields, body: [UInt8],
        connection: SimulatedConnection? = nil
    ) {
        self.method = method
        self.host = host
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.connection = connection
    }

    /// The decoded segments of the path; doubled and trailing slashes are ignored. Nil for a broken escape.
    public var segments: [String]? {
        let decoded = path.split(separator: "/").map { PercentEncoding.decode($0) }
        return decoded.contains(nil) ? nil : decoded.compactMap { $0 }
    }

    /// The decoded value of a query parameter, the first of several.
    public func parameter(_ name: String) -> String? { parameters(name).first }

    /// The decoded values of a query parameter that may be given several times, in order.
    public func parameters(_ name: String) -> [String] {
        query.split(separator: "&").compactMap { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { part in
                // In a query many clients write a blank as a plus sign.
                PercentEncoding.decode(part.replacing("+", with: "%20"))
            }
            guard parts[0] == name else { return nil }
            return parts.count == 2 ? parts[1] : ""
        }
    }
}

/// A simulator's response.
public struct SimulatedResponse: Sendable, Hashable {
    /// The HTTP status.
    public var status: Int
    /// The header fields.
    public var headers: HTTPFields
    /// The body.
    public var body: [UInt8]
    /// The server's signals about the connection just before the response; only an ``HTTP2Simulator`` sends any.
    public var signals: [ConnectionSignal] = []

    /// A response with this status, by default without header fields and body.
    public init(status: Int, headers: HTTPFields = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
