import Foundation
import PushAdapter
import PushXiaomi
import TestSupport

/// The adapter of a shop's app, and the requests that it writes.
enum Shop {
    static let now = Date(timeIntervalSince1970: 1_795_165_200)
    static let package = "com.example.shop"
    static let plain: JSONValue = ["notification": ["title": "T", "body": "B"]]

    static func xiaomi(_ edit: (inout Xiaomi) throws -> Void = { _ in }) throws -> Xiaomi {
        var xiaomi = try Xiaomi(packageName: package, appSecret: Secret("s3+cr/t"))
        xiaomi.defaultTitle = "Shop"
        try edit(&xiaomi)
        return xiaomi
    }

    static func devices(_ count: Int) -> Audience { .devices((0..<count).map { DeviceID("reg/\($0)=") }) }

    /// A message from its JSON form, with options of Xiaomi.
    static func message(_ json: JSONValue = plain, options: JSONValue? = nil) throws -> Message {
        try Message(json, options: options, of: "xiaomi")
    }

    static func answer(_ body: JSONValue, _ status: Int = 200) -> WireResponse {
        WireResponse(status: status, body: JSONWriter.bytes(of: body), receivedAt: now)
    }
}
