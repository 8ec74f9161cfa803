public import PushAdapter
public import Testing

extension WireBody {
    /// The body as a text; empty for a body that is no bytes.
    public var text: String {
        if case .bytes(let bytes, _) = self { String(decoding: bytes, as: UTF8.self) } else { "" }
    }
}

extension WireResponse {
    /// A response with a text as its body.
    public init(_ status: Int, _ body: String, _ headers: [(String, String)] = []) {
        var fields = HTTPFields()
        for (name, value) in headers { if let name = HTTPField.Name(name) { fields[name] = value } }
        self.init(status: status, headers: fields, body: Array(body.utf8))
    }
}

/// Parts of an error that a test expects.
public struct ErrorParts: Sendable {
    var kind: PushError.Kind?
    var code: VendorCode?
    var effect: PushError.Effect?
    var word = ""

    /// An error with these parts, and with a word in its text. A nil part may be anything.
    public static func error(
        _ kind: PushError.Kind? = nil, code: VendorCode? = nil, effect: PushError.Effect? = nil,
        naming word: String = ""
    ) -> ErrorParts { ErrorParts(kind: kind, code: code, effect: effect, word: word) }

    /// Expects the parts in an error.
    public func check(_ error: PushError?, at place: SourceLocation) {
        if let kind { #expect(error?.kind == kind, sourceLocation: place) }
        if let code { #expect(error?.vendor?.code == code, sourceLocation: place) }
        if let effect { #expect(error?.effect == effect, sourceLocation: place) }
        let text = error?.message ?? ""
        #expect(word.isEmpty || text.contains(word), "\(text)", sourceLocation: place)
    }
}

/// Expects a call to throw an error.
@discardableResult
public func expectThrows<Output>(
    _ parts: ErrorParts = .error(), at place: SourceLocation = #_sourceLocation, _ call: () throws -> Output
) -> PushError? {
    let error = #expect(throws: PushError.self, sourceLocation: place) { _ = try call() }
    parts.check(error, at: place)
    return error
}

/// Expects a call to throw an error.
@discardableResult
public func expectThrows<Output>(
    _ parts: ErrorParts = .error(), at place: SourceLocation = #_sourceLocation, _ call: () async throws -> Output
) async -> PushError? {
    let error = await #expect(throws: PushError.self, sourceLocation: place) { _ = try await call() }
    parts.check(error, at: place)
    return error
}
