import PushAdapter
import PushSimulation

/// One of the vendor's errors: status, code and text.
struct Refusal: Error {
    var status: Int
    var code: Int
    var text: String
    /// An id that was allocated although nothing was sent.
    var messageID: String?

    init(_ status: Int, _ code: Int, _ text: String, messageID: String? = nil) {
        self.status = status
        self.code = code
        self.text = text
        self.messageID = messageID
    }

    static let missing = Refusal(400, 1002, "Missing parameter")
    static let methodNotAllowed = Refusal(405, 1001, "only POST is supported")
    static let unknownPath = Refusal(404, 7010, "request api doesn't exist")
    static let tooLong = Refusal(400, 1005, "the message body is too long")
    static func invalid(_ text: String) -> Refusal { Refusal(400, 1003, text) }
    static func unknownKey(_ key: String) -> Refusal { Refusal(400, 1009, "unsupported key \(key)") }
    static func schedule(_ text: String) -> Refusal { Refusal(400, 8100, text) }
    static func device(_ text: String) -> Refusal { Refusal(400, 7002, text) }

    var response: SimulatedResponse {
        var fields: [String: JSONValue] = [
            "error": ["code": JSONValue(integerLiteral: code), "message": .string(text)]
        ]
        if let messageID { fields["msg_id"] = .string(messageID) }
        return .json(.object(fields), status: status)
    }
}

extension SimulatedResponse {
    /// The response to a successful write. Its body is empty.
    static let empty = SimulatedResponse(status: 200, headers: [.contentType: "application/json; charset=utf-8"])
}
