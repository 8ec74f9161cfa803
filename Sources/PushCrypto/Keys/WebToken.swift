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

/// Base64 for web addresses and tokens (RFC 4648, section 5), without padding.
public enum Base64URL {
    /// Encodes bytes.
    public static func encode(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// The bytes of a text; nil for one that is not in this form.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        guard text.utf8.allSatisfy({ $0 != 0x2B && $0 != 0x2F && $0 != 0x3D }) else { return nil }
        let plain = String(text).replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        return Data(base64Encoded: plain + padding).map { Array($0) }
    }
}
