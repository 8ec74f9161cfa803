import PushAdapter
import PushSimulation

/// A service's answer to a fault.
public struct WebPushRefusal: Error, Sendable, Hashable {
    /// The HTTP status.
    public var status: Int
    /// The service's code or reason; empty for none.
    public var code: String
    /// The service's sentence; empty for none.
    public var text: String
    /// Header fields that come with it.
    public var fields: [String: String]
    /// Whether the body is empty, although this service usually writes one.
    public var isBare = false

    /// An answer with a status, and with a code and a sentence if the service has them.
    public init(_ status: Int, _ code: String = "", _ text: String = "", fields: [String: String] = [:]) {
        self.status = status
        self.code = code
        self.text = text
        self.fields = fields
    }

    /// The same without a body.
    var bare: WebPushRefusal {
        var bare = self
        bare.isBare = true
        return bare
    }

    /// How a service writes its refusals.
    public enum Form: Sendable, Hashable {
        /// A status alone.
        case empty
        /// A sentence as plain text.
        case text
        /// JSON with `code`, `errno`, `error` and `message`.
        case autopush
        /// JSON with `reason`.
        case reason
        /// Header fields that begin with `X-WNS`.
        case windows
        /// JSON with `code`, `http` and `error`.
        case ntfy
    }

    /// The refusal on the wire.
    func response(_ form: Form) -> SimulatedResponse {
        var response = SimulatedResponse(status: status)
        for (name, value) in fields { response.set(name, value) }
        switch form {
        case .empty: break
        case .text: response.write(text, "text/plain; charset=utf-8")
        case .windows: writeWindowsFields(into: &response)
        case .autopush, .reason, .ntfy: if !isBare { response.write(object(form)) }
        }
        return response
    }

    private func writeWindowsFields(into response: inout SimulatedResponse) {
        response.set("X-WNS-Status", code.isEmpty ? "dropped" : code)
        if !text.isEmpty { response.set("X-WNS-Error-Description", text) }
    }

    private func object(_ form: Form) -> [String: JSONValue] {
        switch form {
        case .reason: ["reason": .string(code)]
        case .ntfy:
            ["code": JSONValue(Int(code)), "http": JSONValue(status), "error": .string(text), "link": ""]
        default:
            [
                "code": JSONValue(status), "errno": JSONValue(Int(code)), "error": .string(Self.phrase(status)),
                "message": .string(text), "more_info": "",
            ]
        }
    }

    private static func phrase(_ status: Int) -> String {
        let phrases = [
            400: "Bad Request", 401: "Unauthorized", 404: "Not Found", 410: "Gone", 413: "Payload Too Large",
            429: "Too Many Requests", 500: "Internal Server Error", 502: "Bad Gateway", 503: "Service Unavailable",
        ]
        return phrases[status] ?? "Error"
    }
}

extension SimulatedResponse {
    /// Sets a header field.
    mutating func set(_ name: String, _ value: String) {
        if let name = HTTPField.Name(name) { headers[name] = value }
    }

    /// Writes a body of text.
    mutating func write(_ text: String, _ type: String) {
        headers[.contentType] = type
        body = Array(text.utf8)
    }

    /// Writes a body of JSON.
    mutating func write(_ object: [String: JSONValue]) {
        headers[.contentType] = "application/json"
        body = JSONWriter.bytes(of: .object(object))
    }
}
