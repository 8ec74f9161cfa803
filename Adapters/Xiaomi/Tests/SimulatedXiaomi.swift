import Foundation
import PushAdapter
import PushSimulation
import TestSupport
import XiaomiSimulator

/// Two apps, and a clock that the test moves. It starts at 2026-11-27 08:00 in China.
final class SimulatedXiaomi: Sendable {
    static let (phone, tablet, foreign) = ("regid-a", "regid-b", "regid-x")
    static let package = "com.example.shop"
    static let paths = (
        regID: "/v3/message/regid", alias: "/v3/message/alias", account: "/v2/message/user_account",
        topic: "/v3/message/topic", topics: "/v3/message/multi_topic", all: "/v3/message/all"
    )

    typealias Answer = SimulatedResponse

    let simulator: XiaomiSimulator
    private let time = Locked(Date(timeIntervalSince1970: 1_795_737_600))

    init(_ edit: (inout XiaomiApp, inout XiaomiSimulatorSettings) -> Void = { _, _ in }) {
        var shop = XiaomiApp(
            packageName: Self.package, secret: Secret("s3cret"),
            channels: [
                "news": XiaomiChannel(.public), "orders": XiaomiChannel(.private, templates: ["t1": ["name", "day"]]),
                "match": XiaomiChannel(.subscription, templates: ["t2": []]),
            ],
            devices: [VirtualDevice(Self.phone, .android), VirtualDevice(Self.tablet, .android)])
        shop.aliases = [Self.phone: ["ann"], Self.tablet: ["ann", "bob"]]
        shop.accounts = [Self.tablet: ["bob@example.com"]]
        let bank = XiaomiApp(
            packageName: "com.example.bank", secret: Secret("other"), devices: [VirtualDevice(Self.foreign, .android)])
        var settings = XiaomiSimulatorSettings()
        edit(&shop, &settings)
        simulator = XiaomiSimulator([shop, bank], settings: settings)
    }

    var now: Date { time.withLock { $0 } }
    func pass(_ seconds: Double) { time.withLock { $0 += seconds } }

    /// Sends a form, by default with the shop's secret and package; an empty value leaves a field out.
    func call(
        _ path: String, _ fields: [String: String], key: String = "key=s3cret", method: HTTPRequest.Method = .post
    ) async -> Answer {
        let all = ["restricted_package_name": Self.package].merging(fields) { $1 }.filter { !$0.value.isEmpty }
        let form = all.map { "\(PercentEncoding.encode($0.key))=\(PercentEncoding.encode($0.value))" }
            .joined(separator: "&")
        var headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded;charset=UTF-8"]
        if !key.isEmpty { headers[.authorization] = key }
        let isGet = method == .get
        return await simulator.respond(
            to: SimulatedRequest(
                method: method, path: path, query: isGet ? form : "", headers: headers,
                body: isGet ? [] : Array(form.utf8)), at: now)
    }

    /// A notification of the default class.
    static let notification = [
        "title": "Title", "description": "Text", "payload": "p", "pass_through": "0", "extra.notify_effect": "1",
    ]

    /// Sends a notification to the phone, or as `fields` say.
    @discardableResult
    func send(_ fields: [String: String] = [:], path: String = paths.regID) async -> Answer {
        let target = path == Self.paths.regID ? ["registration_id": Self.phone] : [:]
        return await call(path, Self.notification.merging(target) { $1 }.merging(fields) { $1 })
    }

    /// Sends a notification in the private channel, with its template.
    @discardableResult
    func sendPrivately(_ fields: [String: String] = [:], path: String = paths.regID) async -> Answer {
        await send(Self.order.merging(fields) { $1 }, path: path)
    }

    static let order = [
        "extra.channel_id": "orders", "extra.template_id": "t1",
        "extra.template_param": #"{"name":"Ann","day":"Monday"}"#,
    ]

    func inbox(_ device: String = phone) async -> [DeliveredMessage] { await simulator.inbox(of: device) }

    /// The receipts that are due, each call answered with this status: type and targets, in the order of the calls.
    func receipts(answer status: Int? = 200) async -> [(type: Int, targets: String, row: JSONValue)] {
        pass(1)
        var rows: [(Int, String, JSONValue)] = []
        for call in await simulator.takeCallbacks(100, at: now) {
            await simulator.noteAnswer(status.map { SimulatedResponse(status: $0) }, to: call, at: now)
            let text = String(decoding: call.body, as: UTF8.self).dropFirst("data=".count)
            guard let data = PercentEncoding.decode(text),
                case .object(let all)? = try? JSONValue(parsing: Array(data.utf8))
            else { continue }
            for (_, row) in all.sorted(by: { $0.key < $1.key }) {
                rows.append((row["type"]?.intValue ?? 0, row["targets"]?.stringValue ?? "", row))
            }
        }
        return rows
    }
}

extension SimulatedResponse {
    var code: Int? { json["code"]?.intValue }
    var id: String? { json["data"]?["id"]?.stringValue }
    subscript(name: String) -> JSONValue? { json["data"]?[name] }
}
