import FCMSimulator
import Foundation
import PushAdapter
import PushCrypto
import PushSimulation
import Testing

/// Two projects, an account with all permissions in the first, and a clock that the test moves.
final class SimulatedFirebase: Sendable {
    static let android = "android-device"
    static let ios = "ios-device"
    static let web = "web-device"
    static let foreign = "foreign-device"
    static let fid = "c1a2b3c4d5e6f7g8h9i0jk"
    /// A well-formed but unknown token.
    static let ghost = "cGhost_1234:APA91b" + String(repeating: "Zz-_9", count: 25)
    static let email = "sender@shop.iam.gserviceaccount.com"
    static let messaging = "https://www.googleapis.com/auth/firebase.messaging"

    struct Answer {
        var status: Int
        var headers: HTTPFields
        var body: [UInt8]
        var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
        var text: String { String(decoding: body, as: UTF8.self) }
        var error: JSONValue? { json["error"] }
        /// The last part of the message's name.
        var messageID: String { (json["name"]?.stringValue ?? "").split(separator: "/").last.map(String.init) ?? "" }

        init(_ response: SimulatedResponse) {
            status = response.status
            headers = response.headers
            body = response.body
        }
    }

    let simulator: FCMSimulator
    private let time = Locked(Date(timeIntervalSince1970: 1_795_132_800))
    private let accessToken = Locked("")

    init(
        keys: [String: VerifyingKey] = [:],
        _ edit: (inout FCMProject, inout FCMServiceAccount, inout FCMSimulatorSettings) -> Void = { _, _, _ in }
    ) {
        var shop = FCMProject(
            id: "shop", number: "42",
            devices: [VirtualDevice(Self.android, .android), VirtualDevice(Self.ios, .ios)])
        shop.registrations.append(FCMRegistration(VirtualDevice(Self.web, "web"), package: "web"))
        shop.registrations.append(FCMRegistration(VirtualDevice(Self.fid, .android), idKind: .fid))
        let bank = FCMProject(id: "bank", number: "43", devices: [VirtualDevice(Self.foreign, .android)])
        var account = FCMServiceAccount(email: Self.email, project: "shop", keys: keys)
        var settings = FCMSimulatorSettings()
        edit(&shop, &account, &settings)
        simulator = FCMSimulator(
            projects: [shop, bank], accounts: [account], machineAccount: Self.email, settings: settings)
    }

    var now: Date { time.withLock { $0 } }
    func pass(_ seconds: Double) { time.withLock { $0 += seconds } }

    // MARK: Requests

    /// Sends a request unchanged, without an access token.
    func plain(
        _ method: HTTPRequest.Method, _ path: String, query: String = "", host: String = "", body: String = "",
        headers: [String: String] = [:]
    ) async -> Answer {
        var fields = HTTPFields()
        for (name, value) in headers {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        return Answer(
            await simulator.respond(
                to: SimulatedRequest(
                    method: method, host: host, path: path, query: query, headers: fields, body: Array(body.utf8)),
                at: now))
    }

    /// Gets an access token if needed, and sends a request with it.
    func ask(
        _ method: HTTPRequest.Method, _ path: String, query: String = "", body: String = "",
        headers: [String: String] = [:]
    ) async -> Answer {
        if accessToken.withLock({ $0.isEmpty }) { await signIn() }
        var headers = headers
        headers["Authorization"] = "Bearer " + accessToken.withLock { $0 }
        return await plain(method, path, query: query, body: body, headers: headers)
    }

    /// Gets an access token with these scopes, or all, from the metadata server.
    func signIn(scopes: String = "") async {
        let answer = await plain(
            .get, "/computeMetadata/v1/instance/service-accounts/default/token", query: "scopes=\(scopes)",
            headers: ["Metadata-Flavor": "Google"])
        accessToken.withLock { $0 = answer.json["access_token"]?.stringValue ?? "" }
    }

    /// Sends the fields of a message, for example `"token":"t"`.
    func send(_ message: String, project: String = "shop", isDryRun: Bool = false) async -> Answer {
        await ask(
            .post, "/v1/projects/\(project)/messages:send",
            body: #"{"validate_only":\#(isDryRun),"message":{\#(message)}}"#)
    }

    /// Sends to a device.
    func send(to device: String, _ rest: String = "", isDryRun: Bool = false) async -> Answer {
        await send(#""token":"\#(device)"\#(rest.isEmpty ? "" : ",")\#(rest)"#, isDryRun: isDryRun)
    }

    func subscribe(_ device: String, _ topic: String) async -> Int {
        await ask(
            .post, "/v1/projects/shop/registrations/\(device)/topicSubscriptions", query: "topic_name=\(topic)",
            body: "{}"
        ).status
    }

    func inbox(_ device: String) async -> [DeliveredMessage] { await simulator.inbox(of: device) }
}

/// The vendor's envelopes.
enum Envelope {
    static func error(_ code: Int, _ status: String, _ message: String, _ details: [JSONValue] = []) -> JSONValue {
        var error: [String: JSONValue] = [
            "code": JSONValue(integerLiteral: code), "status": .string(status), "message": .string(message),
        ]
        if !details.isEmpty { error["details"] = .array(details) }
        return ["error": .object(error)]
    }

    static func code(_ code: String) -> JSONValue {
        ["@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode": .string(code)]
    }

    static func field(_ field: String, _ text: String) -> JSONValue {
        [
            "@type": "type.googleapis.com/google.rpc.BadRequest",
            "fieldViolations": [["field": .string(field), "description": .string(text)]],
        ]
    }

    static func apns(_ status: Int, _ reason: String) -> JSONValue {
        [
            "@type": "type.googleapis.com/google.firebase.fcm.v1.ApnsError",
            "statusCode": JSONValue(integerLiteral: status), "reason": .string(reason),
        ]
    }

    static func reason(_ reason: String, _ metadata: JSONValue) -> JSONValue {
        [
            "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": .string(reason), "domain": "googleapis.com",
            "metadata": metadata,
        ]
    }
}
