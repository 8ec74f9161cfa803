import APNsConformance
import EngageLabConformance
import FCMConformance
import HarmonyConformance
import HuaweiConformance
import JPushConformance
import PushAdapter
import PushClient
import PushConformance
import PushSimulation
import PushSimulationTesting
import TPNSConformance

/// A vendor in a world: its adapter, and a server that shows the messages that arrived.
enum Vendor: String, CaseIterable, Sendable {
    case jpush, engagelab, tpns, fcm, apns, harmony, huawei

    private static let harnesses: [Vendor: any ConformanceHarness] = [
        .jpush: JPushHarness(), .engagelab: EngageLabHarness(), .tpns: TPNSHarness(), .fcm: FCMHarness(),
        .apns: APNsHarness(), .harmony: HarmonyHarness(), .huawei: HuaweiHarness(),
    ]
    /// Created once: reading the keys takes longer than playing a world.
    private static let providers: [Vendor: Result<any PushProvider, PushError>] = harnesses.mapValues { harness in
        Result { () throws(PushError) in try harness.makeProvider(at: InProcessTransport.origin) }
    }

    /// Creates what the vendors create once. In a run, it would take random numbers of the first run of a process only.
    static let areReady: Bool = {
        for vendor in allCases {
            _ = vendor.simulator([])
            _ = try? vendor.provider { _ in }
        }
        return true
    }()

    private var harness: any ConformanceHarness {
        guard let harness = Self.harnesses[self] else { preconditionFailure("each vendor has a harness") }
        return harness
    }

    /// The device with this number.
    func device(_ number: Int) -> VirtualDevice { harness.device(number) }

    /// The adapter, with smaller limits than the vendor's, so that a world reaches them with few calls.
    func provider(_ restrict: (inout Capabilities) -> Void) throws -> any PushProvider {
        guard let provider = try Self.providers[self]?.get() else { throw Violation("\(self) has no adapter") }
        var capabilities = provider.capabilities
        restrict(&capabilities)
        return Restricted(base: provider, capabilities: capabilities)
    }

    /// Whether the vendor names the unknown devices of a list. HarmonyOS does; its harness says no, because it need not
    /// call them invalid.
    var namesUnknownDevices: Bool { self == .harmony || harness.samples.namesUnknownDevices }

    /// Whether a client counts all its sends. TPNS counts only broadcasts, and JPush sends its own quota in each
    /// response.
    var countsSends: Bool {
        ![.tpns, .jpush].contains(self) && !((try? provider { _ in })?.capabilities.quotas.isEmpty ?? true)
    }

    /// Whether a message can go to aliases.
    var takesAliases: Bool { [.jpush, .engagelab].contains(self) }

    /// The vendor's server with these devices.
    func simulator(_ devices: [VirtualDevice]) -> any ObservableSimulator { harness.makeSimulator(devices: devices) }
}

extension Capabilities {
    /// Limits a request to this many targets of a list.
    mutating func shortenLists(to most: Int) {
        guard let limit = limits[.devicesPerSend] else { return }
        limits[.devicesPerSend]?.maximum = min(most, limit.maximum)
    }
}

/// A provider with other capabilities.
private struct Restricted: PushProvider {
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

/// A vendor's server in a world.
struct Site: Sendable {
    let vendor: Vendor
    let simulator: any ObservableSimulator
    let host: SimulatorHost

    init(_ vendor: Vendor, devices: [VirtualDevice], _ simulation: Simulation) {
        self.vendor = vendor
        simulator = vendor.simulator(devices)
        host = SimulatorHost(simulator, clock: simulation.clock)
    }

    /// How often a device got a message with this text.
    func deliveries(to device: String, of text: String) async -> Int {
        await simulator.snapshot(of: device)?.inbox.count { $0.alert == text } ?? 0
    }
}
