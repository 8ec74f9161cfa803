import APNsSimulator
import Foundation
import PushAdapter
import PushCrypto
import PushSimulation
import TestSupport
import Testing

/// Two teams with apps and keys, and a clock that the test moves. The app of the first team has a token for each
/// purpose on one device, the phone.
final class Apple: Sendable {
    typealias Purpose = APNsRegistration.Purpose

    static let team = Shop.teamID
    static let otherTeam = "T3AMOTHER2"
    static let key = Shop.keyID
    /// A second key of the same team, unrelated to the first.
    static let secondKey = "K8EXAMPLE8"
    static let otherTeamKey = "K9EXAMPLE7"
    static let shop = Shop.topic
    static let cafe = "com.example.cafe"
    static let bank = "com.example.bank"
    static let management = Shop.management
    static let phone = "phone"
    static let tablet = token("b0")
    static let sandboxed = token("c0")
    static let cafeDevice = token("d0")
    static let bankDevice = token("e0")
    static let ghost = token("f0")
    static let alert = #"{"aps":{"alert":"B"}}"#
    /// The header fields of a call, of a change of a Live Activity, and of device management.
    static let call: [String: String?] = ["apns-topic": shop + ".voip", "apns-push-type": "voip"]
    static let activity: [String: String?] = [
        "apns-topic": shop + ".push-type.liveactivity", "apns-push-type": "liveactivity",
    ]
    static let managed: [String: String?] = ["apns-topic": management, "apns-push-type": "mdm"]
    static let uuid = "4f6f0c1e-8f0a-4c9b-9b1c-2f6a1d0c7e55"

    let simulator: APNsSimulator
    let signingKey: SigningKey
    /// A provider token of the first key, issued at the start.
    let bearer: String
    private let time = Locked(Date(timeIntervalSince1970: 1_795_165_200))
    private let lastConnection = Locked(0)

    init(
        environment: AppEnvironment = .production, certificates: [APNsCertificate] = [],
        apps editApps: (inout [APNsApp]) -> Void = { _ in },
        signers editSigners: (inout [APNsSigner]) -> Void = { _ in },
        settings editSettings: (inout APNsSimulatorSettings) -> Void = { _ in }
    ) throws {
        signingKey = try Shop.signingKey()
        let verifyingKey = try signingKey.verifyingKey
        var apps = Self.apps(environment)
        var signers = [(Self.key, Self.team), (Self.secondKey, Self.team), (Self.otherTeamKey, Self.otherTeam)].map {
            APNsSigner(keyID: $0.0, teamID: $0.1, verifyingKey: verifyingKey)
        }
        var settings = APNsSimulatorSettings()
        editApps(&apps)
        editSigners(&signers)
        editSettings(&settings)
        simulator = APNsSimulator(
            apps: apps, signers: signers, certificates: certificates, environment: environment, settings: settings)
        bearer = try Self.jwt(
            ["alg": "ES256", "kid": .string(Self.key)], ["iss": .string(Self.team), "iat": 1_795_165_200],
            by: signingKey)
    }

    private static func apps(_ environment: AppEnvironment) -> [APNsApp] {
        func device(_ id: String) -> VirtualDevice { VirtualDevice(id, .ios, environment: environment) }
        let other: AppEnvironment = environment == .production ? .development : .production
        var shop = APNsApp(
            bundleID: Self.shop, teamID: team,
            devices: [device(tablet), VirtualDevice(sandboxed, .ios, environment: other)])
        shop.registrations += Purpose.allCases.filter { $0 != .mdm }.map {
            APNsRegistration(device(phone), token: token(for: $0), purpose: $0)
        }
        var management = APNsApp(bundleID: Self.management, teamID: team)
        management.registrations = [APNsRegistration(device(phone), token: token(for: .mdm), purpose: .mdm)]
        return [
            shop, management, APNsApp(bundleID: cafe, teamID: team, devices: [device(cafeDevice)]),
            APNsApp(bundleID: bank, teamID: otherTeam, devices: [device(bankDevice)]),
        ]
    }

    /// 64 digits.
    private static func token(_ digits: String) -> String { String(repeating: digits, count: 32) }

    /// The phone's token for a purpose.
    static func token(for purpose: Purpose) -> String {
        token("a" + String(Purpose.allCases.firstIndex(of: purpose) ?? 0, radix: 16))
    }

    var now: Date { time.withLock { $0 } }
    func pass(_ seconds: Double) { time.withLock { $0 += seconds } }

    /// A new connection, and the signals when it opens.
    func open(_ certificate: [UInt8]? = nil) async -> (connection: SimulatedConnection, signals: [ConnectionSignal]) {
        let number = lastConnection.withLock { last in
            last += 1
            return last
        }
        let connection = SimulatedConnection(id: number, certificate: certificate)
        return (connection, await simulator.opened(connection, at: now))
    }

    func connect() async -> SimulatedConnection { await open().connection }

    /// The outcome of a push over a connection, with the first provider token or another one.
    func push(_ jwt: String? = nil, over connection: SimulatedConnection? = nil) async -> String {
        await send(Self.alert, ["authorization": "bearer " + (jwt ?? bearer)], over: connection).outcome
    }

    func setOnline(_ isOnline: Bool, _ device: String = Apple.phone) async {
        await simulator.setOnline(isOnline, device, at: now)
    }

    /// Signs a token by hand.
    static func jwt(_ header: JSONValue, _ claims: JSONValue, by key: SigningKey) throws -> String {
        let parts = [header, claims].map { Base64URL.encode(JSONWriter.bytes(of: $0)) }
        let text = parts.joined(separator: ".")
        return text + "." + Base64URL.encode(try key.signature(of: Array(text.utf8)))
    }

    /// A token with changed fields and claims; null removes one.
    func jwt(
        header: [String: JSONValue] = [:], claims: [String: JSONValue] = [:], age: Int = 0, by key: SigningKey? = nil
    ) throws -> String {
        let issued = Int(now.timeIntervalSince1970) - age
        var fields: [String: JSONValue] = ["alg": "ES256", "kid": .string(Self.key)]
        var all: [String: JSONValue] = ["iss": .string(Self.team), "iat": JSONValue(integerLiteral: issued)]
        fields.merge(header) { $1 }
        all.merge(claims) { $1 }
        return try Self.jwt(
            .object(fields.filter { $0.value != .null }), .object(all.filter { $0.value != .null }),
            by: key ?? signingKey)
    }

    /// A token of another key.
    func jwt(key: String, team: String = Apple.team) throws -> String {
        try jwt(header: ["kid": .string(key)], claims: ["iss": .string(team)])
    }

    /// Sends a request unchanged.
    /// - Parameters:
    ///   - headers: a field with the value nil is left out.
    ///   - doubled: a header field that comes twice.
    func ask(
        _ method: HTTPRequest.Method, _ path: String, _ headers: [String: String?] = [:], _ body: String = "",
        doubled: String? = nil, host: String = "", over connection: SimulatedConnection? = nil
    ) async -> SimulatedResponse {
        var given = headers.compactMap { name, value in value.map { (name, $0) } }
        if let doubled { given = given.filter { $0.0 != doubled } + [(doubled, "1"), (doubled, "1")] }
        var fields = HTTPFields()
        for (name, value) in given {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        let request = SimulatedRequest(
            method: method, host: host, path: path, query: "", headers: fields, body: Array(body.utf8),
            connection: connection)
        return await simulator.respond(to: request, at: now)
    }

    /// Sends a push, by default a notification to the shop on the phone.
    /// - Parameter headers: replace the usual ones; nil removes one.
    func send(
        to token: String = Apple.token(for: .app), _ body: String = Apple.alert, _ headers: [String: String?] = [:],
        over connection: SimulatedConnection? = nil
    ) async -> SimulatedResponse {
        let usual: [String: String?] = [
            "authorization": "bearer " + bearer, "apns-topic": Self.shop, "apns-push-type": "alert",
        ]
        return await ask(.post, "/3/device/" + token, usual.merging(headers) { $1 }, body, over: connection)
    }

    func inbox(_ device: String = Apple.phone) async -> [DeliveredMessage] { await simulator.inbox(of: device) }
}

extension SimulatedResponse {
    var reason: String? { json["reason"]?.stringValue }
    var id: String? { header("apns-id") }
    /// The status, with the reason of a refusal: `400 BadTopic`. A body with other fields is shown whole, except for a
    /// dead token, which has a date.
    var outcome: String {
        guard let reason else { return String(status) }
        let isPlain = json == ["reason": .string(reason)] || status == 410
        return "\(status) \(isPlain ? reason : String(decoding: body, as: UTF8.self))"
    }

    func header(_ name: String) -> String? { Shop.header(name, of: headers) }
}
