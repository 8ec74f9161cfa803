import Foundation
import PushAdapter
import PushXiaomi

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
        var fields: [String: JSONValue] = if case .object(let fields) = json { fields } else { [:] }
        if let options { fields["options"] = ["xiaomi": options] }
        return try answer(.object(fields)).json(Message.self)
    }

    static func answer(_ body: JSONValue, _ status: Int = 200) -> WireResponse {
        WireResponse(status: status, body: JSONWriter.bytes(of: body), receivedAt: now)
    }

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
}
