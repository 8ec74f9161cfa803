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
        case .value(let text):
            // However they are encoded, some proxies take them for steps to a folder above.
            guard !text.split(whereSeparator: { $0 == "/" || $0 == "\\" }).contains(where: { $0 == "." || $0 == ".." })
            else {
                throw PushError(
                    .invalidArgument, "a name in the request path is \(Redaction.quoted(text)); use one without dots alone")
            }
            return PercentEncoding.encode(text)
        }
    }
}
