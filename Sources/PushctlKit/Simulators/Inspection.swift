import PushAdapter
import PushBridge
import PushConformance
import PushInspector
import PushPhone
import PushSimulation

/// The page about a simulator: a phone for each of the first devices, and a console that sends through the adapter.
enum Inspection {
    /// The most phones; the page shows further devices without one.
    static let mostPhones = 20

    /// Serves the page while `body` runs.
    /// - Parameters:
    ///   - host: the simulator.
    ///   - devices: the devices; the first ones get a phone, in this order.
    ///   - ids: the ids with which a sender names devices, where the simulator has others.
    ///   - provider: the console sends with it, inside this process.
    ///   - secret: the app's secret, which the page hides; nil for none.
    ///   - port: 0 for any free port.
    static func withPage<Result: Sendable>(
        of host: SimulatorHost, devices: [VirtualDevice], ids: [String: String] = [:], provider: any PushProvider,
        secret: String? = nil, port: Int, _ body: @Sendable (_ address: String) async throws -> Result
    ) async throws -> Result {
        let phones = try await phones(of: devices, at: host)
        let client = PushClient(provider, transport: InProcessTransport(host))
        let vendor = try Vendor.named(provider.id.rawValue)
        let inspector = Inspector(host, phones: phones, secrets: secret.map { [Secret($0)] } ?? []) { code in
            vendor.harness.provider.errorRows.first { $0.code == VendorCode(code) }?.advice
        } send: { (message) async throws(PushError) in
            var message = message
            if let id = message.device.flatMap({ ids[$0.rawValue] }) { message.device = DeviceID(id) }
            let report = try await client.send(message.message, to: message.audience)
            return report.messageIDs.first?.rawValue ?? "accepted without an id"
        }
        return try await ending(by: await client.shutdown()) {
            try await Inspector.withServer(inspector, port: port, body)
        }
    }

    /// Registered phones in pockets: their app is in the background.
    private static func phones(of devices: [VirtualDevice], at host: SimulatorHost) async throws -> [VirtualPhone] {
        guard let simulator = host.simulator as? any ConnectableSimulator else { return [] }
        var phones: [VirtualPhone] = []
        for device in devices.prefix(mostPhones) {
            let phone = VirtualPhone(device, at: simulator, clock: host.clock)
            _ = try await phone.register()
            await phone.leaveApp()
            phones.append(phone)
        }
        return phones
    }
}
