import Foundation
import OPPOSimulator
import PushAdapter
import PushCrypto
import PushSimulation
import TestSupport

/// Two apps, a token of the first, and a clock that the test moves. It starts at 2026-11-27 08:00 in China.
final class SimulatedOPPO: Sendable {
    static let phone = "CN_" + String(repeating: "a", count: 32)
    static let tablet = "OPPO_CN_" + String(repeating: "b", count: 32)
    static let old = String(repeating: "c", count: 24)
    static let foreign = "CN_" + String(repeating: "d", count: 32)
    static let abroad = "IN_" + String(repeating: "e", count: 32)
    static let (key, secret) = ("8899aa77bb", "5566dd")
    private static let form = "application/x-www-form-urlencoded"
    static let message = "/server/v1/message/notification"

    typealias Answer = SimulatedResponse

    let simulator: OPPOSimulator
    private let time = Locked(Date(timeIntervalSince1970: 1_795_737_600))

    init(
        region: OPPORegion = .china, _ edit: (inout OPPOApp, inout OPPOSimulatorSettings) -> Void = { _, _ in }
    ) {
        let ids = [Self.phone, Self.tablet, Self.old, Self.abroad]
        var shop = OPPOApp(
            key: Self.key, masterSecret: Secret(Self.secret), devices: ids.map { VirtualDevice($0, .android) })
        shop.aliases = [Self.tablet: "ann"]
        shop.channels = ["orders"]
        shop.oldPrivateChannels = ["chats"]
        shop.approved = ["ORDER", "IM"]
        shop.levels = [2]
        shop.templates = ["t1": OPPOTemplate(title: "{shop}", content: "订单 {number} 已发货")]
        var bank = OPPOApp(
            key: "other", masterSecret: Secret("s"), devices: [VirtualDevice(Self.foreign, .android)])
        bank.aliases = [Self.foreign: "bob"]
        var settings = OPPOSimulatorSettings()
        edit(&shop, &settings)
        simulator = OPPOSimulator([shop, bank], region: region, settings: settings)
    }

    var now: Date { time.withLock { $0 } }
    func pass(_ seconds: Double) { time.withLock { $0 += seconds } }

    // MARK: Calls

    /// Sends a form as it is.
    func post(
        _ path: String, _ fields: [String: String], headers: HTTPFields = [:], method: HTTPRequest.Method = .post
    ) async -> Answer {
        let form = fields.map { "\($0.key)=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
        return await post(path, Array(form.utf8), headers: headers, method: method)
    }

    func post(
        _ path: String, _ body: [UInt8], headers: HTTPFields = [:], method: HTTPRequest.Method = .post
    ) async -> Answer {
        var headers = headers
        headers[.contentType] = body.first == UInt8(ascii: "{") ? "application/json" : Self.form
        let request = SimulatedRequest(method: method, path: path, query: "", headers: headers, body: body)
        return await simulator.respond(to: request, at: now)
    }

    /// Asks for a token of an app; an empty value leaves a field out.
    func authenticate(
        _ edit: [String: String] = [:], as app: (key: String, secret: String) = (key, secret), at date: Date? = nil
    ) async -> Answer {
        let timestamp = String(Int((date ?? now).timeIntervalSince1970 * 1000))
        let sign = Digests.hex(Digests.sha256(Array((app.key + timestamp + app.secret).utf8)))
        let fields = ["app_key": app.key, "timestamp": timestamp, "sign": sign].merging(edit) { $1 }
        return await post("/server/v1/auth", fields.filter { !$0.value.isEmpty })
    }

    func newToken(as app: (key: String, secret: String) = (key, secret)) async -> String {
        await authenticate(as: app).data?["auth_token"]?.stringValue ?? ""
    }

    /// Sends a form with a new token.
    func call(_ path: String, _ fields: [String: String]) async -> Answer {
        await post(path, ["auth_token": newToken()].merging(fields) { $1 })
    }

    /// A message to a target with these fields of the notification besides title and text; null leaves one out.
    static func row(
        _ target: String = phone, type: Int = 2, with fields: [String: JSONValue] = [:]
    ) -> JSONValue {
        let all = ["title": "商店", "content": "您的订单已发货"].merging(fields) { $1 }
        return [
            "target_type": JSONValue(type), "target_value": .string(target),
            "notification": .object(all.filter { $0.value != .null }),
        ]
    }

    @discardableResult
    func send(_ fields: [String: JSONValue] = [:], to target: String = phone, type: Int = 2) async -> Answer {
        await call(Self.message + "/unicast", ["message": Self.text(Self.row(target, type: type, with: fields))])
    }

    /// Sends an order, which is a service message.
    @discardableResult
    func sendOrder(_ fields: [String: JSONValue] = [:], to target: String = phone) async -> Answer {
        await send(["category": "ORDER"].merging(fields) { $1 }, to: target)
    }

    func sendBatch(_ rows: [JSONValue]) async -> Answer {
        await call(Self.message + "/unicast_batch", ["messages": Self.text(.array(rows))])
    }

    static func text(_ value: JSONValue) -> String { String(decoding: JSONWriter.bytes(of: value), as: UTF8.self) }

    // MARK: What happened

    func inbox(_ device: String = phone) async -> [DeliveredMessage] { await simulator.inbox(of: device) }

    /// The rows of the receipts that are due, by call.
    func receipts() async -> [[JSONValue]] {
        pass(1)
        return await simulator.takeCallbacks(100, at: now).map { (try? JSONValue(parsing: $0.body))?.arrayValue ?? [] }
    }

    func events() async -> [String?] { await receipts().flatMap { $0.map { $0["eventType"]?.stringValue } } }
}

extension SimulatedResponse {
    var code: Int? { json["code"]?.intValue }
    var data: JSONValue? { json["data"] }
    var id: String? { (data?["messageId"] ?? data?["message_id"])?.stringValue }
    /// The codes of the rows of a batch; 0 for a good one.
    var rows: [Int] { data?.arrayValue?.map { $0["errorCode"]?.intValue ?? 0 } ?? [] }
}
