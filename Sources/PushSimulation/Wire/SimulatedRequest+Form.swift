public import PushAdapter

extension SimulatedRequest {
    /// The decoded fields of a form, the first of several with one name; nil for a broken escape.
    package static func fields(ofForm text: String) -> [String: String]? {
        var fields: [String: String] = [:]
        for item in text.split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let decoded = parts.compactMap { PercentEncoding.decode($0.replacing("+", with: "%20")) }
            guard decoded.count == parts.count, let name = decoded.first else { return nil }
            fields[name] = fields[name] ?? (decoded.count == 2 ? decoded[1] : "")
        }
        return fields
    }

    /// One part of a form.
    public struct FormPart: Sendable {
        /// The file name, nil for a field that is not a file.
        public var fileName: String?
        /// The content.
        public var bytes: [UInt8]
    }

    /// The parts of a `multipart/form-data` body by name; empty for any other body.
    public var formParts: [String: FormPart] {
        let type = headers[.contentType] ?? ""
        guard type.lowercased().hasPrefix("multipart/form-data"), let mark = Self.value("boundary", in: type) else {
            return [:]
        }
        let boundary = Array("--\(mark)".utf8)
        var parts: [String: FormPart] = [:]
        for piece in Self.split(body, by: boundary) {
            let blank = Array("\r\n\r\n".utf8)
            guard let range = piece.firstRange(of: blank) else { continue }
            let head = String(decoding: piece[..<range.lowerBound], as: UTF8.self)
            guard let name = Self.value("name", in: head) else { continue }
            // A line end belongs to the boundary behind it.
            let bytes = Array(piece[range.upperBound...].dropLast(2))
            parts[name] = FormPart(fileName: Self.value("filename", in: head), bytes: bytes)
        }
        return parts
    }

    private static func split(_ body: [UInt8], by boundary: [UInt8]) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var rest = body[...]
        while let range = rest.firstRange(of: boundary) {
            pieces.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return Array(pieces.dropFirst())
    }

    private static func value(_ key: String, in head: String) -> String? {
        var isQuoted = false
        let items = head.split { character in
            if character == "\"" { isQuoted.toggle() }
            return !isQuoted && (character == ";" || character.isNewline)
        }
        for item in items {
            let pair = item.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].filter({ $0 != " " }).lowercased() == key else { continue }
            return String(pair[1].filter { $0 != "\"" })
        }
        return nil
    }
}

extension SimulatedResponse {
    /// A gateway's page.
    package static func page(_ status: Int) -> SimulatedResponse {
        SimulatedResponse(status: status, headers: [.contentType: "text/html"], body: Array("<html>".utf8))
    }

    /// A gateway's page for the statuses that gateways send; nil for any other.
    package static func gateway(_ status: Int) -> SimulatedResponse? {
        [502, 503, 504].contains(status) ? page(status) : nil
    }

    /// A JSON response, by default with status 200.
    public static func json(_ value: JSONValue, status: Int = 200) -> SimulatedResponse {
        SimulatedResponse(
            status: status, headers: [.contentType: "application/json; charset=utf-8"],
            body: JSONWriter.bytes(of: value))
    }
}
