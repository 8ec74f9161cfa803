import JPushSimulator
import PushAdapter
import PushClient
import PushCurl
import PushInspector
import PushJPush
import PushPhone
import PushSimulation

/// A simulator with a phone, its inspector, and a backend that pushes.
struct Stage: Sendable {
    static let device = "190e35f7e0a1b2c3d4e"
    private static let key = "0123456789abcdef01234567"
    private static let secret = "aaaabbbbccccddddeeeeffff"

    let jpush: JPush
    let client: PushClient
    let host: SimulatorHost
    let phone: VirtualPhone
    let address: String
    let transport: CurlTransport

    /// Runs an inspector with one phone, plus this many devices without phones.
    static func run(devices count: Int = 0, _ body: @Sendable (Stage) async throws -> Void) async throws {
        let devices = (0..<count).map { VirtualDevice("190e35f7e0a1b2c\($0 + 1000)", .android) }
        let own = VirtualDevice(device, .android)
        let simulator = JPushSimulator(appKey: key, masterSecret: secret, devices: [own] + devices)
        let host = SimulatorHost(simulator)
        let phone = VirtualPhone(own, at: simulator)
        _ = try await phone.register()
        await phone.leaveApp()
        let jpush = try JPush(
            appKey: key, masterSecret: Secret(secret), dataCenter: JPush.dataCenter(at: InProcessTransport.origin))
        let client = PushClient(jpush, transport: InProcessTransport(host))
        let inspector = Inspector(host, phones: [phone], secrets: [Secret(secret)]) { code in
            JPush.errorRows.first { $0.code.rawValue == code }?.advice
        } send: { (message) async throws(PushError) in
            try await client.send(message.message, to: message.audience).messageIDs.first?.rawValue ?? ""
        }
        let transport = try CurlTransport()
        let result: Result<Void, any Error>
        do {
            try await Inspector.withServer(inspector) { address in
                try await body(
                    Stage(
                        jpush: jpush, client: client, host: host, phone: phone, address: address, transport: transport))
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await transport.shutdown()
        await client.shutdown()
        try result.get()
    }

    /// `127.0.0.1:41234`.
    var authority: String { String(address.dropFirst("http://".count)) }

    /// Sends a request as the page does, except for these fields.
    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: JSONValue? = nil, headers: [String: String?] = [:],
        type: String = "application/json"
    ) async throws -> WireResponse {
        var all: [String: String?] = method == .get ? [:] : ["Origin": address]
        all.merge(headers) { $1 }
        var fields = HTTPFields()
        for (name, value) in all {
            if let name = HTTPField.Name(name), let value { fields.append(HTTPField(name: name, value: value)) }
        }
        return try await transport.send(
            TransportRequest(
                method: method, url: address + path, headers: fields,
                body: body.map { .bytes(JSONWriter.bytes(of: $0), contentType: type) } ?? .none, timeout: .seconds(30)))
    }

    func state(_ query: String = "") async throws -> JSONValue { try await send(.get, "/state?\(query)").json() }

    /// Sends a request without credentials to the simulator, which refuses it.
    @discardableResult
    func knock() async -> Int? {
        let delivery = await host.handle(
            SimulatedRequest(method: .get, path: "/v3/devices/\(Self.device)", query: "", headers: [:], body: []))
        if case .whole(let response) = delivery { return response.status }
        return nil
    }
}
