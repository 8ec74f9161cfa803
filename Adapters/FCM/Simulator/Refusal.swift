import PushAdapter
import PushSimulation

/// One of the vendor's errors: a status, a text, and details.
struct Refusal: Error {
    var status: Int
    var text: String
    var details: [Detail]
    /// The token endpoint's word for the error.
    var grantError: String?
    /// The code that the topic API may add to the error.
    var topicCode: String?

    init(_ status: Int, _ text: String, _ details: [Detail] = [], grantError: String? = nil) {
        self.status = status
        self.text = text
        self.details = details
        self.grantError = grantError
    }

    /// The name of the status in the body.
    var word: String { Self.words[status] ?? "UNKNOWN" }

    private static let words = [
        400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND",
        409: "ALREADY_EXISTS", 429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 503: "UNAVAILABLE",
        504: "DEADLINE_EXCEEDED",
    ]
}

/// One item of an error's details.
enum Detail {
    /// The vendor's own code.
    case code(String)
    /// A field and its flaw. Without a field, the detail is about the whole request.
    case field(String?, String)
    /// A bad request without a list of fields.
    case request
    /// A reason, with metadata.
    case reason(String, [String: JSONValue])
    /// A link for people.
    case help(String, url: String)
    /// The response of APNs.
    case apns(Int, String)

    var json: JSONValue {
        switch self {
        case .code(let code):
            ["@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode": .string(code)]
        case .field(let field, let text):
            ["@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": [Self.violation(field, text)]]
        case .request: ["@type": "type.googleapis.com/google.rpc.BadRequest"]
        case .reason(let reason, let metadata):
            [
                "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": .string(reason),
                "domain": "googleapis.com", "metadata": .object(metadata),
            ]
        case .help(let text, let url):
            [
                "@type": "type.googleapis.com/google.rpc.Help",
                "links": [["description": .string(text), "url": .string(url)]],
            ]
        case .apns(let status, let reason):
            [
                "@type": "type.googleapis.com/google.firebase.fcm.v1.ApnsError",
                "statusCode": JSONValue(status), "reason": .string(reason),
            ]
        }
    }

    private static func violation(_ field: String?, _ text: String) -> JSONValue {
        guard let field else { return ["description": .string(text)] }
        return ["field": .string(field), "description": .string(text)]
    }
}

/// The form in which a family of calls writes errors.
enum ErrorForm {
    /// An object with code, message, status and details.
    case status
    /// A text.
    case text
    /// A word and a description, as in OAuth.
    case grant

    func response(to refusal: Refusal) -> SimulatedResponse {
        switch self {
        case .status:
            var error: [String: JSONValue] = [
                "code": JSONValue(refusal.status), "message": .string(refusal.text),
                "status": .string(refusal.word),
            ]
            if !refusal.details.isEmpty { error["details"] = .array(refusal.details.map(\.json)) }
            return .json(["error": .object(error)], status: refusal.status)
        case .text: return .json(["error": .string(refusal.text)], status: refusal.status)
        case .grant:
            let word = refusal.grantError ?? "invalid_request"
            return .json(
                ["error": .string(word), "error_description": .string(refusal.text)], status: refusal.status)
        }
    }
}

extension SimulatedResponse {
    /// A page of the vendor's front end.
    static func page(_ status: Int, _ text: String) -> SimulatedResponse {
        let page = "<!DOCTYPE html><html lang=en><title>Error \(status)</title><p><b>\(status).</b> \(text)</html>\n"
        return SimulatedResponse(
            status: status, headers: [.contentType: "text/html; charset=UTF-8"], body: Array(page.utf8))
    }

    static let unknownPath = page(404, "The requested URL was not found on this server.")
}
