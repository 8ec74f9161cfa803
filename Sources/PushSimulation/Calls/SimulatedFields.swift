public import PushAdapter

/// The fields of a JSON object, read by their types. Whatever does not fit throws the vendor's own refusal.
public struct SimulatedFields<Refusal: Error>: Sendable {
    /// How a vendor refuses a field.
    public struct Refusals: Sendable {
        fileprivate let ignoresCase: Bool
        fileprivate let missing: @Sendable (_ field: String) -> Refusal
        fileprivate let wrongType: @Sendable (_ field: String) -> Refusal

        /// - Parameters:
        ///   - ignoresCase: whether keys are the same in any case.
        ///   - missing: refuses a field that the call needs and that is missing or empty.
        ///   - wrongType: refuses a field with a value of another type.
        public init(
            ignoresCase: Bool = false, missing: @escaping @Sendable (String) -> Refusal,
            wrongType: @escaping @Sendable (String) -> Refusal
        ) {
            self.ignoresCase = ignoresCase
            self.missing = missing
            self.wrongType = wrongType
        }
    }

    private let values: [String: JSONValue]
    private let refusals: Refusals

    /// The fields of an object. If a key occurs in two spellings that count as the same, the first in byte order counts.
    public init(_ object: [String: JSONValue], _ refusals: Refusals) {
        self.refusals = refusals
        let sorted = object.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        values = Dictionary(
            sorted.map { (refusals.ignoresCase ? $0.key.lowercased() : $0.key, $0.value) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Nil if the value is not an object.
    public init?(_ value: JSONValue?, _ refusals: Refusals) {
        guard case .object(let object) = value else { return nil }
        self.init(object, refusals)
    }

    /// The value of a field; nil if it is absent or null.
    public subscript(_ name: String) -> JSONValue? {
        let value = values[refusals.ignoresCase ? name.lowercased() : name]
        return value == .null ? nil : value
    }

    // MARK: Fields that may be missing

    /// A text.
    public func text(_ name: String) throws(Refusal) -> String? { try read(name, \.stringValue) }
    /// A whole number.
    public func number(_ name: String) throws(Refusal) -> Int? { try read(name, \.intValue) }
    /// `true` or `false`.
    public func flag(_ name: String) throws(Refusal) -> Bool? { try read(name, \.boolValue) }
    /// A list.
    public func list(_ name: String) throws(Refusal) -> [JSONValue]? { try read(name, \.arrayValue) }

    /// An object.
    public func object(_ name: String) throws(Refusal) -> SimulatedFields? {
        try read(name) { value in SimulatedFields(value, refusals) }
    }

    /// A list of texts.
    public func texts(_ name: String) throws(Refusal) -> [String]? { try items(name, \.stringValue) }
    /// A list of objects.
    public func objects(_ name: String) throws(Refusal) -> [SimulatedFields]? {
        try items(name) { value in SimulatedFields(value, refusals) }
    }

    // MARK: Fields that the call needs

    /// A value that may not be nil.
    public func required<Value>(_ name: String, _ value: Value?) throws(Refusal) -> Value {
        guard let value else { throw refusals.missing(name) }
        return value
    }

    /// A whole number that has to be there.
    public func needNumber(_ name: String) throws(Refusal) -> Int { try required(name, try number(name)) }
    /// A text that is not empty.
    public func needText(_ name: String) throws(Refusal) -> String { try filled(name, try text(name)) }
    /// A list of texts that is not empty.
    public func needTexts(_ name: String) throws(Refusal) -> [String] { try filled(name, try texts(name)) }
    /// A list of objects that is not empty.
    public func needObjects(_ name: String) throws(Refusal) -> [SimulatedFields] {
        try filled(name, try objects(name))
    }

    // MARK: Steps

    private func filled<Value: Collection>(_ name: String, _ value: Value?) throws(Refusal) -> Value {
        let value = try required(name, value)
        guard !value.isEmpty else { throw refusals.missing(name) }
        return value
    }

    private func items<Item>(_ name: String, _ item: (JSONValue) -> Item?) throws(Refusal) -> [Item]? {
        guard let list = try list(name) else { return nil }
        let items = list.compactMap(item)
        guard items.count == list.count else { throw refusals.wrongType(name) }
        return items
    }

    private func read<Value>(_ name: String, _ value: (JSONValue) -> Value?) throws(Refusal) -> Value? {
        guard let found = self[name] else { return nil }
        guard let value = value(found) else { throw refusals.wrongType(name) }
        return value
    }
}
