import Foundation
import HarmonySimulator
import PushAdapter
import PushCrypto
import PushSimulation

/// Two projects with keys of their own, and a clock that the test moves.
final class SimulatedHarmony: Sendable {
    static let (phone, tablet, foreign) = ("phone-token", "tablet-token", "foreign-token")
    static let path = "/v3/demo/messages:send"
    static let key = Result { try SigningKey.generate(.ps256) }
    static let otherKey = Result { try SigningKey.generate(.ps256) }

    struct Answer {
        var status: Int
        var body: [UInt8]
        var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
        var code: String? { json["code"]?.stringValue }
        /// `msg`, which is JSON as text.
        var message: JSONValue { (try? JSONValue(parsing: Array((json["msg"]?.stringValue ?? "").utf8))) ?? .null }
        /// The refused tokens by reason.
        var refused: [String: [String]] {
            guard case .object(let reasons) = message["illegalTokens"] else { return [:] }
            return reasons.mapValues { $0.arrayValue?.compactMap(\.stringValue) ?? [] }
        }
    }

    let simulator: HarmonySimulator
    private let time = Locked(Date(timeIntervalSince1970: 1_795_132_800))

    init(_ edit: (inout HarmonyProject, inout HarmonySimulatorSettings) -> Void = { _, _ in }) throws {
        var demo = HarmonyProject(
            id: "demo", clientID: "9001", subAccount: "100", keys: ["k1": try Self.key.get().verifyingKey],
            devices: [VirtualDevice(Self.phone, .harmony), VirtualDevice(Self.tablet, .harmony)])
        let bank = HarmonyProject(
            id: "bank", clientID: "9002", subAccount: "200", keys: ["k2": try Self.otherKey.get().verifyingKey],
            devices: [VirtualDevice(Self.foreign, .harmony)])
        var settings = HarmonySimulatorSettings()
        settings.receipts = .init(url: "https://backend.example/receipts", user: "ops", key: Secret("k3y"))
        edit(&demo, &settings)
        simulator = HarmonySimulator([demo, bank], settings: settings)
    }

    var now: Date { time.withLock { $0 } }
    func pass(_ seconds: Double) { time.withLock { $0 += seconds } }

    /// A token with changed claims and header fields; null removes one.
    func token(
        _ own: [String: JSONValue] = [:], _ header: [String: JSONValue] = [:], by key: SigningKey? = nil
    ) throws -> String {
        let start = Int(now.timeIntervalSince1970)
        var claims: [String: JSONValue] = [
            "iss": "100", "aud": "https://oauth-login.cloud.huawei.com/oauth2/v3/token",
            "iat": JSONValue(integerLiteral: start), "exp": JSONValue(integerLiteral: start + 3600),
        ]
        var fields: [String: JSONValue] = ["kid": "k1", "typ": "JWT"]
        claims.merge(own) { $1 }
        fields.merge(header) { $1 }
        let token = try WebToken.signed(
            claims.filter { $0.value != .null }, header: fields.filter { $0.value != .null },
            by: key ?? Self.key.get())
        return token.withBytes { String(decoding: $0, as: UTF8.self) }
    }

    /// Sends a request, by default with a good token; an empty one leaves the field out.
    func call(
        _ method: HTTPRequest.Method, _ path: String, _ body: String, type: String? = "0", bearer: String? = nil
    ) async throws -> Answer {
        var headers: HTTPFields = [.contentType: "application/json"]
        let bearer = try bearer ?? token()
        if !bearer.isEmpty { headers[.authorization] = "Bearer \(bearer)" }
        if let name = HTTPField.Name("push-type") { headers[name] = type }
        let response = await simulator.respond(
            to: SimulatedRequest(method: method, path: path, query: "", headers: headers, body: Array(body.utf8)),
            at: now)
        return Answer(status: response.status, body: response.body)
    }

    func send(_ body: String, type: String? = "0") async throws -> Answer {
        try await call(.post, Self.path, body, type: type)
    }

    /// A notification with a text of each kind, some of its fields replaced.
    static func alert(_ fields: String = "", tokens: [String] = [phone], options: String = "") -> String {
        let notification = merged(
            #""category":"IM","title":"T","body":"B","clickAction":{"actionType":0}"#, fields)
        return body(#""notification":{\#(notification)},"extraData":"x""#, tokens: tokens, options: options)
    }

    /// A body with this payload, some of its fields replaced.
    static func body(
        _ payload: String, replacing fields: String = "", tokens: [String] = [phone], options: String = ""
    ) -> String {
        let options = options.isEmpty ? "" : #","pushOptions":{\#(options)}"#
        return #"{"payload":{\#(merged(payload, fields))},"target":{"token":\#(list(tokens))}\#(options)}"#
    }

    static func list(_ tokens: [String]) -> String { "[" + tokens.map { "\"\($0)\"" }.joined(separator: ",") + "]" }

    /// The fields of two objects, those of the second first; null removes one.
    private static func merged(_ fields: String, _ own: String) -> String {
        func object(_ text: String) -> [String: JSONValue] {
            guard case .object(let fields) = try? JSONValue(parsing: Array("{\(text)}".utf8)) else { return [:] }
            return fields
        }
        let all = object(fields).merging(object(own)) { $1 }.filter { $0.value != .null }
        return String(String(decoding: JSONWriter.bytes(of: .object(all)), as: UTF8.self).dropFirst().dropLast())
    }

    /// The next callback that is due.
    func next() async -> OutgoingCallback? { await simulator.takeCallbacks(1, at: now).first }

    /// The results of all receipts that are due, each answered well.
    func results() async -> [Int] {
        var results: [Int] = []
        for call in await simulator.takeCallbacks(1000, at: now) {
            await simulator.noteAnswer(SimulatedResponse(status: 200), to: call, at: now)
            let rows = (try? JSONValue(parsing: call.body))?["statuses"]?.arrayValue ?? []
            results += rows.compactMap { ($0["deliveryStatus"] ?? $0["formStatus"])?["result"]?.intValue }
        }
        return results
    }
}
