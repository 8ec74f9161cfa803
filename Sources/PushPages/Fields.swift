package import PushAdapter
package import PushSimulation

/// The fields of a request's body.
package struct Fields: Sendable {
    private let fields: [String: JSONValue]

    /// The fields of a JSON object; refuses any other body.
    package init(of request: SimulatedRequest) throws(PageRefusal) {
        guard let fields = request.object else { throw PageRefusal(400, "the body is not a JSON object") }
        self.fields = fields.filter { $0.value != .null }
    }

    package func text(_ name: String) throws(PageRefusal) -> String {
        guard let text = try optionalText(name) else { throw Self.missing(name) }
        return text
    }

    package func optionalText(_ name: String) throws(PageRefusal) -> String? {
        try field(name, "a text") { $0.stringValue }
    }

    package func flag(_ name: String) throws(PageRefusal) -> Bool {
        guard let flag = try optionalFlag(name) else { throw Self.missing(name) }
        return flag
    }

    package func optionalFlag(_ name: String) throws(PageRefusal) -> Bool? {
        try field(name, "true or false") { $0.boolValue }
    }

    package func optionalNumber(_ name: String) throws(PageRefusal) -> Int? {
        try field(name, "a whole number") { $0.intValue }
    }

    /// A field in a form that is read; nil if it is missing, a refusal if it has another form.
    package func field<Value>(
        _ name: String, _ form: String, _ read: (JSONValue) -> Value?
    ) throws(PageRefusal) -> Value? {
        guard let field = fields[name] else { return nil }
        guard let value = read(field) else { throw PageRefusal(400, "\(name) is not \(form)") }
        return value
    }

    private static func missing(_ name: String) -> PageRefusal { PageRefusal(400, "\(name) is missing") }
}
