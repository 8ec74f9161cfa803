public import HTTPTypes

/// An HTTP request of an adapter, without address and credentials: the data centre and the authorizer add those.
public struct WireRequest: Sendable, Hashable {
    public var service: Service
    public var method: HTTPRequest.Method
    public var path: [PathSegment]
    public var query: [QueryItem]
    public var headers: HTTPFields
    public var body: WireBody

    public init(
        _ method: HTTPRequest.Method, _ service: Service, path: [PathSegment] = [], query: [QueryItem] = [],
        headers: HTTPFields = [:], body: WireBody = .none
    ) {
        self.service = service
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
    }

    /// Path and query behind the service's base address, percent-encoded.
    ///
    /// Everything outside the unreserved characters is encoded, and the dots of a segment `.` or `..`, so a name cannot
    /// change the route. Refuses an empty segment with `invalidArgument`.
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

    /// The path with `{}` for every value: a text of few different forms, fit for labels and logs.
    public var route: String {
        path.reduce(into: "") { route, segment in
            switch segment {
            case .literal(let text): route += "/" + text
            case .value: route += "/{}"
            }
        }
    }
}

extension WireRequest: CustomStringConvertible, CustomReflectable {
    public var description: String { "\(method.rawValue) \(service)\(route) (\(body))" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// One segment of a path.
public enum PathSegment: Sendable, Hashable, ExpressibleByStringLiteral {
    /// A fixed word of the vendor's API.
    case literal(String)
    /// A value from the caller: encoded, and left out of descriptions.
    case value(String)

    public init(stringLiteral value: String) { self = .literal(value) }

    func encoded() throws(PushError) -> String {
        switch self {
        case .literal(let text): return text
        case .value(""): throw PushError(.invalidArgument, "a name in the request path is empty; give one")
        case .value("."): return "%2E"
        case .value(".."): return "%2E%2E"
        case .value(let text): return PercentEncoding.encode(text)
        }
    }
}

/// One `name=value` of a query.
public struct QueryItem: Sendable, Hashable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// The body of a request.
public enum WireBody: Sendable, Hashable {
    case none
    case bytes([UInt8], contentType: String)
    case multipart([WirePart])

    public static func json(_ bytes: [UInt8]) -> WireBody { .bytes(bytes, contentType: "application/json") }
}

extension WireBody: CustomStringConvertible {
    public var description: String {
        switch self {
        case .none: "no body"
        case .bytes(let bytes, _): "\(bytes.count) bytes"
        case .multipart(let parts): "\(parts.count) parts"
        }
    }
}

/// One part of a `multipart/form-data` body.
public struct WirePart: Sendable, Hashable {
    public enum Content: Sendable, Hashable {
        case bytes([UInt8])
        /// A file, read while it is sent.
        case file(String)
    }

    public var name: String
    public var content: Content
    public var fileName: String?
    public var contentType: String?

    public init(_ name: String, _ content: Content, fileName: String? = nil, contentType: String? = nil) {
        self.name = name
        self.content = content
        self.fileName = fileName
        self.contentType = contentType
    }
}
