import Foundation
import PushAdapter
import PushOPPO
import TestSupport

/// The adapter of a shop's app, and the requests that it writes.
enum Shop {
    static let now = Date(timeIntervalSince1970: 1_795_165_200)
    static let plain: JSONValue = ["notification": ["title": "T", "body": "B"]]
    static let abroad = OPPO.dataCenters.all.first { $0.name == "international" }

    static func oppo(_ edit: (inout OPPO) throws -> Void = { _ in }) throws -> OPPO {
        var oppo = try OPPO(appKey: "8899aa77bb", masterSecret: Secret("5566dd"))
        oppo.defaultTitle = "Shop"
        try edit(&oppo)
        return oppo
    }

    /// A registration id of China, in the form of the vendor's.
    static func device(_ number: Int) -> DeviceID {
        let digits = String(number)
        return DeviceID("CN_" + String(repeating: "a", count: 32 - digits.count) + digits)
    }

    static func devices(_ count: Int) -> Audience { .devices((0..<count).map(device)) }

    /// A message from its JSON form, with options of OPPO.
    static func message(_ json: JSONValue = plain, options: JSONValue? = nil) throws -> Message {
        try Message(json, options: options, of: "oppo")
    }

    static func answer(_ body: JSONValue, _ status: Int = 200) -> WireResponse {
        WireResponse(status: status, body: JSONWriter.bytes(of: body), receivedAt: now)
    }

    static func done(_ data: JSONValue) -> WireResponse { answer(["code": 0, "message": "success", "data": data]) }

    /// The JSON in the only field of a send: one message, or a list of them.
    static func json(_ exchange: Exchange<SendReceipt>, _ field: String = "message") throws -> JSONValue? {
        guard let form = exchange.request.form, form.count == 1, let text = form[field] else { return .none }
        return try JSONValue(parsing: Array(text.utf8))
    }
}
