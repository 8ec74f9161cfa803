import PushAdapter
import PushSimulation

/// The vendor's errors.
typealias Refusal = VendorRefusal

extension Refusal {
    static let missing = Refusal(400, 1002, "Missing parameter")
    static let methodNotAllowed = Refusal(405, 1001, "only POST is supported")
    static let unknownPath = Refusal(404, 7010, "request api doesn't exist")
    static let tooLong = Refusal(400, 1005, "the message body is too long")
    static let throttled = Refusal(429, 2002, "Rate limit exceeded")
    static func invalid(_ text: String) -> Refusal { Refusal(400, 1003, text) }
    static func unknownKey(_ key: String) -> Refusal { Refusal(400, 1009, "unsupported key \(key)") }
    static func schedule(_ text: String) -> Refusal { Refusal(400, 8100, text) }
    static func device(_ text: String) -> Refusal { Refusal(400, 7002, text) }

    var response: SimulatedResponse {
        .json(.object(fields.merging(["error": detail]) { own, _ in own }), status: status)
    }
}

extension SimulatedResponse {
    /// The response to a successful write. Its body is empty.
    static let empty = SimulatedResponse(status: 200, headers: [.contentType: "application/json; charset=utf-8"])
}
