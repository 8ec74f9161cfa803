import APNsSimulator
import PushAPNs
import PushAdapter
import PushClient
import PushSimulation
import Testing

/// The shop's client, with Apple's servers for both environments in this process.
struct ShopClient: Sendable {
    /// A token of the development environment.
    static let sandboxed = DeviceID(String(repeating: "5b", count: 32))
    private static let sandbox = "https://sandbox.invalid"

    let production: APNsSimulator
    let development: APNsSimulator
    let host: SimulatorHost
    let sandboxHost: SimulatorHost
    let clock: VirtualClock
    let apns: APNs
    let client: PushClient

    /// - Parameters:
    ///   - devices: the devices of the app.
    ///   - topic: the topic of the adapter.
    ///   - clientClock: a clock that differs from Apple's.
    init(
        devices: Int = 3, topic: String = Shop.topic, app editApp: (inout APNsApp) -> Void = { _ in },
        signer editSigner: (inout APNsSigner) -> Void = { _ in },
        settings editSettings: (inout APNsSimulatorSettings) -> Void = { _ in },
        adapter editAdapter: (inout APNs) -> Void = { _ in }, clientClock: VirtualClock? = nil
    ) throws {
        let registrations =
            (0..<devices).map { APNsRegistration(VirtualDevice(Shop.device($0).rawValue, .ios)) }
            + [APNsRegistration(VirtualDevice(Self.sandboxed.rawValue, .ios, environment: .development))]
        func simulator(of environment: AppEnvironment) throws -> APNsSimulator {
            try Apple(
                environment: environment,
                apps: { apps in
                    apps[0].registrations = registrations
                    editApp(&apps[0])
                }, signers: { editSigner(&$0[0]) }, settings: editSettings
            ).simulator
        }
        (production, development) = (try simulator(of: .production), try simulator(of: .development))
        clock = VirtualClock(startingAt: Shop.now)
        host = SimulatorHost(production, clock: clock)
        sandboxHost = SimulatorHost(development, clock: clock)
        var apns = try APNs(Shop.key(), topic: topic, dataCenter: Self.dataCenter)
        var configuration = ClientConfiguration()
        configuration.clock = clientClock ?? clock
        editAdapter(&apns)
        self.apns = apns
        let transport = TwoEnvironments(
            production: InProcessTransport(host), development: InProcessTransport(sandboxHost), sandbox: Self.sandbox)
        client = PushClient(apns, transport: transport, configuration: configuration)
    }

    /// Apple's services. The development environment has an address of its own.
    static var dataCenter: DataCenter {
        var center = APNs.dataCenters.standard
        center.services = center.services.mapValues { $0.contains("sandbox") ? sandbox : InProcessTransport.origin }
        return center
    }

    /// The provider tokens that reached Apple.
    var bearers: Set<String> {
        Set((host.journal.entries + sandboxHost.journal.entries).compactMap { $0.request.headers[.authorization] })
    }

    /// The connections of requests to the production environment.
    var connections: Set<Int> { Set(host.journal.entries.compactMap { $0.request.connection?.id }) }

    func run<Output: Sendable>(_ exchange: Exchange<Output>) async throws -> Output { try await client.run(exchange) }

    /// Sends a message that the vendor accepts for all devices.
    @discardableResult
    func deliver(
        _ message: Message, to audience: Audience, at place: SourceLocation = #_sourceLocation
    ) async throws -> SendReport {
        let report = try await client.send(message, to: audience)
        #expect(report.isComplete, sourceLocation: place)
        return report
    }

    /// Answers the next request with a refusal in Apple's form.
    func refuse(_ status: Int, _ reason: String) {
        let body = Array(#"{"reason":"\#(reason)"}"#.utf8)
        host.faults.add(.answer(SimulatedResponse(status: status, body: body)))
    }

    /// The messages that a device got in the production environment.
    func inbox(_ number: Int = 0) async -> [DeliveredMessage] {
        await production.inbox(of: Shop.device(number).rawValue)
    }
}

/// One transport for two simulators. The address selects the simulator.
private struct TwoEnvironments: HTTPTransport {
    let production: InProcessTransport
    let development: InProcessTransport
    /// The origin of the development environment.
    let sandbox: String

    func send(_ request: TransportRequest) async throws(PushError) -> WireResponse {
        guard request.url.hasPrefix(sandbox) else { return try await production.send(request) }
        var moved = request
        moved.url = InProcessTransport.origin + String(request.url.dropFirst(sandbox.count))
        return try await development.send(moved)
    }

    /// Connection numbers are unique in the whole process.
    func retire(_ connection: Int) {
        production.retire(connection)
        development.retire(connection)
    }

    func shutdown() async {
        await production.shutdown()
        await development.shutdown()
    }
}
