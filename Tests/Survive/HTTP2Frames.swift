/// Parts of HTTP/2 that a server writes without its compression tables.
enum HTTP2Frames {
    /// The payload of a SETTINGS frame with one setting.
    static func setting(_ id: UInt8, _ value: Int) -> [UInt8] { [0, id] + number(value) }

    /// Four bytes.
    static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    /// The field `:status: 103` as a literal.
    static let earlyHints: [UInt8] = [0x08, 3] + Array("103".utf8)
    /// The field `:status: 200`, by its index in the fixed table.
    static let success: [UInt8] = [0x88]

    /// A literal field that the client does not store.
    static func field(_ name: String, _ value: String) -> [UInt8] { [0] + text(name) + text(value) }

    private static func text(_ text: String) -> [UInt8] {
        var length: [UInt8] = []
        var rest = text.utf8.count
        // A length that does not fit into seven bits continues in groups of seven bits (RFC 7541, 5.1).
        if rest < 127 {
            length = [UInt8(rest)]
        } else {
            length = [127]
            rest -= 127
            while rest >= 128 {
                length.append(UInt8(rest % 128 + 128))
                rest /= 128
            }
            length.append(UInt8(rest))
        }
        return length + text.utf8
    }

    /// The same frame many times, to write at once.
    static func repeated(_ count: Int, _ type: UInt8, _ flags: UInt8, _ stream: Int, _ payload: [UInt8]) -> [UInt8] {
        var frame = Array(number(payload.count)[1...])
        frame += [type, flags]
        frame += number(stream) + payload
        return Array(repeatElement(frame, count: count).joined())
    }
}
