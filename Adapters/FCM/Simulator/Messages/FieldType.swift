import FoundationEssentials
import PushAdapter
import PushSimulation

/// The type of a field in the vendor's messages.
indirect enum FieldType: Sendable {
    case scalar(ScalarType)
    /// One of these words.
    case word(WordType)
    /// Texts by key.
    case texts
    /// Any object.
    case structure
    case list(FieldType)
    case object(ObjectType)

    static let text = scalar(.text)
    static let flag = scalar(.flag)
    static let whole = scalar(.whole)
    static let decimal = scalar(.decimal)
    static let duration = scalar(.duration)
    static let time = scalar(.time)

    /// Reads a value. Returns it with keys in snake case and without null fields.
    func read(_ value: JSONValue, at path: String) throws(Refusal) -> JSONValue {
        switch self {
        case .scalar(let type): return try type.read(value, at: path)
        case .word(let type): return try type.read(value, at: path)
        case .texts: return try Self.readTexts(value, at: path)
        case .structure:
            guard case .object = value else { throw .wrongType(value, ScalarType.structName, at: path) }
            return value
        case .list(let type):
            guard let items = value.arrayValue else { throw .wrongType(value, type.name, at: path) }
            var read: [JSONValue] = []
            for (index, item) in items.enumerated() { read.append(try type.read(item, at: "\(path)[\(index)]")) }
            return .array(read)
        case .object(let type): return try type.read(value, at: path)
        }
    }

    private static func readTexts(_ value: JSONValue, at path: String) throws(Refusal) -> JSONValue {
        guard case .object(let fields) = value else { throw .wrongType(value, ScalarType.text.name, at: path) }
        let sorted = fields.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        for (index, field) in sorted.enumerated() {
            _ = try ScalarType.text.read(field.value, at: "\(path)[\(index)].value")
        }
        return value
    }

    private var name: String {
        switch self {
        case .scalar(let type): type.name
        case .word(let type): type.name
        case .texts: ScalarType.text.name
        case .structure: ScalarType.structName
        case .list(let type): type.name
        case .object(let type): type.name
        }
    }
}

/// A type for single values.
struct ScalarType: Sendable {
    static let structName = "type.googleapis.com/google.protobuf.Struct"

    let name: String
    /// The complaint about a value that does not fit; nil if the error shows the value.
    var complaint: String?
    let accepts: @Sendable (JSONValue) -> Bool

    func read(_ value: JSONValue, at path: String) throws(Refusal) -> JSONValue {
        if accepts(value) { return value }
        guard let complaint else { throw .wrongType(value, name, at: path) }
        throw .wrongForm(complaint, name, at: path)
    }

    static let text = ScalarType(name: "TYPE_STRING") { $0.stringValue != nil }
    static let flag = ScalarType(name: "TYPE_BOOL") { $0.boolValue != nil }
    static let whole = ScalarType(name: "TYPE_INT32") { $0.intValue.map { Int32(exactly: $0) != nil } ?? false }
    static let decimal = ScalarType(name: "TYPE_FLOAT") { if case .number = $0 { true } else { false } }
    /// Some clients send a text, others a number.
    static let textOrNumber = ScalarType(name: "TYPE_STRING") { $0.identifier != nil }
    static let duration = ScalarType(
        name: "type.googleapis.com/google.protobuf.Duration", complaint: "Illegal duration format"
    ) { $0.stringValue.flatMap(WireTime.seconds) != nil }
    static let time = ScalarType(
        name: "type.googleapis.com/google.protobuf.Timestamp", complaint: "Invalid time format"
    ) { $0.stringValue.map(WireTime.isTimestamp) ?? false }
}

/// A type for a fixed set of words.
struct WordType: Sendable {
    let name: String
    let words: Set<String>
    /// Whether lower-case letters are accepted.
    var ignoresCase = false

    init(_ name: String, ignoresCase: Bool = false, _ words: Set<String>) {
        self.name = "type.googleapis.com/google.firebase.fcm.v1.\(name)"
        self.words = words
        self.ignoresCase = ignoresCase
    }

    func read(_ value: JSONValue, at path: String) throws(Refusal) -> JSONValue {
        let word = value.stringValue.map { ignoresCase ? $0.uppercased() : $0 }
        guard let word, words.contains(word) else { throw .wrongType(value, name, at: path) }
        return .string(word)
    }
}

/// A type for objects with known keys. Each key has two spellings.
struct ObjectType: Sendable {
    let name: String
    private let fields: [String: FieldType]
    /// The keys in snake case, by each of their spellings.
    private let spellings: [String: String]

    init(_ name: String, _ fields: [String: FieldType]) {
        self.name = "type.googleapis.com/google.firebase.fcm.v1.\(name)"
        self.fields = fields
        let camels = fields.keys.map { (Self.camelCase($0), $0) }
        spellings = Dictionary(camels + fields.keys.map { ($0, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func read(_ value: JSONValue, at path: String) throws(Refusal) -> JSONValue {
        guard case .object(let object) = value else { throw .wrongType(value, name, at: path) }
        var read: [String: JSONValue] = [:]
        for (key, value) in object.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            guard let name = spellings[key], let type = fields[name] else { throw .unknownName(key, at: path) }
            let place = path.isEmpty ? name : "\(path).\(name)"
            if value == .null { continue }
            guard read[name] == nil else { throw .schema("The field '\(place)' is set twice.", at: place) }
            read[name] = try type.read(value, at: place)
        }
        return .object(read)
    }

    static func camelCase(_ name: String) -> String {
        let words = name.split(separator: "_")
        return (words.prefix(1).map(String.init) + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() })
            .joined()
    }
}
