/// Percent encoding by RFC 3986: everything except letters, digits and `-._~` becomes `%XX`.
public enum PercentEncoding {
    /// Encodes a text, except for the ASCII characters of `kept`.
    public static func encode(_ text: String, keeping kept: String = "") -> String {
        guard !text.utf8.allSatisfy(isUnreserved) else { return text }
        let digits = Array("0123456789ABCDEF".utf8)
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count + 8)
        for byte in text.utf8 {
            if isUnreserved(byte) || kept.utf8.contains(byte) {
                output.append(byte)
            } else {
                output += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
        default: false
        }
    }

    /// Nil for a broken escape or bytes that are not UTF-8.
    public static func decode(_ text: some StringProtocol) -> String? {
        guard text.utf8.contains(0x25) else { return String(text) }
        var output: [UInt8] = []
        var rest = Substring(text).utf8
        while let byte = rest.popFirst() {
            guard byte == 0x25 else {
                output.append(byte)
                continue
            }
            guard let high = rest.popFirst(), let low = rest.popFirst(),
                let value = UInt8(String(decoding: [high, low], as: UTF8.self), radix: 16), high != 0x2B, high != 0x2D
            else { return nil }
            output.append(value)
        }
        return String(validating: output, as: UTF8.self)
    }
}
