package import PushAdapter
package import PushSimulation

/// The vendor's errors. Which status comes with which code is not documented; 8010 and 8030 with 400, 8020 with 401 are
/// assumed.
package typealias Refusal = VendorRefusal

extension VendorRefusal {
    package static let unknownPath = Refusal(404, 0, "")
    /// Flow control.
    package static let busy = Refusal(503, 0, "")
    package static let unauthorized = Refusal(401, 80_200_001, "Authentication error")
    package static let expired = Refusal(401, 80_200_005, "The JWT token has expired")
    package static let longLived = Refusal(401, 80_300_036, "The validity period of the JWT exceeds one day")
    package static let pushOff = Refusal(400, 80_300_002, "The app has no permission to send messages")
    package static let tooLong = Refusal(400, 80_300_008, "The message body size exceeds the default value")
    package static let punished = Refusal(400, 80_300_037, "The app is punished")
    package static let expiry = Refusal(400, 80_100_004, "The expiration time is wrong")

    package static func parameters(_ text: String) -> Refusal {
        Refusal(400, 80_100_001, "Incorrect message parameter, \(text)")
    }
    package static func illegal(_ text: String) -> Refusal { Refusal(400, 80_100_003, "Illegal payload, \(text)") }
    package static func count(within least: Int, and most: Int) -> Refusal {
        Refusal(400, 80_300_010, "token count should within \(least) and \(most)")
    }
    package static func allRefused(_ text: String) -> Refusal { Refusal(400, 80_300_007, text) }

    /// The response: the code is a text. An unknown path and flow control have no body.
    package func response(_ requestID: String, alwaysOK: Bool = false) -> SimulatedResponse {
        guard code != 0 else { return SimulatedResponse(status: status) }
        let body: JSONValue = [
            "code": .string(String(code)), "msg": .string(text), "requestId": .string(requestID),
        ]
        return .json(body, status: alwaysOK ? 200 : status)
    }

    /// An internal error with this status. Other failures than 500 are a gateway's pages: a 503 of the vendor is flow
    /// control.
    package static func failed(_ status: Int, _ requestID: String) -> SimulatedResponse {
        guard [502, 503, 504].contains(status) else {
            return Refusal(status, 81_000_001, "inner error").response(requestID)
        }
        let page = Array("<html><body>\(status)</body></html>".utf8)
        return SimulatedResponse(status: status, headers: [.contentType: "text/html"], body: page)
    }
}

extension SimulatedResponse {
    /// The response to a call that the vendor accepted, in whole or in part.
    package static func accepted(
        _ requestID: String, code: Int = 80_000_000, _ text: String = "Success", fields: [String: JSONValue] = [:]
    ) -> SimulatedResponse {
        let own: [String: JSONValue] = [
            "code": .string(String(code)), "msg": .string(text), "requestId": .string(requestID),
        ]
        return .json(.object(own.merging(fields) { $1 }))
    }
}
