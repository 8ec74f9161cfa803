import PushCore

/// Keeps credentials off the page: header values, tokens, assertions, passwords, keys.
enum Hiding {
    /// What stands in the place of a secret.
    static let word = "hidden"
    /// A longer body is not read.
    static let longestBody = 256 << 10

    private static let secretNames: Set<String> = [
        "assertion", "clientassertion", "accesstoken", "refreshtoken", "idtoken", "authorization", "privatekey",
        "apikey", "jwt", "credential", "credentials", "signature",
    ]
    private static let secretParts = ["secret", "password", "passwd", "privatekey"]

    /// Whether a field with this name holds a secret: `access_token`, `accessToken` and `Access-Token` do.
    static func isSecret(_ name: String) -> Bool {
        let plain = name.lowercased().filter { $0 != "_" && $0 != "-" }
        return secretNames.contains(plain) || secretParts.contains { plain.contains($0) }
    }

    /// Whether a text is a credential by its form, whatever field it is in.
    private static func isCredential(_ text: String) -> Bool {
        if ["Bearer ", "Basic ", "-----BEGIN ", "ya29."].contains(where: { text.hasPrefix($0) }) { return true }
        // A signed web token: three parts, the first of which is a JSON object in Base64.
        return text.hasPrefix("eyJ") && text.utf8.count { $0 == 0x2E } == 2
    }

    /// A value without its secrets, at any depth; also in JSON that is a text in JSON.
    static func hidden(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let fields):
            var shown: [String: JSONValue] = [:]
            for (name, value) in fields { shown[name] = isSecret(name) ? .string(word) : hidden(value) }
            return .object(shown)
        case .array(let items): return .array(items.map { hidden($0) })
        case .string(let text):
            if isCredential(text) { return .string(word) }
            guard text.hasPrefix("{") || text.hasPrefix("["),
                let inner = try? JSONValue(parsing: Array(text.utf8))
            else { return value }
            let shown = hidden(inner)
            return shown == inner ? value : .string(shown.shown)
        default: return value
        }
    }

    /// A query or form without its secrets, still encoded.
    static func query(_ query: String) -> String {
        query.split(separator: "&", omittingEmptySubsequences: false).map { item -> String in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return String(item) }
            let (name, value) = (decoded(parts[0]), decoded(parts[1]))
            return isSecret(name) || name == "key" || isCredential(value) ? "\(parts[0])=\(word)" : String(item)
        }.joined(separator: "&")
    }

    /// A body for people, without its secrets; of one that is neither JSON nor a form, only the size.
    static func text(_ body: [UInt8], type: String?) -> String {
        guard !body.isEmpty else { return "" }
        let size = "\(body.count) bytes"
        guard body.count <= longestBody else { return size }
        if type?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true {
            guard let form = String(validating: body, as: UTF8.self) else { return size }
            return query(form).split(separator: "&").map { item in
                item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { decoded($0) }
                    .joined(separator: " = ")
            }.joined(separator: "\n")
        }
        guard let json = try? JSONValue(parsing: body) else { return size }
        // A lone text could be anything.
        switch json {
        case .object, .array: return pretty(hidden(json))
        default: return size
        }
    }

    private static func decoded(_ text: Substring) -> String {
        // A form writes a blank as a plus sign.
        PercentEncoding.decode(text.replacing("+", with: "%20")) ?? String(text)
    }

    /// JSON on several lines, its keys in order.
    static func pretty(_ value: JSONValue, indent: String = "") -> String {
        let inner = indent + "  "
        func lines(_ open: String, _ items: [String], _ close: String) -> String {
            "\(open)\n\(items.map { inner + $0 }.joined(separator: ",\n"))\n\(indent)\(close)"
        }
        switch value {
        case .object(let fields) where !fields.isEmpty:
            let items = fields.sorted { $0.key < $1.key }.map { name, value in
                "\(compact(.string(name))): \(pretty(value, indent: inner))"
            }
            return lines("{", items, "}")
        case .array(let items) where !items.isEmpty:
            let line = compact(value)
            if line.utf8.count <= 60 { return line }
            return lines("[", items.map { pretty($0, indent: inner) }, "]")
        default: return compact(value)
        }
    }

    private static func compact(_ value: JSONValue) -> String {
        String(decoding: JSONWriter.bytes(of: value), as: UTF8.self)
    }
}
