import PushAdapter
import PushClient
import PushConformance
import PushRouter
import PushSimulation
import PushSimulationTesting
import PushWebhooks
import VendorRegistry
import WebPushConformance

/// A vendor in a world: its adapter, and a server that shows the messages that arrived.
struct Vendor: Sendable, CustomStringConvertible {
    static let all = KnownVendors.all.map { Vendor($0 is WebPushHarness ? browsers : $0) }
    /// Browsers of three push services, so that tokens, pauses and lanes of three origins are interleaved.
    private static let browsers = WebPushHarness(hosts: ["a", "b", "c"].map { "\($0).push.invalid" })
    /// Created once: reading the keys takes longer than playing a world.
    private static let providers = Dictionary(
        uniqueKeysWithValues: all.map { vendor in
            (
                vendor.id,
                Result { () throws(PushError) in try vendor.harness.makeProvider(at: InProcessTransport.origin) }
            )
        })

    private let harness: any RegisteredVendor

    private init(_ harness: any RegisteredVendor) { self.harness = harness }

    var id: ProviderID { harness.provider.id }
    var route: RouteName { RouteName(id.rawValue) }
    var description: String { id.rawValue }

    /// One of the vendors with these names; without names, one of all.
    static func random(of names: Set<ProviderID> = [], using random: inout SplitMix) -> Vendor {
        let choice = all.filter { names.isEmpty || names.contains($0.id) }
        return choice[Int.random(in: choice.indices, using: &random)]
    }

    /// Creates what the vendors create once. In a run, it would take random numbers of the first run of a process only.
    static let areReady: Bool = {
        for vendor in all {
            _ = vendor.simulator([])
            _ = try? vendor.provider { _ in }
        }
        return true
    }()

    /// The device with this number.
    func device(_ number: Int) -> VirtualDevice { harness.device(number) }

    /// The adapter, with smaller limits than the vendor's, so that a world reaches them with few calls.
    func provider(_ restrict: (inout Capabilities) -> Void) throws -> any PushProvider {
        guard let provider = try Self.providers[id]?.get() else { throw Violation("\(self) has no adapter") }
        var capabilities = provider.capabilities
        restrict(&capabilities)
        return Restricted(base: provider, capabilities: capabilities)
    }

    /// Whether the vendor names the unknown devices of a list.
    var namesUnknownDevices: Bool { harness.samples.namesUnknownDevices }

    /// Whether receipts say that an app was removed.
    var hasReceipts: Bool { (try? makeReceiver()) != nil }

    /// What reads the receipts of a backend; nil for a vendor without them.
    func makeReceiver() throws -> (any WebhookReceiver)? { try harness.makeReceiver() }

    /// Whether a client counts all its sends. TPNS counts only broadcasts, and JPush sends its own quota in each
    /// response.
    var countsSends: Bool {
        !["tpns", "jpush"].contains(id) && !((try? provider { _ in })?.capabilities.quotas.isEmpty ?? true)
    }

    /// The vendors where a client counts all its sends.
    static let idsWithCounts = Set(all.filter(\.countsSends).map(\.id))

    /// The vendors to which a client sends keys of its own.
    static let idsWithKeys = Set(
        all.filter { (try? $0.provider { _ in })?.capabilities.callerKeys[.push] != nil }.map(\.id))

    /// Whether the backend sets aliases of devices, and sends to them.
    var takesAliases: Bool {
        let capabilities = (try? provider { _ in })?.capabilities
        return capabilities?[.setAlias] == .native && capabilities?[.audienceAliases] == .native
    }

    /// What a request says, whatever its form: a form is decoded, and a body for one browser is opened.
    static func text(of request: TransportRequest, at vendors: [Vendor]) -> String {
        var wire = WireRequest(request.method, "push", body: request.body)
        wire.address = try? TargetAddress(request.url, mustBePublic: false)
        for vendor in vendors { wire = vendor.harness.opened(wire) }
        guard case .bytes(let bytes, let type) = wire.body else { return "" }
        let text = String(decoding: bytes, as: UTF8.self)
        guard type.hasPrefix("application/x-www-form-urlencoded") else { return text }
        return PercentEncoding.decode(text.replacing("+", with: " ")) ?? text
    }

    /// The vendor's server with these devices.
    func simulator(_ devices: [VirtualDevice]) -> any ObservableSimulator { harness.makeSimulator(devices: devices) }
}

extension Capabilities {
    /// Limits a request to this many targets of a list.
    mutating func shortenLists(to most: Int) {
        for key in [LimitKey.devicesPerSend, .aliasesPerSend] {
            guard let limit = limits[key] else { continue }
            limits[key]?.maximum = min(most, limit.maximum)
        }
    }
}

/// A provider with other capabilities.
private struct Restricted: ForwardingProvider {
    let base: any PushProvider
    let capabilities: Capabilities
}

/// A vendor's server in a world.
struct Site: Sendable {
    let vendor: Vendor
    let simulator: any ObservableSimulator
    let host: SimulatorHost

    init(_ vendor: Vendor, devices: [VirtualDevice], _ simulation: Simulation, isBlunt: Bool = false) {
        self.vendor = vendor
        simulator = vendor.simulator(devices)
        host = SimulatorHost(isBlunt ? BluntServer(base: simulator) : simulator, clock: simulation.clock)
    }

    /// How often a device got a message with this text.
    func deliveries(to device: String, of text: String) async -> Int {
        await simulator.snapshot(of: device)?.inbox.count { $0.alert == text } ?? 0
    }
}
