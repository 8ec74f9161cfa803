import PushAdapter
import PushSimulation

/// The vendor's errors. It answers nearly all of them with 200 and tells them by `code`.
typealias Refusal = VendorRefusal

extension Refusal {
    static let unknownPath = Refusal(404, 0, "")
    static let secret = Refusal(200, 21_301, "Invalid application secret.")
    static let package = Refusal(200, 22_022, "Invalid package name")
    static let channel = Refusal(200, 27_001, "invalid channel info!")
    static let rate = Refusal(200, 200_002, "exceed qps limit")
    static let reads = Refusal(200, 10_032, "Statistics are read too often")
    static let noTargets = Refusal(200, 20_301, "No valid targets!")
    static let unknownDevice = Refusal(200, 10_029, "Unknown device")
    static let topics = Refusal(200, 65_035, "Too many topics")
    static let topic = Refusal(200, 20_209, "Illegal topic")
    static let extras = Refusal(200, 65_015, "The extras are too long")
    static let payload = Refusal(200, 65_009, "The payload is too long")
    static let jobGone = Refusal(200, 20_315, "Delete failed")
    static let noJob = Refusal(200, 65_028, "Message not found")

    static func missing(_ name: String) -> Refusal { Refusal(200, 10_016, "\(name) is missing") }
    static func illegal(_ text: String) -> Refusal { Refusal(200, 10_017, text) }
    static func quota(_ quota: Int, acked: Int) -> Refusal {
        Refusal(200, 200_001, "exceed quota, quota: \(quota), have acked: \(acked)")
    }
    /// The call fails inside the vendor.
    static func system(_ status: Int) -> Refusal { Refusal(status, 10_001, "System error") }

    /// The response. Its trace id looks like the id of a message.
    func response(_ traceID: String, alwaysAs status: Int? = nil) -> SimulatedResponse {
        guard code != 0 else { return SimulatedResponse(status: self.status) }
        let body: JSONValue = [
            "result": "error", "reason": .string(text), "trace_id": .string(traceID), "code": JSONValue(code),
            "description": .string(text),
        ]
        return .json(body, status: self.status == 200 ? status ?? 200 : self.status)
    }
}

extension SimulatedResponse {
    /// The response to a call that the vendor accepted.
    static func accepted(_ traceID: String, _ data: [String: JSONValue]) -> SimulatedResponse {
        .json([
            "result": "ok", "trace_id": .string(traceID), "code": 0, "description": "成功", "info": "",
            "data": .object(data),
        ])
    }
}
