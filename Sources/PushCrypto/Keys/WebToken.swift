import FoundationEssentials
public import PushAdapter

/// A JSON Web Token (RFC 7519) in its compact form, as vendors accept it: header, claims and signature.
public enum WebToken {
    /// Signs claims. The header gets the algorithm of the key.
    /// - Parameters:
    ///   - claims: a JSON object, for example who asks and for how long.
    ///   - header: further fields of the header, such as the id of the key.
    ///   - key: the private key.
    public static func signed(
        _ claims: [String: JSONValue], header: [String: JSONValue], by key: SigningKey
    ) throws(PushError) -> Secret {
        var header = header
        header["alg"] = .string(key.algorithm.rawValue)
        let parts = [header, claims].map { Base64URL.encode(JSONWriter.bytes(of: .object($0))) }
        let text = parts.joined(separator: ".")
        let signature = try key.signature(of: Array(text.utf8))
        return Secret(text + "." + Base64URL.encode(signature))
    }
}

/// Base64 for web addresses and tokens (RFC 4648, section 5), without padding. It goes byte by byte, because a search
/// in a text takes longer than the encoding.
public enum Base64URL {
    /// Encodes bytes.
    public static func encode(_ bytes: [UInt8]) -> String {
        let plain = Data(bytes).base64EncodedString().utf8.prefix { $0 != padding }
        let text = plain.map { byte in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: byte
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of a text; nil for one that is not in this form.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var plain: [UInt8] = []
        plain.reserveCapacity(text.utf8.count + 3)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "+"), UInt8(ascii: "/"), padding: return nil
            case UInt8(ascii: "-"): plain.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): plain.append(UInt8(ascii: "/"))
            default: plain.append(byte)
            }
        }
        plain.append(contentsOf: repeatElement(padding, count: (4 - plain.count % 4) % 4))
        return Data(base64Encoded: Data(plain)).map { Array($0) }
    }

    private static let padding = UInt8(ascii: "=")
}
