import PushAdapter
import PushCrypto

/// The bytes of a vector. It stops the tests at a vector with a typing error, which could pass for a refused one.
enum Bytes {
    static func hex(_ text: String) -> [UInt8] {
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count == text.count, digits.count.isMultiple(of: 2) else {
            preconditionFailure("not hexadecimal: \(text)")
        }
        return stride(from: 0, to: digits.count, by: 2).map { (place: Int) -> UInt8 in
            UInt8(digits[place] * 16 + digits[place + 1])
        }
    }

    static func base64(_ text: String) -> [UInt8] {
        guard let bytes = Base64URL.decode(text) else { preconditionFailure("not Base64 for addresses: \(text)") }
        return bytes
    }
}

extension Secret {
    /// Its bytes as Base64 for addresses.
    var base64: String { withBytes { Base64URL.encode(Array($0)) } }
    /// Its bytes as hexadecimal digits.
    var hex: String { withBytes { Digests.hex(Array($0)) } }
}
