import PushAdapter

/// The fields of an object. Keys are case-insensitive.
struct Fields {
    private let values: [String: JSONValue]

    init(_ object: [String: JSONValue]) {
        // If a key occurs in two spellings, the first in byte order counts.
        let sorted = object.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        values = Dictionary(sorted.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// Nil if the value is not an object.
    init?(_ value: JSONValue?) {
        guard case .object(let object) = value else { return nil }
        self.init(object)
    }

    /// Nil if the field is absent or null.
    subscript(_ name: String) -> JSONValue? {
        let value = values[name.lowercased()]
        return value == .null ? nil : value
    }

    // MARK: Optional fields; a field of another type is unreadable.

    func text(_ name: String) throws(Refusal) -> String? { try read(name, \.stringValue) }
    func number(_ name: String) throws(Refusal) -> Int? { try read(name, \.intValue) }
    func flag(_ name: String) throws(Refusal) -> Bool? { try read(name, \.boolValue) }
    func list(_ name: String) throws(Refusal) -> [JSONValue]? { try read(name, \.arrayValue) }

    func object(_ name: String) throws(Refusal) -> Fields? {
        try read(name) { value in Fields(value) }
    }

    func texts(_ name: String) throws(Refusal) -> [String]? {
        guard let list = try list(name) else { return nil }
        let texts = list.compactMap(\.stringValue)
        guard texts.count == list.count else { throw .unreadable }
        return texts
    }

    func objects(_ name: String) throws(Refusal) -> [Fields]? {
        guard let list = try list(name) else { return nil }
        let objects = list.compactMap { Fields($0) }
        guard objects.count == list.count else { throw .unreadable }
        return objects
    }

    // MARK: Required fields.

    func required<Value>(_ name: String, _ value: Value?) throws(Refusal) -> Value {
        guard let value else { throw .missing(name) }
        return value
    }

    func needText(_ name: String) throws(Refusal) -> String {
        let text = try required(name, try text(name))
        guard !text.isEmpty else { throw .missing(name) }
        return text
    }

    func needNumber(_ name: String) throws(Refusal) -> Int { try required(name, try number(name)) }

    func needTexts(_ name: String) throws(Refusal) -> [String] {
        let list = try required(name, try texts(name))
        guard !list.isEmpty else { throw .missing(name) }
        return list
    }

    func needObjects(_ name: String) throws(Refusal) -> [Fields] {
        let list = try required(name, try objects(name))
        guard !list.isEmpty else { throw .missing(name) }
        return list
    }

    private func read<Value>(_ name: String, _ value: (JSONValue) -> Value?) throws(Refusal) -> Value? {
        guard let found = self[name] else { return nil }
        guard let value = value(found) else { throw .unreadable }
        return value
    }
}
