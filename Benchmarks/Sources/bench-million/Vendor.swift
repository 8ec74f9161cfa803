import Load
import PushAPNs
import PushAdapter
import PushClient
import PushCrypto
import PushFCM
import PushHTTP2
import PushJPush
import SampleAPNs

/// Who accepts the sends.
enum Vendor: String {
    /// In memory, 1,000 ids in a request.
    case jpush
    /// In memory, a request for each id.
    case fcm
    /// A request for each token, in memory or over HTTP/2.
    case apns

    /// A server for APNs.
    struct Server: Sendable {
        var origin: String
        var caFile: String
    }

    /// Whether each id has a request of its own.
    var isSingle: Bool { self != .jpush }

    /// A client and the message that it sends.
    /// - Parameter server: nil for a vendor in memory.
    func sender(to server: Server?) throws(PushError) -> (PushClient, Message) {
        switch self {
        case .jpush: (try Self.jpushClient(), Sample.message)
        case .fcm: (try Self.fcmClient(), Self.textsOnly)
        case .apns: try Self.apnsSender(server)
        }
    }

    private static func jpushClient() throws(PushError) -> PushClient {
        var jpush = try JPush(appKey: Sample.appKey, masterSecret: Secret(Sample.masterSecret))
        jpush.capabilities = jpush.capabilities.unmetered
        // Without keys: they come from the vendor, and this measures only the list.
        jpush.capabilities.support[.mintKeys] = .unsupported("left out of the benchmark")
        return PushClient(jpush, transport: InstantTransport())
    }

    private static func fcmClient() throws(PushError) -> PushClient {
        let key = try SigningKey.generate(.rs256).privateKey.withBytes { String(decoding: $0, as: UTF8.self) }
        let account: JSONValue = [
            "type": "service_account", "project_id": "bench", "private_key_id": "k",
            "client_email": "bench@example.com", "private_key": .string(key),
        ]
        var fcm = try FCM(ServiceAccount(json: Secret(JSONWriter.bytes(of: account))))
        fcm.capabilities = fcm.capabilities.unmetered
        return PushClient(fcm, transport: InstantFCM())
    }

    /// FCM sends to whoever has the token, and takes texts only.
    private static var textsOnly: Message {
        var message = Sample.message
        message.platforms = nil
        message.notification?.extras["count"] = "3"
        return message
    }

    private static func apnsSender(_ server: Server?) throws(PushError) -> (PushClient, Message) {
        let apns = try APNs.sample(at: server?.origin ?? "https://localhost")
        let message = try Sample.push(for: apns)
        guard let server else { return (PushClient(apns, transport: InstantAPNs()), message) }
        var configuration = HTTP2Configuration()
        configuration.caFile = server.caFile
        return (PushClient(apns, transport: try HTTP2Transport(configuration)), message)
    }
}

/// FCM in memory: it gives a token, and accepts every message at once.
struct InstantFCM: HTTPTransport {
    private static let token = Array(#"{"access_token":"ya29.bench","expires_in":3599,"token_type":"Bearer"}"#.utf8)
    private static let accepted = Array(#"{"name":"projects/bench/messages/0:1717673451795380%bench"}"#.utf8)

    func send(_ request: TransportRequest) async throws(PushError) -> WireResponse {
        WireResponse(status: 200, body: request.url.hasSuffix("/token") ? Self.token : Self.accepted)
    }

    func shutdown() async {}
}

/// APNs in memory: it accepts every push at once.
struct InstantAPNs: HTTPTransport {
    private static let id = HTTPField.Name("apns-id")

    func send(_ request: TransportRequest) async throws(PushError) -> WireResponse {
        var response = WireResponse(status: 200)
        if let id = Self.id { response.headers[id] = request.headers[id] }
        return response
    }

    func shutdown() async {}
}
