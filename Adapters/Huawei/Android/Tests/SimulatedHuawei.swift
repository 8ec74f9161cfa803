import Foundation
import HuaweiSimulator
import PushAdapter
import PushCrypto
import PushSimulation

/// Two apps of two projects, and a clock that the test moves.
final class SimulatedHuawei: Sendable {
    static let (phone, tablet, foreign) = ("phone-token", "tablet-token", "foreign-token")
    static let path = "/v1/1001/messages:send"
    static let key = Result { try SigningKey.generate(.ps256) }

    struct Answer {
        var status: Int
        var body: [UInt8]
        var text: String { String(decoding: body, as: UTF8.self) }
        var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
        var code: String? { json["code"]?.stringValue }
        /// `msg`, which is JSON as text.
        var message: JSONValue { (try? JSONValue(parsing: Array((json["msg"]?.stringValue ?? "").utf8))) ?? .null }
    }

    let simulator: HuaweiSimulator
    private let time = Locked(Date(timeIntervalSince1970: 1_795_132_800))

    init(_ edit: (inout HuaweiApp, inout HuaweiSimulatorSettings) -> Void = { _, _ in }) throws {
        var demo = HuaweiApp(
            clientID: "1001", clientSecret: Secret("s3cret"), projectID: "demo", subAccount: "100",
            keys: ["k1": try Self.key.get().verifyingKey],
            devices: [VirtualDevice(Self.phone, .android), VirtualDevice(Self.tablet, .android)])
        let bank = HuaweiApp(
            clientID: "1002", clientSecret: Secret("other"), projectID: "bank",
            devices: [VirtualDevice(Self.foreign, .android)])
        var settings = HuaweiSimulatorSettings()
        settings.receipts = .init(url: "https://backend.example/receipts", user: "ops", key: Secret("k3y"))
        edit(&demo, &settings)
        simulator = HuaweiSimulator([demo, bank], settings: settings)
    }

    var now: Date { time.withLock { $0 } }
    func pass(_ seconds: Double) { time.withLock { $0 += seconds } }

    /// A signed token that lives for an hour, with changed claims.
    func token(_ own: [String: JSONValue] = [:], _ algorithm: SignatureAlgorithm = .ps256) throws -> String {
        let start = Int(now.timeIntervalSince1970)
        var claims: [String: JSONValue] = [
            "iss": "100", "aud": "https://oauth-login.cloud.huawei.com/oauth2/v3/token",
            "iat": JSONValue(integerLiteral: start), "exp": JSONValue(integerLiteral: start + 3600),
        ]
        claims.merge(own) { $1 }
        let token = try WebToken.signed(
            claims, header: ["kid": "k1", "typ": "JWT"], by: Self.key.get().signing(with: algorithm))
        return token.withBytes { String(decoding: $0, as: UTF8.self) }
    }

    /// Sends a request, by default with a signed token; an empty one leaves the field out.
    func call(
        _ path: String, _ body: String, bearer: String? = nil, method: HTTPRequest.Method = .post
    ) async throws -> Answer {
        var headers: HTTPFields = [.contentType: "application/json;charset=UTF-8"]
        let bearer = try bearer ?? token()
        if !bearer.isEmpty { headers[.authorization] = "Bearer \(bearer)" }
        let response = await simulator.respond(
            to: SimulatedRequest(method: method, path: path, query: "", headers: headers, body: Array(body.utf8)),
            at: now)
        return Answer(status: response.status, body: response.body)
    }

    func exchange(_ form: String = "client_id=1001&client_secret=s3cret") async throws -> Answer {
        try await call("/oauth2/v3/token", "grant_type=client_credentials&" + form, bearer: "")
    }

    /// Sends a notification with the category IM.
    func send(_ own: String = "", android: String = "", to target: String? = nil) async throws -> Answer {
        try await call(Self.path, Self.body(own, android: android, to: target ?? Self.list(Self.phone)))
    }

    /// A notification: its own fields and those of `android` come last, so a test may not repeat one.
    static func body(_ own: String = "", android: String = "", to target: String = list(phone)) -> String {
        let (own, android) = (own.isEmpty ? "" : ",\(own)", android.isEmpty ? "" : ",\(android)")
        let click = own.contains("click_action") ? "" : #","click_action":{"type":3}"#
        let category = android.contains("category") ? "" : #","category":"IM""#
        return
            #"{"message":{"android":{"notification":{"title":"T","body":"B"\#(click)\#(own)}\#(category)\#(android)},"#
            + #"\#(target)}}"#
    }

    static func list(_ tokens: String...) -> String {
        #""token":["# + tokens.map { "\"\($0)\"" }.joined(separator: ",") + "]"
    }

    /// The results of all receipts that are due, each answered well.
    func results() async -> [Int] {
        var results: [Int] = []
        for call in await simulator.takeCallbacks(5000, at: now) {
            await simulator.noteAnswer(SimulatedResponse(status: 200), to: call, at: now)
            let rows = (try? JSONValue(parsing: call.body))?["statuses"]?.arrayValue ?? []
            results += rows.compactMap { ($0["status"] ?? $0["deliveryStatus"]?["result"])?.intValue }
        }
        return results
    }
}
