import FoundationEssentials
import PushAdapter
import PushSimulation

/// Keeps credentials off the page: header values, tokens, assertions, passwords, keys, and the secrets that the
/// inspector was given.
struct InspectorRedaction: Sendable {
    /// The word in place of a secret.
    static let word = "hidden"
    /// The inspector does not read a longer body.
    static let longestBody = 256 << 10

    /// Secrets that are hidden wherever they occur.
    private var literals: [String] = []
    /// Whether the paths of requests are secrets.
    private let hasSecretPaths: Bool

    /// Hides these secrets besides everything that looks like one. Ignores secrets of less than six bytes, because they
    /// would occur everywhere.
    init(_ secrets: [Secret] = [], hasSecretPaths: Bool = false) {
        self.hasSecretPaths = hasSecretPaths
        hide(secrets.map { $0.withBytes { String(decoding: $0, as: UTF8.self) } })
    }

    /// The same for the texts of one request, which also have no part of its path if that is a secret.
    func within(_ request: SimulatedRequest) -> InspectorRedaction {
        guard hasSecretPaths else { return self }
        let written = [String(request.path.dropFirst()), request.query]
        let parts = request.path.split(separator: "/") + request.query.split { "=&".contains($0) }
        var copy = self
        copy.hide(written + parts.map(String.init) + parts.compactMap { PercentEncoding.decode($0) })
        return copy
    }

    private mutating func hide(_ secrets: [String]) { literals += secrets.filter { $0.utf8.count >= 6 } }

    // MARK: Recognizing secrets

    private static let names: Set<String> = [
        "jwt", "apikey", "auth", "pwd", "sign", "sig", "signature", "credential", "credentials",
    ]
    private static let nameParts = [
        "secret", "password", "passwd", "privatekey", "accesstoken", "refreshtoken", "idtoken", "authtoken",
        "assertion", "authorization", "cookie",
    ]

    /// Whether a field with this name holds a secret: `access_token`, `accessToken` and `Access-Token` do.
    private static func isSecret(_ name: String) -> Bool {
        let plain = name.lowercased().filter(\.isLetter)
        return names.contains(plain) || nameParts.contains { plain.contains($0) }
    }

    /// Whether a text has a credential in it by its form, in any field.
    private static func hasCredential(_ text: String) -> Bool {
        guard text.utf8.count >= 8 else { return false }
        if text.contains("%"), let decoded = PercentEncoding.decode(text), decoded != text, hasCredential(decoded) {
            return true
        }
        if text.contains("-----BEGIN") || text.contains("ya29.") { return true }
        let words = text.split { !($0.isLetter || $0.isNumber || "+/=_-.~:@?&%".contains($0)) }
        for (index, word) in words.enumerated() {
            // A signed web token: three parts, the first of which is a JSON object in Base64.
            if word.hasPrefix("eyJ"), word.utf8.count(where: { $0 == 0x2E }) == 2 { return true }
            if let rest = word.firstRange(of: "://"), word[rest.upperBound...].contains("@") { return true }
            let parts = word.split { "?&".contains($0) }
            if parts.contains(where: { part in
                part.contains("=") && isSecret(String(part.prefix { $0 != "=" })) && part.last != "="
            }) {
                return true
            }
            // A name and a password, after anything.
            let pieces = word.split { ":?&.~@%".contains($0) }
            if pieces.contains(where: { isBasic($0) || $0.split(separator: "=").contains(where: isBasic) }) {
                return true
            }
            // After such a word comes a credential; the words of ordinary text are shorter.
            let isScheme = pieces.last.map { ["bearer", "basic"].contains($0.lowercased()) } ?? false
            guard isScheme, index + 1 < words.count else { continue }
            if words.count == 2 || words[index + 1].utf8.count >= 12 { return true }
        }
        return false
    }

    /// Whether a word is the Base64 of a readable text with a colon inside, as a name and its password are.
    private static func isBasic(_ word: Substring) -> Bool {
        let digits = word.filter { $0 != "=" }
        guard digits.utf8.count >= 12 else { return false }
        let standard = digits.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: standard + padding), let colon = data.firstIndex(of: 0x3A) else {
            return false
        }
        return colon > data.startIndex && data.allSatisfy { (0x20...0x7E).contains($0) }
    }

    // MARK: Hiding

    /// An id as the page has it. Whoever knows the address in an id may send to it, so of such an id there is the origin
    /// only, and a number that is the same while this program runs.
    func id(_ id: String) -> String {
        guard id.contains("://") else { return id }
        return "\(Redaction.shortened(id)) \(String(UInt(bitPattern: id.hashValue), radix: 16))"
    }

    /// A text without its secrets: one with a credential in it is hidden as a whole.
    func text(_ text: String) -> String {
        if Self.hasCredential(text) { return Self.word }
        return literals.reduce(text) { $0.replacing($1, with: Self.word) }
    }

    /// A value without its secrets, at any depth; also in JSON that is a text in JSON.
    func value(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let fields):
            var shown: [String: JSONValue] = [:]
            for (name, value) in fields {
                shown[text(name)] = Self.isSecret(name) ? .string(Self.word) : self.value(value)
            }
            return .object(shown)
        case .array(let items): return .array(items.map { self.value($0) })
        case .string(let text):
            guard let first = text.first(where: { !$0.isWhitespace }), "{[".contains(first),
                let inner = try? JSONValue(parsing: Array(text.utf8))
            else { return .string(self.text(text)) }
            let shown = self.value(inner)
            return shown == inner ? value : .string(shown.shown)
        default: return value
        }
    }

    /// Path and query of a request without their secrets, still encoded.
    func target(of request: SimulatedRequest) -> String {
        if hasSecretPaths { return path(request.path) }
        let query = query(request.query)
        return path(request.path) + (query.isEmpty ? "" : "?\(query)")
    }

    /// A path without its secrets, still encoded; nothing of one that is a secret itself.
    func path(_ path: String) -> String {
        if hasSecretPaths { return "/…" }
        return path.split(separator: "/", omittingEmptySubsequences: false).map { part in
            let shown = text(Self.decoded(part))
            return shown == Self.decoded(part) ? String(part) : shown
        }.joined(separator: "/")
    }

    /// A query or form without its secrets, still encoded.
    func query(_ query: String) -> String {
        query.split(separator: "&", omittingEmptySubsequences: false).map { item -> String in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else {
                return text(Self.decoded(item)) == Self.decoded(item) ? String(item) : Self.word
            }
            let (name, value) = (Self.decoded(parts[0]), Self.decoded(parts[1]))
            if text(name) != name { return Self.word }
            let isHidden = Self.isSecret(name) || name == "key" || text(value) != value
            return isHidden ? "\(parts[0])=\(Self.word)" : String(item)
        }.joined(separator: "&")
    }

    /// A body for people, without its secrets; only the size if it is neither JSON nor a form.
    func body(_ body: [UInt8], type: String?) -> String {
        guard !body.isEmpty else { return "" }
        let size = "\(body.count) bytes"
        guard body.count <= Self.longestBody else { return size }
        if type?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true {
            guard let form = String(validating: body, as: UTF8.self) else { return size }
            return query(form).split(separator: "&").map { item in
                item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { Self.decoded($0) }
                    .joined(separator: " = ")
            }.joined(separator: "\n")
        }
        guard let json = try? JSONValue(parsing: body) else { return size }
        // A lone text could be anything.
        switch json {
        case .object, .array: return Self.pretty(value(json))
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
