import Glibc
import Load
import PushClient
import PushCore
import PushCrypto
import PushFCM
import PushJPush

// Plans and encodes a send to a file of device ids, one to a line; a vendor in memory accepts every request.
// Usage: bench-million FILE [single]
// With `single`, each id has a request of its own, and the report keeps no message ids.

/// The lines of a file as device ids.
struct DeviceFile: AsyncSequence, Sendable {
    let path: String

    func makeAsyncIterator() -> Iterator { Iterator(path) }

    final class Iterator: AsyncIteratorProtocol {
        private let file: UnsafeMutablePointer<FILE>?
        private var line: UnsafeMutablePointer<CChar>?
        private var capacity = 0

        init(_ path: String) { file = fopen(path, "r") }

        deinit {
            if let file { fclose(file) }
            free(line)
        }

        func next() async -> DeviceID? {
            guard let file, case let count = getline(&line, &capacity, file), count > 1, let line else { return nil }
            return DeviceID(String(decoding: UnsafeRawBufferPointer(start: line, count: count - 1), as: UTF8.self))
        }
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

func singleClient() throws(PushError) -> PushClient {
    let key = try SigningKey.generate(.rs256).privateKey.withBytes { String(decoding: $0, as: UTF8.self) }
    let account: JSONValue = [
        "type": "service_account", "project_id": "bench", "private_key_id": "k", "client_email": "bench@example.com",
        "private_key": .string(key),
    ]
    var fcm = try FCM(ServiceAccount(json: Secret(JSONWriter.bytes(of: account))))
    fcm.capabilities = fcm.capabilities.unmetered
    return PushClient(fcm, transport: InstantFCM())
}

func listClient() throws(PushError) -> PushClient {
    var jpush = try JPush(appKey: Sample.appKey, masterSecret: Secret(Sample.masterSecret))
    jpush.capabilities = jpush.capabilities.unmetered
    // Without keys: they come from the vendor, and this measures only the list.
    jpush.capabilities.support[.mintKeys] = .unsupported("left out of the benchmark")
    return PushClient(jpush, transport: InstantTransport())
}

let path = CommandLine.arguments.dropFirst().first ?? ""
let isSingle = CommandLine.arguments.dropFirst(2).first == "single"
let client = try isSingle ? singleClient() : listClient()
var options = SendOptions()
options.keepsMessageIDs = !isSingle

var message = Sample.message
if isSingle {
    // FCM sends to whoever has the token, and takes texts only.
    message.platforms = nil
    message.notification?.extras["count"] = "3"
}

let start = Usage()
let report = try await client.send(message, toDevices: DeviceFile(path: path), options: options)
let end = Usage()
try Measure(
    requests: report.acceptedCount ?? 0, seconds: end.elapsed - start.elapsed, cpu: end.cpu - start.cpu,
    peakKB: end.peakKB
).report()
