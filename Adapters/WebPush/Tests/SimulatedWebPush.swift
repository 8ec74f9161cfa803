import Foundation
import PushAdapter
import PushCrypto
import PushSimulation
import WebPushSimulator

/// A simulated service with one browser, a clock that the test moves, and a sender of the tests' own.
final class SimulatedWebPush: Sendable {
    static let phone = VirtualDevice("phone", "web")
    static let text = Array(#"{"web_push":8030,"notification":{"title":"T","navigate":"https://a.example/1"}}"#.utf8)

    /// A request as the tests change it.
    struct Push {
        var method = HTTPRequest.Method.post
        var host = ""
        var target: String
        /// Nil leaves a field out. `Authorization` is written by the world.
        var fields: [(name: String, value: String)]
        var body: [UInt8]
        /// Claims that replace those of a good token; null removes one.
        var claims: [String: JSONValue] = [:]
        var header: [String: JSONValue] = [:]
        /// The whole field; nil for a good token, and empty for none.
        var authorization: String?

        subscript(name: String) -> String? {
            get { fields.first { $0.name == name }?.value }
            set {
                fields.removeAll { $0.name == name }
                if let newValue { fields.append((name, newValue)) }
            }
        }
    }

    struct Answer {
        var status: Int
        var headers: HTTPFields
        var body: [UInt8]
        var text: String { String(decoding: body, as: UTF8.self) }
        var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
        /// What names the fault at this service: errno, reason, code, text or header field.
        var code: String {
            json["errno"]?.identifier ?? json["reason"]?.stringValue ?? json["code"]?.identifier
                ?? self["x-wns-error-description"] ?? text
        }
        subscript(name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
        /// The path of the message that `Location` names.
        var message: String? { self["location"].map { String($0.dropFirst(InProcessTransport.origin.count)) } }
    }

    let profile: WebPushProfile
    let simulator: WebPushSimulator
    let key: SigningKey
    let subscription: BrowserSubscription
    private let time = Locked(Date(timeIntervalSince1970: 1_795_132_800))

    init(_ profile: WebPushProfile, _ edit: (inout WebPushProfile) -> Void = { _ in }) async throws {
        var profile = profile
        edit(&profile)
        self.profile = profile
        key = try SigningKey.generate(.es256)
        simulator = WebPushSimulator(profile)
        subscription = try await simulator.subscribe(
            Self.phone, applicationServerKey: try key.verifyingKey.p256.bytes,
            at: Date(timeIntervalSince1970: 1_795_132_800))
    }

    var now: Date { time.withLock { $0 } }
    var seconds: Int { Int(now.timeIntervalSince1970) }
    func pass(_ seconds: Double) { time.withLock { $0 += seconds } }
    func setOnline(_ isOnline: Bool) async { await simulator.setOnline(isOnline, Self.phone.id, at: now) }
    /// The ids of the messages that the browser showed.
    func shown() async -> [String] { await simulator.inbox(of: Self.phone.id).map(\.messageID) }
    func codes() async -> [Int] { await simulator.reports.map(\.code) }

    // MARK: The sender

    /// A good push to a subscription, by default that of the world.
    func push(
        _ text: [UInt8] = SimulatedWebPush.text, to other: BrowserSubscription? = nil, padding: Int = 0
    ) throws -> Push {
        let subscription = other ?? subscription
        return Push(
            target: String(subscription.endpoint.dropFirst(InProcessTransport.origin.count)),
            fields: [("ttl", "60"), ("content-encoding", "aes128gcm")],
            body: try Self.encrypted(text, to: subscription, padding: padding))
    }

    static func encrypted(_ text: [UInt8], to subscription: BrowserSubscription, padding: Int = 0) throws -> [UInt8] {
        try WebPushEncryption(
            p256dh: Base64URL.decode(subscription.p256dh) ?? [],
            auth: Secret(Base64URL.decode(subscription.auth) ?? [])
        ).encrypt(text, padding: padding)
    }

    /// The field for a token with changed claims and header.
    func authorization(
        _ own: [String: JSONValue] = [:], _ fields: [String: JSONValue] = [:], by other: SigningKey? = nil
    ) throws -> String {
        let key = other ?? key
        return "vapid t=\(try token(own, fields, by: key)), k=\(Base64URL.encode(try key.verifyingKey.p256.bytes))"
    }

    func token(
        _ own: [String: JSONValue] = [:], _ fields: [String: JSONValue] = [:], by other: SigningKey? = nil
    ) throws -> String {
        var claims: [String: JSONValue] = [
            "aud": .string(InProcessTransport.origin), "exp": JSONValue(integerLiteral: seconds + 43_200),
            "sub": "mailto:ops@news.example.com",
        ]
        claims.merge(own) { $1 }
        let header = ["typ": "JWT"].merging(fields) { $1 }
        let token = try WebToken.signed(
            claims.filter { $0.value != .null }, header: header.filter { $0.value != .null }, by: other ?? key)
        return token.withBytes { String(decoding: $0, as: UTF8.self) }
    }

    func send(_ push: Push) async throws -> Answer {
        var headers = HTTPFields()
        let authorization = try push.authorization ?? authorization(push.claims, push.header)
        for (name, value) in push.fields + (authorization.isEmpty ? [] : [("authorization", authorization)]) {
            if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: value)) }
        }
        let parts = push.target.split(separator: "?", maxSplits: 1)
        let response = await simulator.respond(
            to: SimulatedRequest(
                method: push.method, host: push.host, path: String(parts[0]),
                query: parts.count == 2 ? String(parts[1]) : "",
                headers: headers, body: push.body), at: now)
        return Answer(status: response.status, headers: response.headers, body: response.body)
    }

    /// Sends a good push after a change.
    func send(_ change: (inout Push) throws -> Void = { _ in }) async throws -> Answer {
        var push = try push()
        try change(&push)
        return try await send(push)
    }

    /// Removes a message by the path of its `Location`.
    func delete(_ path: String) async -> Int {
        await simulator.respond(
            to: SimulatedRequest(method: .delete, path: path, query: "", headers: [:], body: []), at: now
        ).status
    }
}
