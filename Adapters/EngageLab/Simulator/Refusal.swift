import PushAdapter
import PushSimulation

/// The vendor's errors.
typealias Refusal = VendorRefusal

extension Refusal {
    static func missing(_ name: String) -> Refusal { Refusal(400, 21_002, "Missing required parameter: \(name)") }
    static func invalid(_ name: String) -> Refusal { Refusal(400, 21_003, "Parameter value is invalid: \(name)") }
    static func unknownField(_ name: String) -> Refusal { Refusal(400, 21_015, "unexpected field \(name)") }
    static func wrongType(_ name: String) -> Refusal { Refusal(400, 21_016, "wrong type or length: \(name)") }
    static let noTarget = Refusal(400, 21_011, "no target satisfies the audience")
    static let tooLong = Refusal(400, 21_005, "message body is too large")
    static let methodNotAllowed = Refusal(405, 21_001, "only POST is allowed")

    func response(isFlat: Bool) -> SimulatedResponse {
        .json(isFlat ? detail : ["error": detail], status: status)
    }
}
