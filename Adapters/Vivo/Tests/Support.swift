import Foundation
import PushAdapter
import PushVivo
import TestSupport

/// The adapter of a shop's app, and the requests that it writes.
enum Shop {
    /// 2026-11-20 08:00 in China.
    static let now = Date(timeIntervalSince1970: 1_795_132_800)
    static let key = "25509283-aaaa-4b9e-83fe-b6e55ac6243e"
    static let secret = "00112233-4455-6677-8899-aabbccddeeff"
    static let plain: JSONValue = ["notification": ["title": "订单已发货", "body": "您的订单今天送达"]]

    static func vivo(_ edit: (inout Vivo) throws -> Void = { _ in }) throws -> Vivo {
        var vivo = try Vivo(appID: 10004, appKey: key, appSecret: Secret(secret))
        vivo.defaultTitle = "商城"
        try edit(&vivo)
        return vivo
    }

    static let device: Audience = .devices(["15000000000000000000001"])

    /// A message from its JSON form, with options of vivo.
    static func message(_ json: JSONValue = plain, options: JSONValue? = nil) throws -> Message {
        try Message(json, options: options, of: "vivo")
    }

    static func answer(_ body: JSONValue, _ status: Int = 200, at date: Date = now) -> WireResponse {
        WireResponse(status: status, body: JSONWriter.bytes(of: body), receivedAt: date)
    }

    /// The fields of a JSON body, read by Foundation; nil for another body.
    static func fields(_ request: WireRequest) -> [String: JSONValue]? {
        guard case .bytes(let bytes, "application/json;charset=UTF-8") = request.body,
            case .object(let fields)? = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes))
        else { return nil }
        return fields
    }
}
