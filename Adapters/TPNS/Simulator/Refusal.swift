import PushAdapter
import PushSimulation

/// The fields of an object. Keys are case-insensitive.
typealias Fields = SimulatedFields<Refusal>

extension Fields {
    private static var refusals: Refusals {
        Refusals(ignoresCase: true, missing: { .missing($0) }, wrongType: { _ in .unreadable })
    }

    init(_ object: [String: JSONValue]) { self.init(object, Self.refusals) }
    /// Nil if the value is not an object.
    init?(_ value: JSONValue?) { self.init(value, Self.refusals) }
}

/// The vendor's errors: a number and a sentence, with HTTP 200.
typealias Refusal = VendorRefusal

extension Refusal {
    init(_ code: Int, _ text: String) { self.init(200, code, text) }

    static let unreadable = Refusal(1_008_001, "parameter parse error")
    static let unauthorized = Refusal(1_008_003, "auth failure")
    static let failed = Refusal(1_008_004, "invoke service error")
    static let badToken = Refusal(1_008_006, "invalid token")
    static let unknownPush = Refusal(1_008_015, "push id not exist")
    static let badDate = Refusal(1_008_016, "date param format error")
    static let tooFast = Refusal(1_008_028, "request too fast")
    static let notAToken = Refusal(1_008_029, "token is not valid")
    static let unpaid = Refusal(1_008_030, "app not paid")
    static let expired = Refusal(1_008_031, "app was expired")
    static let elsewhere = Refusal(1_008_035, "accessId is not correct or domain not correct")
    static let noTarget = Refusal(10_010_005, "internal error")
    static let late = Refusal(10_010_012, "illegal push time")
    static let repeated = Refusal(10_010_018, "Push repeat")
    static let unknownTarget = Refusal(10_110_008, "no token, no account")

    static func missing(_ field: String) -> Refusal { Refusal(1_008_002, "missing parameter \(field)") }
    static func invalid(_ field: String) -> Refusal { Refusal(1_008_007, "invalid parameter \(field)") }
}

/// The spelling of a call's response envelope.
enum Envelope {
    /// `ret_code`, `err_msg` and `seq`.
    case snake
    /// `retCode` and `errMsg`.
    case camel
    /// `retCode` and `ErrMsg`, as in the sample of plans.
    case capital
    /// A code that is text, as in the table of plans.
    case text

    func answer(_ code: Int, _ message: String, _ fields: [String: JSONValue] = [:], seq: Int = 0) -> SimulatedResponse
    {
        var object = fields
        let number = JSONValue(code)
        switch self {
        case .snake:
            object["ret_code"] = number
            object["err_msg"] = .string(message)
            object["seq"] = JSONValue(seq)
        case .camel:
            object["retCode"] = number
            object["errMsg"] = .string(message)
        case .capital:
            object["retCode"] = number
            object["ErrMsg"] = .string(message)
        case .text:
            object["retCode"] = .string(String(code))
            object["errMsg"] = .string(message)
        }
        return .json(.object(object))
    }

    func answer(_ refusal: Refusal, seq: Int = 0) -> SimulatedResponse { answer(refusal.code, refusal.text, seq: seq) }
}
