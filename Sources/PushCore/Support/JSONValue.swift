public import FoundationEssentials

/// Any JSON value. Numbers are kept as `Decimal`, so long ids keep every digit.
public enum JSONValue: Sendable, Hashable {
    /// The word `null`.
    case null
    /// The word `true` or `false`.
    case bool(Bool)
    /// A whole or decimal number.
    case number(Decimal)
    /// A text, without quotes and escapes.
    case string(String)
    /// A list of values, in order.
    case array([JSONValue])
    /// Values by key, unordered.
    case object([String: JSONValue])
}

extension JSONValue {
    /// Reads a JSON text, in one pass.
    ///
    /// Refuses with `malformedResponse` a text that is not JSON or nests more than 32 levels deep. Also refuses a key
    /// that appears twice in an object, and a number of more than 38 digits. Callers that read a user's file replace
    /// the kind.
    public init(parsing bytes: [UInt8]) throws(PushError) { self = try JSONReader.read(bytes) }

    /// The number with the digits that a person would write; null for one that is not finite.
    package init(exactly number: Double) { self = Decimal(string: "\(number)").map(JSONValue.number) ?? .null }

    /// A number, or null for nil.
    package init(_ count: Int?) { self = count.map { .number(Decimal($0)) } ?? .null }

    /// The value of a key of an object, nil for everything else.
    public subscript(key: String) -> JSONValue? {
        if case .object(let fields) = self { fields[key] } else { nil }
    }

    /// The text of a string, nil for everything else.
    public var stringValue: String? { if case .string(let text) = self { text } else { nil } }
    /// The value of a boolean, nil for everything else.
    public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The items of an array, nil for everything else.
    public var arrayValue: [JSONValue]? { if case .array(let items) = self { items } else { nil } }

    /// A whole number that fits `Int`, nil for everything else.
    public var intValue: Int? {
        if case .number(let value) = self { Int(value.description) } else { nil }
    }

    /// An id: a string as it is, or a number with all its digits.
    public var identifier: String? {
        switch self {
        case .string(let text): text
        case .number(let value): value.description
        default: nil
        }
    }

    /// The path of the first key that this value has and the other does not; ignores keys whose value is null.
    func firstPath(missingIn other: JSONValue) -> String? {
        guard case .object(let fields) = self else { return nil }
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) where value != .null {
            guard let twin = other[name] else { return name }
            if let path = value.firstPath(missingIn: twin) { return "\(name).\(path)" }
        }
        return nil
    }

    /// Whether JSON can represent every number in it; it cannot represent NaN.
    package var isWritable: Bool {
        switch self {
        case .number(let number): number.isFinite
        case .array(let items): items.allSatisfy(\.isWritable)
        case .object(let fields): fields.values.allSatisfy(\.isWritable)
        case .null, .bool, .string: true
        }
    }

    /// The message of a decoding error, with the place in the document and without its contents.
    public static func reason(for error: any Error) -> String {
        if let error = error as? UnknownKey { return error.description }
        if let error = error as? PushError { return error.message }
        guard let error = error as? DecodingError else { return "unreadable" }
        func place(_ context: DecodingError.Context) -> String {
            // A vendor's object may use ids as keys.
            let path = context.codingPath.map { key in
                key.intValue.map { "[\($0)]" } ?? Redaction.masked(key.stringValue.prefix(bytes: 80))
            }.joined(separator: ".")
            return path.isEmpty ? "" : " at \(path)"
        }
        return switch error {
        case .dataCorrupted(let context): corruption(context.debugDescription) + place(context)
        case .keyNotFound(let key, let context): "\"\(key.stringValue)\" is missing" + place(context)
        case .typeMismatch(let type, let context): "not a \(JSONValue.name(of: type))" + place(context)
        case .valueNotFound(let type, let context): "null instead of a \(JSONValue.name(of: type))" + place(context)
        @unknown default: "unreadable"
        }
    }

    /// The decoder may quote the document. Of an enumeration, it names the Swift type.
    private static func corruption(_ text: String) -> String {
        text.hasPrefix("Cannot initialize ") ? "not one of the known words" : Redaction.masked(text.prefix(bytes: 200))
    }

    private static func name(of type: Any.Type) -> String {
        switch type {
        case is String.Type: "text"
        case is Bool.Type: "boolean"
        case is any Numeric.Type: "number in the right range"
        case is any Collection.Type: "list or object"
        default: "value of the expected form"
        }
    }
}

extension JSONValue: Codable {
    /// Determines the type of a value before it reads the contents, so a failure deep inside occurs only once. The cost
    /// of a decoder's error grows with its depth, hence the depth limit, the same as the reader's.
    public init(from decoder: any Decoder) throws {
        guard decoder.codingPath.count <= JSONReader.maxDepth else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "nested more than \(JSONReader.maxDepth) levels deep"))
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Decimal.self) {
            self = .number(value)
        } else if var items = try? decoder.unkeyedContainer() {
            var array: [JSONValue] = []
            while !items.isAtEnd { array.append(try items.decode(JSONValue.self)) }
            self = .array(array)
        } else {
            let fields = try decoder.container(keyedBy: AnyKey.self)
            let pairs = try fields.allKeys.map { ($0.stringValue, try fields.decode(JSONValue.self, forKey: $0)) }
            self = .object(Dictionary(pairs, uniquingKeysWith: { first, _ in first }))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value):
            guard value.isFinite else {
                let context = EncodingError.Context(
                    codingPath: encoder.codingPath, debugDescription: "JSON cannot represent NaN")
                throw EncodingError.invalidValue(value, context)
            }
            try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int) { self = .number(Decimal(value)) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }
}
