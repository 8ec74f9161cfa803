import Foundation
import PushAdapter
import PushCrypto
import PushSimulation
import TestSupport
import VivoSimulator

/// Two apps with one secret, and a clock that the test moves. It starts at 2026-11-27 08:00 in China.
final class SimulatedVivo: Sendable {
    static let (phone, tablet, foreign) = ("regid-a", "regid-b", "regid-x")
    static let (shop, bank) = (10_004, 10_005)

    typealias Answer = SimulatedResponse

    let simulator: VivoSimulator
    private let time = Locked(Date(timeIntervalSince1970: 1_795_737_600))
    private let token = Locked("")

    init(_ edit: (inout VivoApp, inout VivoSimulatorSettings) -> Void = { _, _ in }) async {
        var shop = VivoApp(
            appID: Self.shop, key: "25509283", secret: Secret("s3cret"),
            devices: [VirtualDevice(Self.phone, .android), VirtualDevice(Self.tablet, .android)])
        shop.aliases = [Self.phone: "ann", Self.tablet: "bob"]
        shop.tags = ["vip", "new"]
        var bank = VivoApp(
            appID: Self.bank, key: "key", secret: Secret("s3cret"), devices: [VirtualDevice(Self.foreign, .android)])
        bank.aliases = [Self.foreign: "kim"]
        var settings = VivoSimulatorSettings()
        edit(&shop, &settings)
        simulator = VivoSimulator([shop, bank], settings: settings)
        await renew()
    }

    var now: Date { time.withLock { $0 } }
    func pass(_ seconds: Double) { time.withLock { $0 += seconds } }

    /// Takes a new token for the shop.
    func renew() async {
        let answer = await authenticate()
        token.withLock { $0 = answer.json["authToken"]?.stringValue ?? "" }
    }

    /// Asks for the shop's token, with these fields in place of the right ones; null leaves a field out.
    func authenticate(_ fields: [String: JSONValue] = [:]) async -> Answer {
        let time = Int(now.timeIntervalSince1970 * 1000)
        var all: [String: JSONValue] = [
            "appId": JSONValue(Self.shop), "appKey": "25509283", "timestamp": JSONValue(time),
        ]
        all.merge(fields) { $1 }
        let signed = ["appId", "appKey", "timestamp"].map { all[$0]?.shown ?? "" }.joined() + "s3cret"
        all["sign"] = fields["sign"] ?? .string((try? Digests.hex(Digests.md5(Array(signed.utf8)))) ?? "")
        return await call("/message/auth", all, token: "")
    }

    /// Posts an object, by default with the shop's token; null leaves a field out.
    func call(_ path: String, _ fields: [String: JSONValue], token: String? = nil) async -> Answer {
        var headers: HTTPFields = [.contentType: "application/json;charset=UTF-8"]
        if let name = HTTPField.Name("authToken") { headers[name] = token ?? self.token.withLock { $0 } }
        let body = JSONWriter.bytes(of: .object(fields.filter { $0.value != .null }))
        return await simulator.respond(
            to: SimulatedRequest(method: .post, path: path, query: "", headers: headers, body: body), at: now)
    }

    /// A system message.
    static let order: [String: JSONValue] = [
        "appId": JSONValue(shop), "notifyType": 4, "title": "订单已发货", "content": "您的包裹今天送达", "skipType": 1,
        "classification": 1, "category": "ORDER", "requestId": "r1", "pushMode": 0,
    ]
    /// What makes it an operational one.
    static let sale: [String: JSONValue] = ["classification": 0, "category": "MARKETING"]

    /// Sends a system message to the phone, or as `fields` say.
    @discardableResult
    func send(_ fields: [String: JSONValue] = [:], path: String = "/message/send") async -> Answer {
        let target: [String: JSONValue] = path == "/message/send" ? ["regId": .string(Self.phone)] : [:]
        return await call(path, Self.order.merging(target) { $1 }.merging(fields) { $1 })
    }

    /// Sends an operational message, with a text of its own.
    @discardableResult
    func sell(_ text: String, _ fields: [String: JSONValue] = [:], path: String = "/message/send") async -> Answer {
        await send(Self.sale.merging(["content": .string(text)]) { $1 }.merging(fields) { $1 }, path: path)
    }

    /// Stores a system message for lists.
    func store(_ fields: [String: JSONValue] = [:]) async -> Answer {
        await send(fields, path: "/message/saveListPayload")
    }

    /// Sends a stored message to these regIds, by default a new one.
    @discardableResult
    func sendList(_ ids: [String], _ fields: [String: JSONValue] = [:], task: String? = nil) async -> Answer {
        let new = task == nil ? await store().task : ""
        let list: [String: JSONValue] = [
            "appId": JSONValue(Self.shop), "taskId": .string(task ?? new), "regIds": .array(ids.map { .string($0) }),
            "requestId": "r2",
        ]
        return await call("/message/pushToList", list.merging(fields) { $1 })
    }

    /// Reads the counts of these tasks.
    func statistics(_ tasks: String) async -> Answer {
        var headers = HTTPFields()
        if let name = HTTPField.Name("authToken") { headers[name] = token.withLock { $0 } }
        return await simulator.respond(
            to: SimulatedRequest(
                method: .get, path: "/report/getStatistics", query: "taskIds=" + tasks, headers: headers, body: []),
            at: now)
    }

    func inbox(_ device: String = phone) async -> [DeliveredMessage] { await simulator.inbox(of: device) }

    /// The calls with receipts that are due after a second.
    func receipts() async -> [JSONValue] {
        pass(1)
        return await simulator.takeCallbacks(100, at: now).compactMap { try? JSONValue(parsing: $0.body) }
    }
}

extension SimulatedResponse {
    var code: Int? { json["result"]?.intValue }
    var task: String { json["taskId"]?.stringValue ?? "" }
}
