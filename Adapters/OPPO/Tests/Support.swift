import Foundation
import PushAdapter
import PushOPPO

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
        var fields: [String: JSONValue] = if case .object(let fields) = json { fields } else { [:] }
        if let options { fields["options"] = ["oppo": options] }
        return try answer(.object(fields)).json(Message.self)
    }

    static func answer(_ body: JSONValue, _ status: Int = 200) -> WireResponse {
        WireResponse(status: status, body: JSONWriter.bytes(of: body), receivedAt: now)
    }

    static func done(_ data: JSONValue) -> WireResponse { answer(["code": 0, "message": "success", "data": data]) }

    /// The fields of a form, decoded by Foundation; nil for another body, and for a form with a field twice.
    static func form(_ request: WireRequest) -> [String: String]? {
        guard case .bytes(let bytes, let type) = request.body,
            type == "application/x-www-form-urlencoded;charset=UTF-8"
        else { return nil }
        var components = URLComponents()
        components.percentEncodedQuery = String(decoding: bytes, as: UTF8.self)
        let items = components.queryItems ?? []
        let fields = Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first })
        return fields.count == items.count ? fields : nil
    }

    /// The JSON in the only field of a send: one message, or a list of them.
    static func json(_ exchange: Exchange<SendReceipt>, _ field: String = "message") throws -> JSONValue? {
        guard let form = form(exchange.request), form.count == 1, let text = form[field] else { return .none }
        return try JSONValue(parsing: Array(text.utf8))
    }
}
