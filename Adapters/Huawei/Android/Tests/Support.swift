import FoundationEssentials
import PushAdapter
import PushHuawei
import TestSupport

/// The adapter of a shop's app, and the requests that it writes.
enum Shop {
    static let now = Date(timeIntervalSince1970: 1_795_165_200)

    static func huawei(_ edit: (inout Huawei) -> Void = { _ in }) throws -> Huawei {
        var huawei = try Huawei(clientID: "1042", clientSecret: Secret("s3+cr/t"))
        huawei.defaultTitle = "Shop"
        edit(&huawei)
        return huawei
    }

    static func devices(_ count: Int) -> Audience { .devices((0..<count).map { DeviceID("token-\($0)") }) }

    /// A message from its JSON form, with options of Huawei.
    static func message(_ json: JSONValue, options: JSONValue? = nil) throws -> Message {
        try Message(json, options: options, of: "huawei")
    }

    static func answer(_ body: JSONValue, _ status: Int = 200) -> WireResponse {
        WireResponse(status: status, body: JSONWriter.bytes(of: body), receivedAt: now)
    }
}
