import PushAdapter

/// The fields of a request's body.
struct Fields: Sendable {
    private let fields: [String: JSONValue]

    init(_ fields: [String: JSONValue]) { self.fields = fields.filter { $0.value != .null } }

    func text(_ name: String) throws(InspectorRefusal) -> String {
        guard let text = try optionalText(name) else { throw Self.missing(name) }
        return text
    }

    func optionalText(_ name: String) throws(InspectorRefusal) -> String? {
        try field(name, "a text") { $0.stringValue }
    }

    func flag(_ name: String) throws(InspectorRefusal) -> Bool {
        guard let flag = try optionalFlag(name) else { throw Self.missing(name) }
        return flag
    }

    func optionalFlag(_ name: String) throws(InspectorRefusal) -> Bool? {
        try field(name, "true or false") { $0.boolValue }
    }

    func optionalNumber(_ name: String) throws(InspectorRefusal) -> Int? {
        try field(name, "a whole number") { $0.intValue }
    }

    /// A number, or a text such as `+1`; an empty text is no badge.
    func badge(_ name: String) throws(InspectorRefusal) -> Badge? {
        if fields[name] == "" { return nil }
        return try field(name, "a number, or a change such as +1") { value in
            if let number = value.intValue { return number >= 0 ? .set(number) : nil }
            guard let text = value.stringValue, let number = Int(text) else { return nil }
            return text.hasPrefix("+") || text.hasPrefix("-") ? .change(by: number) : .set(number)
        }
    }

    private func field<Value>(
        _ name: String, _ form: String, _ read: (JSONValue) -> Value?
    ) throws(InspectorRefusal) -> Value? {
        guard let field = fields[name] else { return nil }
        guard let value = read(field) else { throw InspectorRefusal(400, "\(name) is not \(form)") }
        return value
    }

    private static func missing(_ name: String) -> InspectorRefusal { InspectorRefusal(400, "\(name) is missing") }
}

extension JSONValue {
    /// A text, or null for nil.
    init(text: String?) { self = text.map(JSONValue.string) ?? .null }
}
