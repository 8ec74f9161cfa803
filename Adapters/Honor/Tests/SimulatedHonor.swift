import Foundation
import HonorSimulator
import PushAdapter
import PushSimulation
import TestSupport

/// Two apps, and a clock that the test moves. It starts at 2026-11-27 08:00 in China.
final class SimulatedHonor: Sendable {
    static let (phone, tablet, foreign) = ("phone-token", "tablet-token", "foreign-token")
    static let path = "/api/v1/104411/sendMessage"
    static let credentials = "grant_type=client_credentials&client_id=c1&client_secret=s3cret"

    typealias Answer = SimulatedResponse

    let simulator: HonorSimulator
    let clock = VirtualClock(startingAt: Date(timeIntervalSince1970: 1_795_737_600))

    init(_ edit: (inout HonorApp, inout HonorSimulatorSettings) -> Void = { _, _ in }) {
        var shop = HonorApp(
            appID: "104411", clientID: "c1", clientSecret: Secret("s3cret"),
            devices: [VirtualDevice(Self.phone, .android), VirtualDevice(Self.tablet, .android)])
        let bank = HonorApp(
            appID: "104412", clientID: "c2", clientSecret: Secret("other"),
            devices: [VirtualDevice(Self.foreign, .android)])
        var settings = HonorSimulatorSettings()
        edit(&shop, &settings)
        simulator = HonorSimulator([shop, bank], settings: settings)
    }

    var now: Date { clock.date }
    func pass(_ seconds: Int) { clock.advance(by: .seconds(seconds)) }

    /// Sends a request, by default with a new access token and the time in milliseconds; an empty text
    /// leaves a field out.
    @discardableResult
    func call(
        _ body: String, path: String = path, bearer: String? = nil, timestamp: String? = nil
    ) async -> Answer {
        var headers: HTTPFields = [.contentType: "application/json; charset=UTF-8"]
        let bearer = if let bearer { bearer } else { await token() ?? "" }
        if !bearer.isEmpty { headers[.authorization] = "Bearer \(bearer)" }
        let timestamp = timestamp ?? String(Int(now.timeIntervalSince1970 * 1000))
        if let name = HTTPField.Name("timestamp"), !timestamp.isEmpty { headers[name] = timestamp }
        return await respond(path, body, headers)
    }

    func respond(
        _ path: String, _ body: String, _ headers: HTTPFields = [:], method: HTTPRequest.Method = .post
    ) async -> Answer {
        return await simulator.respond(
            to: SimulatedRequest(method: method, path: path, query: "", headers: headers, body: Array(body.utf8)),
            at: now)
    }

    func exchange(_ form: String = credentials) async -> Answer { await respond("/auth/token", form) }

    /// A new access token; nil if the endpoint refuses.
    func token(_ form: String = credentials) async -> String? {
        await exchange(form).json["access_token"]?.stringValue
    }

    /// Sends a service message to the phone, or to these tokens.
    @discardableResult
    func send(_ own: String = "", android: String = "", to tokens: [String] = [phone]) async -> Answer {
        await call(Self.body(own, android: android, to: tokens))
    }

    /// A notification: its own fields and those of `android` come last, so a test may not repeat one.
    static func body(_ own: String = "", android: String = "", data: String = "", to tokens: [String] = [phone])
        -> String
    {
        let (own, android) = (own.isEmpty ? "" : ",\(own)", android.isEmpty ? "" : ",\(android)")
        let click = own.contains("click") ? "" : #","clickAction":{"type":3}"#
        let importance = own.contains("importance") ? "" : #","importance":"NORMAL""#
        let notification = #"{"title":"T","body":"B"\#(click)\#(importance)\#(own)}"#
        return #"{\#(data)"android":{"notification":\#(notification)\#(android)},\#(list(tokens))}"#
    }

    static func list(_ tokens: [String]) -> String {
        #""token":["# + tokens.map { "\"\($0)\"" }.joined(separator: ",") + "]"
    }

    func inbox(_ device: String = phone) async -> [DeliveredMessage] { await simulator.inbox(of: device) }

    /// The code of the receipt for a token.
    func result(_ answer: Answer, _ token: String = phone) async -> Int? {
        await simulator.results(of: answer.id)[token]
    }
}

extension SimulatedResponse {
    var code: Int? { json["code"]?.intValue }
    var id: String { json["data"]?["requestId"]?.stringValue ?? "" }
    /// The tokens in a list of the response.
    func tokens(_ list: String) -> [String] {
        (json["data"]?[list]?.arrayValue ?? []).compactMap(\.stringValue)
    }
}
