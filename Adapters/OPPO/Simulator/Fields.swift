import PushAdapter
import PushSimulation

/// The fields of a form or of a JSON object. Numbers and flags may be texts, as they are in forms.
struct Fields {
    private let values: [String: JSONValue]

    init(_ values: [String: JSONValue]) { self.values = values }

    /// The fields of a form; none of any other body.
    init(form request: SimulatedRequest) throws(Refusal) {
        let body = request.has("application/x-www-form-urlencoded") ? request.body : []
        guard let fields = SimulatedRequest.fields(ofForm: String(decoding: body, as: UTF8.self)) else {
            throw .encoding
        }
        self.init(fields.mapValues { .string($0) })
    }

    /// The fields of a JSON object; none of any other body.
    init(json request: SimulatedRequest) { self.init(request.has("application/json") ? request.object ?? [:] : [:]) }

    /// The value of a field as a text; nil for an absent and for an empty one.
    subscript(name: String) -> String? {
        guard let value = values[name], value != .null, value != "" else { return nil }
        return value.shown
    }

    func need(_ name: String) throws(Refusal) -> String {
        guard let value = self[name] else { throw .missing(name) }
        return value
    }

    /// A text of at most this many characters.
    func text(_ name: String, atMost count: Int) throws(Refusal) -> String? {
        guard let text = self[name] else { return nil }
        guard text.unicodeScalars.count <= count else { throw .illegal("\(name) is too long") }
        return text
    }

    /// A whole number in a range.
    func number(_ name: String, in range: ClosedRange<Int>) throws(Refusal) -> Int? {
        guard let value = self[name] else { return nil }
        guard let number = Int(value), range.contains(number) else { throw .illegal(name) }
        return number
    }

    func flag(_ name: String) throws(Refusal) -> Bool? {
        guard let value = self[name] else { return nil }
        guard let flag = Bool(value) else { throw .illegal(name) }
        return flag
    }

    /// The object in a field, or in the JSON text in a field.
    func object(_ name: String) throws(Refusal) -> [String: JSONValue]? {
        guard let text = self[name] else { return nil }
        guard case .object(let object) = try? JSONValue(parsing: Array(text.utf8)) else { throw .illegal(name) }
        return object
    }

    /// A list, or a text with entries between which a character is.
    func list(_ name: String, separatedBy separator: Character) throws(Refusal) -> [String] {
        let text = try need(name)
        return values[name]?.arrayValue?.map(\.shown) ?? text.split(separator: separator).map(String.init)
    }
}

extension SimulatedRequest {
    fileprivate func has(_ type: String) -> Bool { headers[.contentType]?.lowercased().hasPrefix(type) ?? false }
}
