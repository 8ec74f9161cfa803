import FoundationEssentials

/// Writes JSON straight into bytes, in the order of the calls, without spaces.
///
/// Encoders use it because a request is written once and read elsewhere. It uses no intermediate tree and no reflection
/// and writes the same bytes for the same input on every machine.
///
/// ```swift
/// let bytes = try JSONWriter.bytes { (json) throws(PushError) in
///     try json.object { json in
///         json.field("platform", "all")
///         json.field("tags", [Tag("a"), Tag("b")])
///     }
/// }
/// ```
public struct JSONWriter: ~Copyable {
    // Its own memory, because an array checks for every single byte whether it is shared and has room.
    private var output: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    /// The number of bytes written so far.
    public private(set) var count = 0
    private var needsComma = false

    private init(reserving capacity: Int) {
        self.capacity = max(64, capacity)
        output = .allocate(capacity: self.capacity)
    }

    deinit { output.deallocate() }

    /// Returns the bytes that `body` writes: one JSON text, or the fields of an object without its braces, for
    /// ``fields(encoded:)``.
    public static func bytes(
        reserving capacity: Int = 512, _ body: (inout JSONWriter) throws(PushError) -> Void
    ) throws(PushError) -> [UInt8] {
        var writer = JSONWriter(reserving: capacity)
        try body(&writer)
        return writer.written
    }

    /// Returns the bytes of a value.
    public static func bytes(of value: JSONValue) -> [UInt8] {
        var writer = JSONWriter(reserving: 256)
        writer.value(value)
        return writer.written
    }

    private var written: [UInt8] { Array(UnsafeBufferPointer(start: output, count: count)) }

    // MARK: Structure

    /// Writes an object; `body` writes its fields.
    public mutating func object(_ body: (inout JSONWriter) throws(PushError) -> Void) throws(PushError) {
        open(0x7B)
        try body(&self)
        close(0x7D)
    }

    /// Writes a list; `body` writes its items.
    public mutating func array(_ body: (inout JSONWriter) throws(PushError) -> Void) throws(PushError) {
        open(0x5B)
        try body(&self)
        close(0x5D)
    }

    /// Writes a field of the current object; `body` writes its value.
    public mutating func field(
        _ name: String, _ body: (inout JSONWriter) throws(PushError) -> Void
    ) throws(PushError) {
        key(name)
        try body(&self)
    }

    // MARK: Fields

    /// Writes a field with a text, escaped for JSON.
    public mutating func field(_ name: String, _ text: String) {
        key(name)
        value(text)
    }

    /// Writes a field with a whole number.
    public mutating func field(_ name: String, _ number: Int) {
        key(name)
        value(number)
    }

    /// Writes a field with `true` or `false`.
    public mutating func field(_ name: String, _ flag: Bool) {
        key(name)
        value(flag)
    }

    /// Writes a field with a value of any kind; the fields of an object are sorted by name.
    public mutating func field(_ name: String, _ value: JSONValue) {
        key(name)
        self.value(value)
    }

    /// Writes a field with a list of texts, in the given order.
    @inlinable
    public mutating func field(_ name: String, _ texts: some Sequence<some TextIdentifier>) {
        key(name)
        open(0x5B)
        for text in texts { value(text.rawValue) }
        close(0x5D)
    }

    /// Writes a field whose value is already JSON, written by another writer.
    public mutating func field(_ name: String, encoded json: [UInt8]) {
        key(name)
        separate()
        json.withUnsafeBufferPointer { append($0) }
    }

    /// Writes fields that are already JSON, without the braces of their object. Empty input writes nothing.
    public mutating func fields(encoded json: [UInt8]) {
        guard !json.isEmpty else { return }
        separate()
        json.withUnsafeBufferPointer { append($0) }
    }

    /// Writes the fields of an object, sorted by name, without those that are null. Writes nothing for any other value.
    public mutating func fields(of value: JSONValue?) {
        guard case .object(let fields) = value else { return }
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) where value != .null { field(name, value) }
    }

    // MARK: Values

    /// Writes a whole number.
    public mutating func value(_ number: Int) {
        separate()
        append(String(number))
    }

    /// Writes `true` or `false`.
    public mutating func value(_ flag: Bool) {
        separate()
        append(flag ? "true" : "false")
    }

    /// Writes a value of any kind; the fields of an object are sorted by name. NaN becomes null, because JSON cannot
    /// represent it; the client refuses messages that have it.
    public mutating func value(_ value: JSONValue) {
        switch value {
        case .null:
            separate()
            append("null")
        case .bool(let flag): self.value(flag)
        case .number(let number):
            separate()
            append(number.isFinite ? number.description : "null")
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

    /// Writes a text, escaped for JSON.
    public mutating func value(_ text: String) {
        separate()
        quote(text)
    }

    // MARK: Bytes

    @usableFromInline
    mutating func key(_ name: String) {
        separate()
        quote(name)
        append(0x3A)
        needsComma = false
    }

    @usableFromInline
    mutating func open(_ bracket: UInt8) {
        separate()
        append(bracket)
        needsComma = false
    }

    @usableFromInline
    mutating func close(_ bracket: UInt8) {
        append(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { append(0x2C) }
        needsComma = true
    }

    private mutating func quote(_ text: String) {
        text.withBytes { bytes in
            append(0x22)
            var start = 0
            while let index = Self.firstEscaped(bytes, from: start) {
                append(UnsafeBufferPointer(rebasing: bytes[start..<index]))
                escape(bytes[index])
                start = index + 1
            }
            append(UnsafeBufferPointer(rebasing: bytes[start...]))
            append(0x22)
        }
    }

    /// The first byte that needs an escape. Checks eight bytes at a time: a push to 1,000 devices has few or none.
    private static func firstEscaped(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        let (ones, tops) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
        /// The top bit of every zero byte; a bit above such a byte may be set by mistake, never one below.
        func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & tops }
        let base = UnsafeRawBufferPointer(bytes)
        var index = start
        while index + 8 <= bytes.count {
            let word = base.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let control = (word &- ones &* 0x20) & ~word & tops
            if control | zeros(word ^ (ones &* 0x22)) | zeros(word ^ (ones &* 0x5C)) != 0 { break }
            index += 8
        }
        return bytes[index...].firstIndex { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case 0x22: append(#"\""#)
        case 0x5C: append(#"\\"#)
        case 0x0A: append(#"\n"#)
        case 0x0D: append(#"\r"#)
        case 0x09: append(#"\t"#)
        default: append(#"\u00"# + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16))
        }
    }

    private mutating func append(_ byte: UInt8) {
        reserve(1)
        output[count] = byte
        count += 1
    }

    private mutating func append(_ text: String) {
        text.withBytes { append($0) }
    }

    private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let base = bytes.baseAddress else { return }
        reserve(bytes.count)
        (output + count).update(from: base, count: bytes.count)
        count += bytes.count
    }

    private mutating func reserve(_ more: Int) {
        guard count + more > capacity else { return }
        capacity = max(capacity * 2, count + more)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: output, count: count)
        output.deallocate()
        output = larger
    }
}

extension JSONValue {
    /// For people: a text without quotes, everything else as JSON.
    package var shown: String { stringValue ?? String(decoding: JSONWriter.bytes(of: self), as: UTF8.self) }
}
