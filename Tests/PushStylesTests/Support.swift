import Dispatch
import PushAdapter
import PushClient
import PushConformance
import PushDevice
import PushMemory
import PushPhone
import PushSimulation
import PushStyles

/// A device at a vendor's simulator in this process, with a virtual phone, in either style.
struct Stage {
    let simulator: any ObservableSimulator
    let host: SimulatorHost
    let clock = VirtualClock()
    let client: PushClient
    let device: VirtualDevice
    let phone: VirtualPhone
    let session: DeviceSession
    let queue: DispatchQueue
    let service: SequencedPushService
    let manager: XGTokenManager

    init(
        _ harness: any ConformanceHarness, _ rules: SessionRules, isRegistered: Bool = true,
        registering: VirtualPhone.Registering = .succeeds, consent: SessionConsent = SessionConsent(),
        losses: Set<Feature> = [], hasLedger: Bool = false,
        edit: (any PushProvider) -> any PushProvider = { $0 }
    ) throws {
        device = harness.device(0)
        simulator = harness.makeSimulator(devices: [device, harness.device(1)])
        host = SimulatorHost(simulator, clock: clock)
        var configuration = ClientConfiguration()
        configuration.clock = clock
        configuration.acceptedLosses = losses
        if hasLedger { configuration.ledger = MemoryLedger() }
        client = PushClient(
            edit(try harness.makeProvider(at: InProcessTransport.origin)), transport: InProcessTransport(host),
            configuration: configuration)
        var settings = VirtualPhone.Settings()
        settings.registering = registering
        phone = VirtualPhone(
            device, at: simulator as? any ConnectableSimulator, settings: settings, clock: clock)
        session = DeviceSession(
            client, device: isRegistered ? DeviceID(device.id) : nil, rules: rules, host: phone, consent: consent)
        queue = SequencedPushService.privateQueue()
        service = SequencedPushService(session, queue: queue)
        manager = XGTokenManager(session, queue: queue)
    }

    /// A memory vendor with room for everything that the rules allow, and one account per type.
    static func memory(
        _ rules: SessionRules, isRegistered: Bool = true, registering: VirtualPhone.Registering = .succeeds,
        consent: SessionConsent = SessionConsent()
    ) throws -> Stage {
        try Stage(
            MemoryHarness(), rules, isRegistered: isRegistered, registering: registering, consent: consent,
            edit: { provider in
                guard var memory = provider as? MemoryProvider else { return provider }
                memory.capabilities.minimumInterval = [:]
                memory.capabilities.quotas = [:]
                // Makes two requests for tags and an alias, so that one half can fail. OneRequestTests covers the other
                // vendors.
                memory.capabilities.support[.updateDevice] = .unsupported("this vendor changes one thing a request")
                memory.capabilities.limits = Limits([.accountsPerType: Limit(1, .count, .reject, source: "test")])
                return memory
            })
    }

    /// The vendor's state, after it has applied its pending writes.
    func snapshot() async throws -> DeviceSnapshot {
        if let longest = client.capabilities.writeDelay.values.max() { try await clock.sleep(for: longest) }
        await simulator.settle(at: clock.date)
        return await simulator.snapshot(of: device.id) ?? DeviceSnapshot()
    }
}

/// Waits for a call's only answer.
func answer<Answer: Sendable>(
    isolation: isolated (any Actor)? = #isolation, _ call: (@escaping @Sendable (Answer) -> Void) -> Void
) async -> Answer {
    await withCheckedContinuation { continuation in call { continuation.resume(returning: $0) } }
}
