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
