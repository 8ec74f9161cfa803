import FoundationEssentials
public import PushAdapter

extension SimulatedRequest {
    /// The credential of the `Authorization` field, if that has this scheme, in any case, and one more word.
    public func credential(_ scheme: String) -> String? {
        let words = (headers[.authorization] ?? "").split(separator: " ")
        guard words.count == 2, words[0].lowercased() == scheme.lowercased() else { return nil }
        return String(words[1])
    }

    /// The name and the password of HTTP Basic; nil for a field without them.
    public var basicCredential: (name: String, password: Secret)? {
        guard let pair = credential("Basic").flatMap({ Data(base64Encoded: $0) }), let colon = pair.firstIndex(of: 0x3A)
        else { return nil }
        return (String(decoding: pair[..<colon], as: UTF8.self), Secret(Array(pair[pair.index(after: colon)...])))
    }

    /// The credential for a name and a password, without the word `Basic`. Comparing two takes constant time.
    public static func basicCredential(_ name: String, _ password: String) -> Secret {
        Secret(Data("\(name):\(password)".utf8).base64EncodedString())
    }

    /// The body as a JSON object; nil for any other body.
    public var object: [String: JSONValue]? {
        guard case .object(let fields) = try? JSONValue(parsing: body) else { return nil }
        return fields
    }
}
