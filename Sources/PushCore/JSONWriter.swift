import FoundationEssentials

/// Writes JSON straight into bytes, in the order of the calls, without spaces.
///
/// Encoders use it because a request is written once and read elsewhere: no intermediate tree, no reflection, the same
/// bytes for the same input on every machine.
///
/// ```swift
/// let bytes = try JSONWriter.bytes { (json) throws(PushError) in
///     try json.object { json in
///         json.field("platform", "all")
///         json.field("tags", [Tag("a"), Tag("b")])
///     }
/// }
/// ```
public struct JSONWriter {
    private var output: [UInt8] = []
    private var needsComma = false

    private init(reserving capacity: Int) { output.reserveCapacity(capacity) }

    /// The bytes of one JSON text that `body` writes.
    public static func bytes(
        reserving capacity: Int = 512, _ body: (inout JSONWriter) throws(PushError) -> Void
    ) throws(PushError) -> [UInt8] {
        var writer = JSONWriter(reserving: capacity)
        try body(&writer)
        return writer.output
    }

    /// The bytes of a value.
    public static func bytes(of value: JSONValue) -> [UInt8] {
        var writer = JSONWriter(reserving: 256)
        writer.value(value)
        return writer.output
    }

    // MARK: Structure

    /// A value that is an object, whose fields `body` writes.
    public mutating func object(_ body: (inout JSONWriter) throws(PushError) -> Void) throws(PushError) {
        open(0x7B)
        try body(&self)
        close(0x7D)
    }

    /// A value that is a list, whose items `body` writes.
    public mutating func array(_ body: (inout JSONWriter) throws(PushError) -> Void) throws(PushError) {
        open(0x5B)
        try body(&self)
        close(0x5D)
    }

    /// A field of the current object whose value `body` writes.
    public mutating func field(
        _ name: String, _ body: (inout JSONWriter) throws(PushError) -> Void
    ) throws(PushError) {
        key(name)
        try body(&self)
    }

    // MARK: Fields

    /// A field with a text, escaped as JSON wants it.
    public mutating func field(_ name: String, _ text: String) {
        key(name)
        value(text)
    }

    /// A field with a whole number.
    public mutating func field(_ name: String, _ number: Int) {
        key(name)
        value(number)
    }

    /// A field with `true` or `false`.
    public mutating func field(_ name: String, _ flag: Bool) {
        key(name)
        value(flag)
    }

    /// A field with a value of any kind; the fields of an object are sorted by name.
    public mutating func field(_ name: String, _ value: JSONValue) {
        key(name)
        self.value(value)
    }

    /// A field with a list of texts, in the given order.
    public mutating func field(_ name: String, _ texts: some Sequence<some TextIdentifier>) {
        key(name)
        open(0x5B)
        for text in texts { value(text.rawValue) }
        close(0x5D)
    }

    /// A field whose value is already JSON, written by another writer.
    public mutating func field(_ name: String, encoded json: [UInt8]) {
        key(name)
        separate()
        output.append(contentsOf: json)
    }

    // MARK: Values

    /// A value that is a whole number.
    public mutating func value(_ number: Int) {
        separate()
        output.append(contentsOf: String(number).utf8)
    }

    /// A value that is `true` or `false`.
    public mutating func value(_ flag: Bool) {
        separate()
        output.append(contentsOf: (flag ? "true" : "false").utf8)
    }

    /// A value of any kind; the fields of an object are sorted by name.
    public mutating func value(_ value: JSONValue) {
        switch value {
        case .null:
            separate()
            output.append(contentsOf: "null".utf8)
        case .bool(let flag): self.value(flag)
        case .number(let number):
            separate()
            output.append(contentsOf: number.description.utf8)
        case .string(let text): self.value(text)
        case .array(let items):
            open(0x5B)
            for item in items { self.value(item) }
            close(0x5D)
        case .object(let fields):
            open(0x7B)
            for (name, item) in fields.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                field(name, item)
            }
            close(0x7D)
        }
    }

    /// A value that is a text, escaped as JSON wants it.
    public mutating func value(_ text: String) {
        separate()
        quote(text)
    }

    // MARK: Bytes

    private mutating func key(_ name: String) {
        separate()
        quote(name)
        output.append(0x3A)
        needsComma = false
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        output.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        output.append(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { output.append(0x2C) }
        needsComma = true
    }

    /// Appends whole runs between characters that need an escape: a push to 1,000 devices is mostly such runs.
    private mutating func quote(_ text: String) {
        output.append(0x22)
        var text = text
        text.withUTF8 { bytes in
            var start = 0
            for index in bytes.indices where bytes[index] < 0x20 || bytes[index] == 0x22 || bytes[index] == 0x5C {
                output.append(contentsOf: bytes[start..<index])
                escape(bytes[index])
                start = index + 1
            }
            output.append(contentsOf: bytes[start...])
        }
        output.append(0x22)
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case 0x22: output.append(contentsOf: #"\""#.utf8)
        case 0x5C: output.append(contentsOf: #"\\"#.utf8)
        case 0x0A: output.append(contentsOf: #"\n"#.utf8)
        case 0x0D: output.append(contentsOf: #"\r"#.utf8)
        case 0x09: output.append(contentsOf: #"\t"#.utf8)
        default:
            let digits = Array("0123456789abcdef".utf8)
            output.append(contentsOf: #"\u00"#.utf8)
            output.append(digits[Int(byte >> 4)])
            output.append(digits[Int(byte & 15)])
        }
    }
}
