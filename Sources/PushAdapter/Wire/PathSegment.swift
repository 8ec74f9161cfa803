/// One segment of a path.
public enum PathSegment: Sendable, Hashable, ExpressibleByStringLiteral {
    /// A fixed word of the vendor's API, which is not encoded.
    case literal(String)
    /// A value from the caller: encoded, and left out of descriptions.
    case value(String)
    /// Several values from the caller with bare commas between them, as one segment; at least one.
    case values([String])

    public init(stringLiteral value: String) { self = .literal(value) }

    func encoded() throws(PushError) -> String {
        switch self {
        case .literal(let text): return text
        case .values([]):
            throw PushError(.invalidArgument, "a list of names in the request path is empty; pass at least one")
        case .values(let texts):
            return try texts.map { (text) throws(PushError) in try PathSegment.value(text).encoded() }.joined(
                separator: ",")
        case .value(""): throw PushError(.invalidArgument, "a name in the request path is empty; pass a name")
        // Some proxies treat them as the current and the parent folder, however they are encoded.
        case .value("."), .value(".."):
            throw PushError(
                .invalidArgument,
                "a name in the request path is one or two dots, which proxies may resolve; use another name")
        case .value(let text): return PercentEncoding.encode(text)
        }
    }
}
