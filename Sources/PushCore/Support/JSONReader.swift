import FoundationEssentials

/// Reads one JSON text in one pass, in time that depends only on its length.
///
/// Stricter than JSON where leniency would lose something: a key may appear only once in an object, a number must fit a
/// `Decimal` exactly, and values nest at most `maxDepth` deep, so no input can exhaust the stack.
package struct JSONReader {
    /// The deepest documented vendor response nests eight levels.
    static let maxDepth = 32

    /// A `Decimal` has an exponent of up to 127 besides its 38 digits.
    private static let longestNumber = 200

    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0
    private var depth = 0

    private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Throws `malformedResponse` with the position of the first wrong byte, never with the text itself.
    static func read(_ bytes: [UInt8]) throws(PushError) -> JSONValue {
        let result = bytes.withUnsafeBufferPointer { (buffer) -> Result<JSONValue, PushError> in
            var reader = JSONReader(buffer)
            do throws(PushError) {
                let value = try reader.value()
                reader.skipBlanks()
                guard reader.index == buffer.count else { throw reader.failure("text after the end") }
                return .success(value)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Refuses a text that nests too deep, before a recursive decoder reads it. Counts only brackets.
    package static func checkDepth(of bytes: [UInt8]) throws(PushError) {
        var (depth, isText, isEscaped) = (0, false, false)
        for byte in bytes {
            if isText {
                if isEscaped {
                    isEscaped = false
                } else if byte == 0x5C {
                    isEscaped = true
                } else {
                    isText = byte != 0x22
                }
                continue
            }
            switch byte {
            case 0x22: isText = true
            case 0x5B, 0x7B: depth += 1
            case 0x5D, 0x7D: depth -= 1
            default: continue
            }
            guard depth <= maxDepth else { throw tooDeep }
        }
    }

    static var tooDeep: PushError {
        PushError(.malformedResponse, "not valid JSON: nested more than \(maxDepth) levels deep", effect: .unknown)
    }

    // MARK: Values

    private mutating func value() throws(PushError) -> JSONValue {
        skipBlanks()
        switch peek {
        case 0x7B: return try object()
        case 0x5B: return try array()
        case 0x22: return .string(try text())
        case 0x74: return try word("true", .bool(true))
        case 0x66: return try word("false", .bool(false))
        case 0x6E: return try word("null", .null)
        case let byte? where byte == 0x2D || (0x30...0x39).contains(byte): return .number(try number())
        case nil: throw failure("unexpected end")
        default: throw failure("expected a value")
        }
    }

    private mutating func object() throws(PushError) -> JSONValue {
        try open()
        var fields: [String: JSONValue] = [:]
        if takes(0x7D) { return close(.object(fields)) }
        repeat {
            skipBlanks()
            guard peek == 0x22 else { throw failure("expected a key") }
            let name = try text()
            guard takes(0x3A) else { throw failure("expected a colon after a key") }
            let value = try value()
            guard fields.updateValue(value, forKey: name) == nil else { throw failure("duplicate key") }
        } while takes(0x2C)
        guard takes(0x7D) else { throw failure("unclosed object") }
        return close(.object(fields))
    }

    private mutating func array() throws(PushError) -> JSONValue {
        try open()
        var items: [JSONValue] = []
        if takes(0x5D) { return close(.array(items)) }
        repeat { items.append(try value()) } while takes(0x2C)
        guard takes(0x5D) else { throw failure("unclosed list") }
        return close(.array(items))
    }

    private mutating func open() throws(PushError) {
        index += 1
        depth += 1
        guard depth <= Self.maxDepth else { throw Self.tooDeep }
    }

    private mutating func close(_ value: JSONValue) -> JSONValue {
        depth -= 1
        return value
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(PushError) -> JSONValue {
        let expected = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard bytes[index...].starts(with: expected) else { throw failure("expected a value") }
        index += expected.count
        return value
    }

    // MARK: Numbers

    private mutating func number() throws(PushError) -> Decimal {
        let start = index
        var mantissa: UInt64 = 0
        var significant = 0
        if peek == 0x2D { index += 1 }
        let whole = digits(&mantissa, &significant)
        guard whole > 0, whole == 1 || bytes[index - whole] != 0x30 else { throw failure("malformed number") }
        var isPlain = true
        if peek == 0x2E {
            isPlain = false
            index += 1
            guard digits(&mantissa, &significant) > 0 else { throw failure("malformed number") }
        }
        if peek == 0x65 || peek == 0x45 {
            isPlain = false
            index += 1
            if peek == 0x2B || peek == 0x2D { index += 1 }
            var (exponent, count) = (0 as UInt64, 0)
            guard digits(&exponent, &count) > 0 else { throw failure("malformed number") }
        }
        // A `Decimal` keeps 38 digits. Most ids have at most 19, which fit 64 bits and take the fast path.
        if isPlain, significant <= 19 {
            let value = Decimal(mantissa)
            return bytes[start] == 0x2D ? -value : value
        }
        // Trailing zeros need no precision, so they do not count.
        let zeros = bytes[start..<index].prefix { $0 != 0x65 && $0 != 0x45 }.reversed().prefix {
            $0 == 0x30 || $0 == 0x2E
        }
        let exact = significant - zeros.count { $0 == 0x30 }
        guard exact <= 38, index - start <= Self.longestNumber else { throw failure("number with too many digits") }
        let digits = String(decoding: bytes[start..<index], as: UTF8.self)
        guard let value = Decimal(string: digits), value.isFinite else { throw failure("number out of range") }
        return value
    }

    /// Skips digits and returns how many there are; `value` is exact for the first 19 significant ones.
    private mutating func digits(_ value: inout UInt64, _ significant: inout Int) -> Int {
        let start = index
        while let byte = peek, (0x30...0x39).contains(byte) {
            if significant > 0 || byte != 0x30 { significant += 1 }
            value = value &* 10 &+ UInt64(byte & 15)
            index += 1
        }
        return index - start
    }

    // MARK: Texts

    private mutating func text() throws(PushError) -> String {
        index += 1
        let start = index
        while let byte = peek {
            switch byte {
            case 0x22:
                let plain = bytes[start..<index]
                index += 1
                guard let text = String(validating: plain, as: UTF8.self) else {
                    throw failure("bytes that are not UTF-8")
                }
                return text
            case 0x5C: return try escapedText(from: start)
            case 0..<0x20: throw failure("control character in a string")
            default: index += 1
            }
        }
        throw failure("unclosed string")
    }

    private mutating func escapedText(from start: Int) throws(PushError) -> String {
        var output = Array(bytes[start..<index])
        while let byte = peek {
            index += 1
            switch byte {
            case 0x22:
                guard let text = String(validating: output, as: UTF8.self) else {
                    throw failure("bytes that are not UTF-8")
                }
                return text
            case 0x5C: try escape(&output)
            case 0..<0x20: throw failure("control character in a string")
            default: output.append(byte)
            }
        }
        throw failure("unclosed string")
    }

    private mutating func escape(_ output: inout [UInt8]) throws(PushError) {
        let byte = peek
        index += 1
        switch byte {
        case 0x22, 0x5C, 0x2F: output.append(byte ?? 0)
        case 0x62: output.append(0x08)
        case 0x66: output.append(0x0C)
        case 0x6E: output.append(0x0A)
        case 0x72: output.append(0x0D)
        case 0x74: output.append(0x09)
        case 0x75:
            var code = try hexadecimal()
            if (0xD800..<0xDC00).contains(code) {
                guard takesHere(0x5C), takesHere(0x75) else { throw failure("half a surrogate pair") }
                let low = try hexadecimal()
                guard (0xDC00..<0xE000).contains(low) else { throw failure("half a surrogate pair") }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw failure("half a surrogate pair") }
            output += UTF8.encode(scalar).map(Array.init) ?? []
        default: throw failure("unknown escape")
        }
    }

    private mutating func hexadecimal() throws(PushError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw failure("unknown escape")
            }
            code = code << 4 | UInt32(digit)
            index += 1
        }
        return code
    }

    // MARK: Bytes

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipBlanks() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    /// Skips blanks, and then this byte if it is next.
    private mutating func takes(_ byte: UInt8) -> Bool {
        skipBlanks()
        return takesHere(byte)
    }

    private mutating func takesHere(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        index += 1
        return true
    }

    private func failure(_ what: String) -> PushError {
        PushError(
            .malformedResponse, "not valid JSON: \(what) at byte \(min(index, bytes.count))", effect: .unknown)
    }
}
