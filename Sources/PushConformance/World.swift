import PushClient
import PushCore
import PushSimulation

/// What a check works with: an adapter inside a client, its vendor, and a tap on the wire between them.
struct World: Sendable {
    /// What a check wants to be different.
    struct Setup: Sendable {
        var deviceCount = 3
        /// For checks that cancel: a virtual clock never lets anybody wait.
        var usesRealTime = false
        var configure: @Sendable (inout ClientConfiguration) -> Void = { _ in }
        /// Makes limits smaller than the vendor's, so that a check reaches them with few calls.
        var restrict: @Sendable (inout Capabilities) -> Void = { _ in }
    }

    let harness: any ConformanceHarness
    let provider: any PushProvider
    let client: PushClient
    let simulator: any ObservableSimulator
    let host: SimulatorHost
    let tap: Wiretap
    let clock: any PushClock
    let devices: [VirtualDevice]
    let observer: ConformanceObserver
    let level: ConformanceLink.Level

    static func run(
        _ harness: any ConformanceHarness, _ link: ConformanceLink, _ setup: Setup, _ observer: ConformanceObserver,
        _ body: @Sendable (World) async throws -> Void
    ) async throws {
        let devices = (0..<setup.deviceCount).map(harness.device)
        let simulator = harness.makeSimulator(devices: devices)
        let clock: any PushClock = setup.usesRealTime ? SystemClock() : VirtualClock()
        let host = SimulatorHost(simulator, clock: clock)
        try await link.open(host) { origin, transport in
            var provider = try harness.makeProvider(at: origin)
            var capabilities = provider.capabilities
            setup.restrict(&capabilities)
            provider = Restricted(base: provider, capabilities: capabilities)
            var configuration = ClientConfiguration()
            configuration.clock = clock
            configuration.random = { $0.upperBound }
            configuration.layers = observer.layers
            setup.configure(&configuration)
            let tap = Wiretap(transport)
            let client = PushClient(provider, transport: tap, configuration: configuration)
            let world = World(
                harness: harness, provider: provider, client: client, simulator: simulator, host: host, tap: tap,
                clock: clock, devices: devices, observer: observer, level: link.level)
            let result: Result<Void, any Error>
            do { result = .success(try await body(world)) } catch { result = .failure(error) }
            await client.shutdown()
            try result.get()
        }
    }
}

/// A provider with other limits than its own.
struct Restricted: PushProvider {
    let base: any PushProvider
    let capabilities: Capabilities

    var id: ProviderID { base.id }
    var dataCenter: DataCenter { base.dataCenter }
    var roles: Roles { base.roles }
    var authorizer: any Authorizer { base.authorizer }

    func diagnose(_ response: WireResponse, to request: WireRequest, for operation: Feature) -> PushError? {
        base.diagnose(response, to: request, for: operation)
    }

    func facts(in response: WireResponse) -> ResponseFacts { base.facts(in: response) }
}

/// A transport that remembers what was sent through it, and to what an answer came.
final class Wiretap: HTTPTransport {
    private let base: any HTTPTransport
    private let log = Locked((sent: [TransportRequest](), answered: [String]()))

    init(_ base: any HTTPTransport) { self.base = base }

    var requests: [TransportRequest] { log.withLock { $0.sent } }
    var count: Int { log.withLock { $0.sent.count } }

    /// Whether an answer to an address that ends so has come back.
    func hasAnswered(path: String) -> Bool { log.withLock { $0.answered.contains { $0.hasSuffix(path) } } }

    func send(_ request: TransportRequest) async throws(PushError) -> WireResponse {
        log.withLock { $0.sent.append(request) }
        let response = try await base.send(request)
        log.withLock { $0.answered.append(request.url) }
        return response
    }

    func shutdown() async { await base.shutdown() }
}

extension World {
    /// Whether the client can do it without losing anything.
    func has(_ feature: Feature) -> Bool {
        switch client.capabilities[feature] {
        case .native: true
        case .emulated(let recipe): recipe.fidelity == .faithful
        case .unsupported: false
        }
    }

    /// The first device.
    var device: DeviceID { DeviceID(devices[0].id) }
    var deviceIDs: [DeviceID] { devices.map { DeviceID($0.id) } }

    func snapshot(_ device: DeviceID) async throws -> DeviceSnapshot {
        guard let snapshot = await simulator.snapshot(of: device.rawValue) else {
            throw ConformanceFailure(
                expected: "a simulator that knows the harness's devices", actual: "nil",
                hint: "makeSimulator(devices:) has to install the devices that it gets")
        }
        return snapshot
    }

    func tags(_ device: DeviceID) async throws -> Set<Tag> {
        Set(try await snapshot(device).tags.map { Tag($0) })
    }

    func inbox(_ device: DeviceID) async throws -> [DeliveredMessage] { try await snapshot(device).inbox }

    /// How many messages each device received.
    func deliveries() async throws -> [Int] {
        var counts: [Int] = []
        for device in deviceIDs { counts.append(try await inbox(device).count) }
        return counts
    }
}
