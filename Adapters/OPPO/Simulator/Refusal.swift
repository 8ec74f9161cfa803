import PushAdapter
import PushSimulation

/// The vendor's errors. It answers them with 200 and tells them by `code`.
typealias Refusal = VendorRefusal

extension Refusal {
    static let unknownPath = Refusal(404, 0, "")
    static let token = Refusal(200, 11, "Invalid AuthToken")
    static let method = Refusal(200, 12, "Http Action Not Allowed")
    static let key = Refusal(200, 14, "Invalid App Key")
    static let noKey = Refusal(200, 15, "Missing App Key")
    static let signature = Refusal(200, 16, "Invalid Signature")
    static let noSignature = Refusal(200, 17, "Missing Signature")
    static let noTimestamp = Refusal(200, 18, "Missing Timestamp")
    static let timestamp = Refusal(200, 19, "Invalid Timestamp")
    static let encoding = Refusal(200, 25, "Invalid Encoding")
    static let disabled = Refusal(200, 28, "App Disabled")
    static let noToken = Refusal(200, 29, "Missing Auth Token")
    static let noData = Refusal(200, 31, "Data Not Exist")
    static let duplicate = Refusal(200, 32, "Data Duplicate")
    static let quota = Refusal(200, 33, "The number of messages exceeds the daily limit")
    static let secondAction = Refusal(200, 59, "No permission for the second action")
    static let target = Refusal(200, 10_000, "Invalid registration_id")

    static func missing(_ name: String) -> Refusal { Refusal(200, 40, "Missing Required Arguments: \(name)") }
    static func illegal(_ text: String) -> Refusal { Refusal(200, 41, "Invalid Arguments: \(text)") }
    static func right(_ text: String) -> Refusal { Refusal(200, 67, "No permission: \(text)") }
    /// The call limit, as 13 or 55, or flow control, as -2.
    static func rate(_ code: Int) -> Refusal { Refusal(200, code, "Limited") }
    /// The call fails inside the vendor.
    static func unavailable(_ status: Int) -> Refusal { Refusal(status, -1, "Service Currently Unavailable") }

    /// The response. An unknown path has no body.
    var response: SimulatedResponse {
        code == 0 ? SimulatedResponse(status: status) : .json(detail, status: status)
    }
}

extension SimulatedResponse {
    /// The response to a call that the vendor accepted.
    static func accepted(_ data: JSONValue = [:]) -> SimulatedResponse {
        .json(["code": 0, "message": "success", "data": data])
    }
}
