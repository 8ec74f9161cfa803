import Foundation
import PushAdapter
import PushHonor
import TestSupport

/// The adapter of a shop's app, and the requests that it writes.
enum Shop {
    /// 17:00 in China.
    static let now = Date(timeIntervalSince1970: 1_795_165_200)
    static let plain: JSONValue = ["notification": ["title": "到货", "body": "您的包裹已送达"]]

    static func honor(_ edit: (inout Honor) throws -> Void = { _ in }) throws -> Honor {
        var honor = try Honor(appID: "104200001", clientID: "c0ffee", clientSecret: Secret("s3+cr/t"))
        honor.defaultTitle = "Shop"
        try edit(&honor)
        return honor
    }

    static func devices(_ count: Int) -> Audience { .devices((0..<count).map { DeviceID("token-\($0)") }) }

    /// A message from its JSON form, with options of Honor.
    static func message(_ json: JSONValue = plain, options: JSONValue? = nil) throws -> Message {
        try Message(json, options: options, of: "honor")
    }

    static func answer(_ body: JSONValue, _ status: Int = 200) -> WireResponse {
        WireResponse(status: status, body: JSONWriter.bytes(of: body), receivedAt: now)
    }
}
