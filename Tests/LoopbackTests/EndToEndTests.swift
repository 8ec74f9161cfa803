import JPushSimulator
import PushAdapter
import PushClient
import PushJPush
import PushSimulation
import PushSimulationServer
import Testing

/// A backend, a transport, TLS, sockets, the web server and the simulator together.
@Suite("End to end over loopback")
struct EndToEndTests {
    static let key = "0123456789abcdef01234567"
    static let secret = "aaaabbbbccccddddeeeeffff"

    private func withClient<Output: Sendable>(
        _ carrier: Carrier = .curl, security: SimulationServer.Security = .tls,
        layout: JPush.PathLayout = .standard,
        _ body: @Sendable (PushClient, SimulatorHost, JPushSimulator) async throws -> Output
    ) async throws -> Output {
        let simulator = JPushSimulator(
            appKey: Self.key, masterSecret: Self.secret,
            devices: [VirtualDevice("190e35f7e0a1b2c3d4e", .android), VirtualDevice("191e35f7e0a1b2c3d4f", .ios)])
        let host = SimulatorHost(simulator)
        return try await SimulationServer.withServer(host, security: security) { server in
            let transport = try carrier.makeTransport(.with { $0.caFile = server.caFile })
            let provider = try JPush(
                appKey: Self.key, masterSecret: Secret(Self.secret),
                dataCenter: JPush.dataCenter(at: server.origin, layout: layout))
            let client = PushClient(provider, transport: transport)
            do {
                let output = try await body(client, host, simulator)
                await client.shutdown()
                return output
            } catch {
                await client.shutdown()
                throw error
            }
        }
    }

    @Test(
        "tags, a send to a tag, and the report, over every kind of connection",
        arguments: [
            (Carrier.curl, SimulationServer.Security.tls), (.curl, .plain), (.http2, .tls),
        ])
    func wholeStory(carrier: Carrier, security: SimulationServer.Security) async throws {
        try await withClient(carrier, security: security) { client, _, simulator in
            let device: DeviceID = "190e35f7e0a1b2c3d4e"
            let outcome = try await client.updateTags(.add(["vip", "城市_上海"]), of: device)
            #expect(outcome.added == ["vip", "城市_上海"])
            #expect(try await client.readTags(of: device) == ["vip", "城市_上海"])
            let report = try await client.send(
                Message(notification: Notification(title: "Shop", body: "Hello")), to: .tagged(anyOf: ["vip"]))
            #expect(report.isComplete)
            #expect(await simulator.inbox(of: device.rawValue).map(\.alert) == ["Hello"])
            #expect(await simulator.inbox(of: "191e35f7e0a1b2c3d4f").isEmpty)
            let deliveries = try await client.readDeliveries(of: report.messageIDs)
            #expect(deliveries.first?.channels[.vendor]?.received == 1)
        }
    }
}
