public import FoundationEssentials
import PushAdapter

/// A request that one of a simulator's routes took.
public struct SimulatedCall: Sendable {
    /// The request.
    public let request: SimulatedRequest
    /// The moment at which it is answered.
    public let now: Date
    /// The decoded segments of the path that the pattern names.
    fileprivate let parameters: [String: String]

    /// A segment of the path by its name in the pattern; empty for a name that the pattern does not have.
    public subscript(name: String) -> String { parameters[name] ?? "" }

    /// The body of the request.
    public var body: [UInt8] { request.body }
}

/// One call of a vendor's API: its method and path, and how the simulator answers it.
///
/// A pattern is a path such as `/v3/devices/{id}`. Its segments are:
/// - a word, or several such as `device|devices`;
/// - `[push]`: a word that may be missing;
/// - `{id}`: any segment, under this name; `{#id}`: one that is a number;
/// - `*` at the end: the rest of a path, which may be empty.
///
/// `Kind` holds the facts about a call that the vendor needs before it answers: the family whose quota it uses, the
/// credentials that it needs, the form of its errors.
public struct SimulatedRoute<Kind: Sendable, Simulator: Actor & VendorSimulator, Refusal: Error>: Sendable {
    /// Answers a call inside the simulator; throws nothing but the vendor's refusals.
    public typealias Answer = @Sendable (isolated Simulator, SimulatedCall) throws -> SimulatedResponse

    /// The facts about the call that the vendor needs before it answers.
    fileprivate let kind: Kind
    fileprivate let method: HTTPRequest.Method?
    fileprivate let pattern: String
    fileprivate let answer: Answer
    /// The pattern without choices, once for each.
    private let paths: [[Substring]]

    private init(_ method: HTTPRequest.Method?, _ pattern: String, _ kind: Kind, _ answer: @escaping Answer) {
        self.method = method
        self.pattern = pattern
        self.kind = kind
        self.answer = answer
        paths = pattern.split(separator: "/").reduce([[]]) { paths, part in
            let choices =
                part.first == "[" ? [[], [part.dropFirst().dropLast()]] : part.split(separator: "|").map { [$0] }
            return paths.flatMap { path in choices.map { path + $0 } }
        }
    }

    /// A call with GET.
    public static func get(_ pattern: String, _ kind: Kind, _ answer: @escaping Answer) -> Self {
        Self(.get, pattern, kind, answer)
    }
    /// A call with POST.
    public static func post(_ pattern: String, _ kind: Kind, _ answer: @escaping Answer) -> Self {
        Self(.post, pattern, kind, answer)
    }
    /// A call with PUT.
    public static func put(_ pattern: String, _ kind: Kind, _ answer: @escaping Answer) -> Self {
        Self(.put, pattern, kind, answer)
    }
    /// A call with PATCH.
    public static func patch(_ pattern: String, _ kind: Kind, _ answer: @escaping Answer) -> Self {
        Self(.patch, pattern, kind, answer)
    }
    /// A call with DELETE.
    public static func delete(_ pattern: String, _ kind: Kind, _ answer: @escaping Answer) -> Self {
        Self(.delete, pattern, kind, answer)
    }
    /// A call with any method.
    public static func any(_ pattern: String, _ kind: Kind, _ answer: @escaping Answer) -> Self {
        Self(nil, pattern, kind, answer)
    }

    /// Whether it takes every path that begins like its pattern.
    fileprivate var takesRest: Bool { pattern.hasSuffix("*") }

    /// The named segments of a path; nil for a path that does not fit.
    fileprivate func parameters(of path: [String]) -> [String: String]? {
        paths.lazy.compactMap { Self.parameters(of: path, in: $0) }.first
    }

    private static func parameters(of path: [String], in pattern: [Substring]) -> [String: String]? {
        let fixed = pattern.last == "*" ? pattern.dropLast() : pattern[...]
        guard path.count == fixed.count || pattern.last == "*" && path.count > fixed.count else { return nil }
        var parameters: [String: String] = [:]
        for (part, segment) in zip(fixed, path) {
            if part.hasPrefix("{#") {
                guard segment.allSatisfy(\.isNumber) else { return nil }
                parameters[String(part.dropFirst(2).dropLast())] = segment
            } else if part.first == "{" {
                parameters[String(part.dropFirst().dropLast())] = segment
            } else if part != segment {
                return nil
            }
        }
        return parameters
    }
}

/// The calls of a vendor's API as a table.
///
/// The first pattern that fits a path decides, so special paths stand before general ones. Rows with the same pattern
/// differ by their methods.
///
/// ```swift
/// static let routes: SimulatedRoutes<Family, PigeonSimulator, Refusal> = [
///     .get("/v1/birds/{id}", .birds) { try $0.readBird($1["id"]) },
///     .put("/v1/birds/{id}", .birds) { try $0.changeBird($1["id"], $1.body) },
/// ]
/// ```
public struct SimulatedRoutes<Kind: Sendable, Simulator: Actor & VendorSimulator, Refusal: Error>: Sendable,
    ExpressibleByArrayLiteral
{
    /// The row of a path.
    public struct Match: Sendable {
        /// The facts about the call that the vendor needs before it answers.
        public let kind: Kind
        /// Whether the vendor has the call with the method of the request.
        public let takesMethod: Bool
        /// Whether the row takes the rest of a path: no other row has this path.
        public let isRest: Bool
        fileprivate let answer: SimulatedRoute<Kind, Simulator, Refusal>.Answer
        fileprivate let parameters: [String: String]

        /// A segment of the path by its name in the pattern; empty for a name that the pattern does not have.
        public subscript(name: String) -> String { parameters[name] ?? "" }

        /// Answers the request of this match; refuses as the vendor's call does. Any other error is an internal one of
        /// the vendor.
        public func answer(
            _ request: SimulatedRequest, by simulator: isolated Simulator, at now: Date
        ) throws(Refusal) -> SimulatedResponse {
            do {
                return try answer(simulator, SimulatedCall(request: request, now: now, parameters: parameters))
            } catch let refusal as Refusal {
                throw refusal
            } catch {
                return simulator.failed(status: 500, for: request)
            }
        }
    }

    private let rows: [SimulatedRoute<Kind, Simulator, Refusal>]

    /// A table of these rows.
    public init(arrayLiteral elements: SimulatedRoute<Kind, Simulator, Refusal>...) { rows = elements }

    /// The row for a request; nil for a path that the vendor does not have, and for a broken escape.
    public func match(_ request: SimulatedRequest) -> Match? {
        guard let path = request.segments,
            let (first, parameters) = rows.lazy.compactMap({ row in row.parameters(of: path).map { (row, $0) } }).first
        else { return nil }
        let row = rows.first { $0.pattern == first.pattern && $0.method ?? request.method == request.method }
        return Match(
            kind: (row ?? first).kind, takesMethod: row != nil, isRest: first.takesRest, answer: (row ?? first).answer,
            parameters: parameters)
    }
}
