public import HTTPTypes

/// An HTTP request of an adapter, without address and credentials: the data center and the authorizer add those.
public struct WireRequest: Sendable, Hashable {
    /// The API family, which decides the base address.
    public var service: ServiceName
    /// The address that the target brings with it, in place of the base address, the path and the query; nil for a
    /// vendor with hosts of its own.
    public var address: TargetAddress?
    /// The HTTP method of the vendor's call.
    public var method: HTTPRequest.Method
    /// The segments after the base address.
    public var path: [PathSegment]
    /// The pairs after the path, in this order.
    public var query: [QueryItem]
    /// Header fields besides the authorizer's and the content type, which comes with the body.
    public var headers: HTTPFields
    /// The body of the request.
    public var body: WireBody

    /// A request to an API family; by default without path, query, header fields and body.
    public init(
        _ method: HTTPRequest.Method, _ service: ServiceName, path: [PathSegment] = [], query: [QueryItem] = [],
        headers: HTTPFields = [:], body: WireBody = .none
    ) {
        self.service = service
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
    }

    /// Returns the path and query after the service's base address, percent-encoded.
    ///
    /// In a value of the path and in the query, everything outside the unreserved characters is encoded, so a name
    /// cannot change the route. Only commas stay bare: in the values of the query, and between those of one segment. A
    /// literal segment stays as it is. Refuses a value of the path that is empty, `.` or `..`, with `invalidArgument`.
    public func target() throws(PushError) -> String {
        var target = ""
        for segment in path { target += "/" + (try segment.encoded()) }
        var separator = "?"
        for item in query {
            target += separator + PercentEncoding.encode(item.name) + "="
            target += PercentEncoding.encode(item.value, keeping: ",")
            separator = "&"
        }
        return target
    }

    /// The path with `{}` for every value: few distinct texts, fit for labels and logs.
    public var route: String {
        if address != nil { return "/{}" }
        return path.reduce(into: "") { route, segment in
            switch segment {
            case .literal(let text): route += "/" + text
            case .value, .values: route += "/{}"
            }
        }
    }
}

extension WireRequest: CustomStringConvertible, CustomReflectable {
    public var description: String { "\(method.rawValue) \(service)\(route) (\(body))" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension DataCenter {
    /// The absolute address of a request: its own, or one of this data center. Refuses what ``WireRequest/target()``
    /// refuses, and a service that the data center does not have.
    package func url(of request: WireRequest) throws(PushError) -> String {
        if let address = request.address { return address.origin + address.pathAndQuery }
        return try address(of: request.service) + request.target()
    }
}
