import APNsSimulator
import JPushSimulator
import PushAdapter
import PushClient
import PushCurl
import PushInspector
import PushJPush
import PushPhone
import PushSimulation

/// Something that has a page.
protocol InspectedStage: Sendable {
    var address: String { get }
    var transport: CurlTransport { get }
}

extension InspectedStage {
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

    /// The names of the faults that the page offers.
    func faultNames() async throws -> [String] {
        let kinds = try await state()["faults"]?["kinds"]?.arrayValue ?? []
        return kinds.compactMap { $0["name"]?.stringValue }
    }

    /// Serves an inspector's page while `body` runs.
    static func serve(
        _ inspector: Inspector, _ body: @Sendable (_ address: String, _ transport: CurlTransport) async throws -> Void
    ) async throws {
        try await withTransport { transport in
            try await Inspector.withServer(inspector) { address in try await body(address, transport) }
        }
    }

    /// Runs `body` with a transport, and always shuts it down.
    static func withTransport(_ body: @Sendable (CurlTransport) async throws -> Void) async throws {
        let transport = try CurlTransport()
        let result: Result<Void, any Error>
        do {
            try await body(transport)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await transport.shutdown()
        try result.get()
    }
}

/// A simulator with phones, its inspector, and a backend that pushes.
struct Stage: InspectedStage {
    /// The first phone.
    static let device = phoneID(0)
    private static let key = "0123456789abcdef01234567"
    private static let secret = "aaaabbbbccccddddeeeeffff"

    let jpush: JPush
    let client: PushClient
    let host: SimulatorHost
    let phones: [VirtualPhone]
    let address: String
    let transport: CurlTransport

    var phone: VirtualPhone { phones[0] }
    /// All phones.
    var everyone: Audience { .devices(phones.map { DeviceID($0.id) }) }

    /// The id of one of at most ten phones.
    static func phoneID(_ number: Int) -> String { "19\(number)e35f7e0a1b2c3d4e" }

    /// Runs an inspector with a phone for each of the platforms, plus this many devices without phones.
    static func run(
        devices count: Int = 0, platforms: [Platform] = [.android], _ body: @Sendable (Stage) async throws -> Void
    ) async throws {
        let devices = (0..<count).map { VirtualDevice("190e35f7e0a1b2c\($0 + 1000)", .android) }
        let own = platforms.enumerated().map { VirtualDevice(phoneID($0), $1) }
        let simulator = JPushSimulator(appKey: key, masterSecret: secret, devices: own + devices)
        let host = SimulatorHost(simulator)
        var phones: [VirtualPhone] = []
        for device in own {
            let phone = VirtualPhone(device, at: simulator)
            _ = try await phone.register()
            await phone.leaveApp()
            phones.append(phone)
        }
        let jpush = try JPush(
            appKey: key, masterSecret: Secret(secret), dataCenter: JPush.dataCenter(at: InProcessTransport.origin))
        let client = PushClient(jpush, transport: InProcessTransport(host))
        let inspector = Inspector(host, phones: phones, secrets: [Secret(secret)]) { code in
            JPush.errorRows.first { $0.code.rawValue == code }?.advice
        } send: { (message) async throws(PushError) in
            try await client.send(message.message, to: message.audience).messageIDs.first?.rawValue ?? ""
        }
        let result: Result<Void, any Error>
        do {
            try await serve(inspector) { [phones] address, transport in
                try await body(
                    Stage(
                        jpush: jpush, client: client, host: host, phones: phones, address: address,
                        transport: transport))
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await client.shutdown()
        try result.get()
    }

    /// Sends a request without credentials to the simulator, which refuses it.
    @discardableResult
    func knock() async -> Int? {
        let delivery = await host.handle(
            SimulatedRequest(method: .get, path: "/v3/devices/\(Self.device)", query: "", headers: [:], body: []))
        if case .whole(let response) = delivery { return response.status }
        return nil
    }
}

/// A simulator that speaks HTTP/2 only, and its inspector. It has neither phones nor a backend.
struct HTTP2Stage: InspectedStage {
    let host: SimulatorHost
    let address: String
    let transport: CurlTransport

    static func run(_ body: @Sendable (HTTP2Stage) async throws -> Void) async throws {
        let app = APNsApp(bundleID: "com.example.shop", teamID: "T3AMEXAMP1", devices: [VirtualDevice("7c1e01", .ios)])
        let host = SimulatorHost(APNsSimulator(apps: [app], signers: []))
        let inspector = Inspector(
            host,
            send: { (_: ConsoleMessage) async throws(PushError) -> String in
                throw PushError(.unsupported, "this stage has no backend")
            })
        try await serve(inspector) { address, transport in
            try await body(HTTP2Stage(host: host, address: address, transport: transport))
        }
    }
}
