import PushAdapter
import PushSimulation

/// The vendor's errors. The codes are those of one third party's table, so they show a reading and no fact.
typealias Refusal = VendorRefusal

extension VendorRefusal {
    static let unknownPath = Refusal(404, 0, "")
    static let unauthorized = Refusal(401, 401, "Unauthorized")
    static let failed = Refusal(500, 500, "Internal error")
    static let busy = Refusal(503, 503, "Too many requests")

    static let noTimestamp = error(10_001, "timestamp is missing")
    static let unknownApp = error(10_205, "The app does not exist")
    static let timestamp = error(10_207, "timestamp is not valid")
    static let noToken = error(10_300, "token is missing")
    static let endedToken = error(80_200_003, "The access token has expired")
    static let noRight = error(80_200_022, "The app has no right for this kind of message")
    static let testsUsedUp = error(80_200_047, "Too many test messages today")
    static let pictureInMarketing = error(80_200_050, "A marketing message has no picture")
    static let sensitiveContent = error(80_200_056, "The message contains sensitive content")
    static let repeatedToken = error(80_300_006, "A token is in the list twice")
    static let allRefused = error(80_300_007, "All tokens are refused")
    static let tooLong = error(80_300_008, "The message is too long")
    static let tooManyTokens = error(80_300_010, "Too many tokens")

    static func parameters(_ text: String) -> Refusal { Refusal(400, 400, "Parameter error: \(text)") }
    static func structure(_ text: String) -> Refusal { error(80_100_003, "Wrong body: \(text)") }

    /// An error of the token endpoint.
    static func grant(_ name: String, _ text: String) -> Refusal {
        Refusal(0, 0, "", fields: ["error": .string(name), "error_description": .string(text)])
    }

    /// A code whose status is unknown.
    private static func error(_ code: Int, _ text: String) -> Refusal { Refusal(0, code, text) }

    /// The response. An unknown path has no body, and the token endpoint has a form of its own.
    func response(_ settings: HonorSimulatorSettings) -> SimulatedResponse {
        guard fields.isEmpty else { return .json(.object(fields), status: settings.exchangeStatus) }
        guard code != 0 else { return SimulatedResponse(status: status) }
        let small = settings.usesStatuses ? status : 200
        let body: JSONValue = ["code": settings.code(code), "message": .string(text)]
        return .json(body, status: status == 0 ? settings.errorStatus : small)
    }
}

extension HonorSimulatorSettings {
    /// A code as responses write it.
    func code(_ number: Int) -> JSONValue { writesCodesAsText ? .string(String(number)) : JSONValue(number) }
}
