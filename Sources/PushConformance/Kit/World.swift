import FoundationEssentials
package import PushAdapter
package import PushClient
package import PushSimulation

/// The environment of a check: an adapter inside a client, its vendor, and a tap on the wire between them.
package struct World: Sendable {
    /// How a check's setup differs from the usual one.
    package struct Setup: Sendable {
        var deviceCount: Int
        /// For checks that cancel: every wait lasts until it is cancelled.
        var standsStill: Bool
        var configure: @Sendable (inout ClientConfiguration) -> Void
        /// Makes limits smaller than the vendor's, so that a check reaches them with few calls.
        var restrict: @Sendable (inout Capabilities) -> Void

        package init(
            deviceCount: Int = 3, standsStill: Bool = false,
            configure: @escaping @Sendable (inout ClientConfiguration) -> Void = { _ in },
            restrict: @escaping @Sendable (inout Capabilities) -> Void = { _ in }
        ) {
            self.deviceCount = deviceCount
            self.standsStill = standsStill
            self.configure = configure
            self.restrict = restrict
        }
    }

    let harness: any ConformanceHarness
    let provider: any PushProvider
    package let client: PushClient
    let simulator: any ObservableSimulator
    package let host: SimulatorHost
    package let tap: Wiretap
    let clock: any PushClock
    let devices: [VirtualDevice]
    let observer: ConformanceObserver
    let level: ConformanceLink.Level

    /// The calls of an adapter that change nothing at the vendor.
    private static func harmlessCalls(of provider: any PushProvider) throws(PushError) -> Set<String> {
        let roles = provider.roles
        let message = Message(notification: Notification(body: "Hello"))
        var requests: [WireRequest?] = [
            try roles.probe?().request, try roles.mintKeys?(1, .send).request,
        ]
        let context = SendContext(at: .distantPast)
        let audiences: [Audience] = [.everyone, .devices(["d"]), .tagged(anyOf: ["t"])]
        requests += audiences.map { try? roles.validate?(message, $0, context).request }
        func addresses(of requests: [WireRequest?]) throws(PushError) -> Set<String> {
            var addresses: Set<String> = []
            for request in requests.compactMap({ $0 }) {
                let url = try provider.dataCenter.url(of: request)
                addresses.insert("\(request.method) \(url.prefix { $0 != "?" })")
            }
            return addresses
        }
        // If a vendor checks and sends at one address, the address is not called: one mistake of an adapter would
        // deliver.
        let sends = audiences.map { try? provider.send(message, to: $0, in: context).request }
        return try addresses(of: requests).subtracting(addresses(of: sends))
    }

    /// A token of this scope; nil for a vendor whose credentials need none.
    private static func firstToken(
        of provider: any PushProvider, _ scope: CredentialScope, through transport: any HTTPTransport,
        _ clock: any PushClock
    ) async throws(PushError) -> AccessToken? {
        switch try provider.roles.tokens?.mint(scope, clock.date) {
        case nil: return nil
        case .made(let token): return token
        case .fetched(let exchange):
            var configuration = ClientConfiguration()
            configuration.clock = clock
            return try await PushClient(provider, transport: transport, configuration: configuration).run(exchange)
        }
    }

    static func run(
        _ harness: any ConformanceHarness, _ link: ConformanceLink, _ setup: Setup, _ observer: ConformanceObserver,
        _ body: @Sendable (World) async throws -> Void
    ) async throws {
        guard link.level == .live || !harness.secrets.isEmpty else {
            throw ConformanceFailure(
                expected: "the adapter's secrets", actual: "none", hint: "name them in the harness; checks seek them"
            )
        }
        guard harness.samples.accounts.count >= 3, harness.samples.attributeNames.count >= 3 else {
            throw ConformanceFailure(
                expected: "three accounts and three attribute names in the harness's samples", actual: "fewer",
                hint: "if the vendor has none, keep the default samples")
        }
        let devices = (0..<setup.deviceCount).map(harness.device)
        let simulator = harness.makeSimulator(devices: devices)
        let testClock: any PushClock = setup.standsStill ? StillClock() : VirtualClock()
        let clock = link.level == .live ? SystemClock() : testClock
        let host = SimulatorHost(simulator, clock: clock)
        try await link.open(host) { origin, transport in
            var provider = try harness.makeProvider(at: origin)
            var capabilities = provider.capabilities
            setup.restrict(&capabilities)
            let token = try await firstToken(of: provider, scope(of: harness), through: transport, clock)
            provider = Restricted(base: provider, capabilities: capabilities, token: token)
            var configuration = ClientConfiguration()
            configuration.clock = clock
            configuration.random = RandomSource { .max }
            configuration.layers = observer.layers
            // A transport's timeouts are real, and a busy machine is slow.
            if link.level == .loopback { configuration.attemptTimeout = .seconds(60) }
            // A call must outlast the waits that the vendor asks for.
            if let least = capabilities.leastWaits.values.max() { configuration.deadline += least * 4 }
            setup.configure(&configuration)
            host.journal.removeAll()
            let tap = Wiretap(transport)
            // A wrong adapter's calls must not reach a real vendor.
            if link.level == .live { try tap.allowOnly(harmlessCalls(of: provider)) }
            let client = PushClient(provider, transport: tap, configuration: configuration)
            let world = World(
                harness: harness, provider: provider, client: client, simulator: simulator, host: host, tap: tap,
                clock: clock, devices: devices, observer: observer, level: link.level)
            try await ending(by: await client.shutdown()) { try await body(world) }
        }
    }
}

extension World {
    /// A token to sign with, for a vendor that needs one; the vendor does not know it.
    var token: AccessToken? {
        guard provider.roles.tokens != nil else { return nil }
        return AccessToken(
            Secret("token-of-the-kit"), mintedAt: clock.date, expiresAt: clock.date.addingTimeInterval(3600))
    }

    /// The request that gets a token; nil if the vendor needs none, or the adapter makes it.
    func tokenRequest() throws(PushError) -> ErasedExchange? {
        let provider = (provider as? Restricted)?.base ?? provider
        guard case .fetched(let exchange) = try provider.roles.tokens?.mint(Self.scope(of: harness), clock.date) else {
            return nil
        }
        return ErasedExchange(exchange)
    }

    /// The scope of most calls.
    private static func scope(of harness: any ConformanceHarness) -> CredentialScope {
        let scopes = harness.samples.scopes
        return scopes.contains(.app) ? .app : scopes.first ?? .app
    }
}

/// A provider with changed capabilities. While it lives, it has the token that the kit got before the check, so that
/// requests for tokens are neither counted nor disturbed.
struct Restricted: ForwardingProvider {
    let base: any PushProvider
    let capabilities: Capabilities
    let token: AccessToken?

    var roles: Roles {
        var roles = base.roles
        guard let token, var tokens = roles.tokens else { return roles }
        let mint = tokens.mint
        tokens.renewalMargin = .zero
        tokens.mint = { (scope, now) throws(PushError) in
            now < token.expiresAt ? .made(token) : try mint(scope, now)
        }
        roles.tokens = tokens
        return roles
    }
}

/// A transport that records the requests.
package final class Wiretap: HTTPTransport {
    private let base: any HTTPTransport
    private let log = Locked([TransportRequest]())
    private let allowed = Locked<Set<String>?>(nil)
    private let door = Locked((isShut: false, waiting: [CheckedContinuation<Void, Never>]()))

    init(_ base: any HTTPTransport) { self.base = base }

    var requests: [TransportRequest] { log.withLock { $0 } }
    package var count: Int { log.withLock { $0.count } }

    /// From now on lets only these calls through. A call is a method, and an address without its query.
    func allowOnly(_ calls: Set<String>) { allowed.withLock { $0 = calls } }

    /// Holds requests back until `letGo`: a fault that answers at once says nothing of what happens during a request.
    package func hold() { door.withLock { $0.isShut = true } }

    package func letGo() {
        let waiting = door.withLock { door in
            defer { door = (false, []) }
            return door.waiting
        }
        for request in waiting { request.resume() }
    }

    private func pass() async {
        await withCheckedContinuation { request in
            let isShut = door.withLock { door in
                if door.isShut { door.waiting.append(request) }
                return door.isShut
            }
            if !isShut { request.resume() }
        }
    }

    package func send(_ request: TransportRequest) async throws(PushError) -> WireResponse {
        try await send(request, beforeWriting: {})
    }

    package func send(
        _ request: TransportRequest, beforeWriting mayLeave: @escaping @Sendable () async throws(PushError) -> Void
    ) async throws(PushError) -> WireResponse {
        log.withLock { $0.append(request) }
        await pass()
        let call = "\(request.method) \(request.url.prefix { $0 != "?" })"
        guard allowed.withLock({ $0?.contains(call) ?? true }) else {
            throw PushError(.blocked, "a check must not make this call to the vendor; nothing was sent")
        }
        return try await base.send(request, beforeWriting: mayLeave)
    }

    package func retire(_ connection: Int) { base.retire(connection) }
    package func retire(group: String) { base.retire(group: group) }
    package func shutdown() async { await base.shutdown() }
}

extension World {
    /// Whether the client supports the feature without losing anything.
    func has(_ feature: Feature) -> Bool {
        switch client.capabilities[feature] {
        case .native: true
        case .emulated(let recipe): recipe.fidelity == .faithful
        case .unsupported: false
        }
    }

    /// Whether a send can carry an idempotency key.
    var isKeyed: Bool { provider.capabilities.takesKeys(for: .push) }
    /// Whether the client repeats a send after a lost response.
    var repeatsSends: Bool { provider.capabilities.keyGrade(for: .push) == .vendor }

    /// The first device.
    package var device: DeviceID { DeviceID(devices[0].id) }
    var deviceIDs: [DeviceID] { devices.map { DeviceID($0.id) } }

    /// The vendor's data about a device, once it has applied every accepted change.
    package func snapshot(_ device: DeviceID) async throws -> DeviceSnapshot {
        if let longest = provider.capabilities.writeDelay.values.max() { try await clock.sleep(for: longest) }
        await simulator.settle(at: clock.date)
        guard let snapshot = await simulator.snapshot(of: device.rawValue) else {
            throw ConformanceFailure(
                expected: "a simulator that knows the harness's devices", actual: "nil",
                hint: "makeSimulator(devices:) must install the devices that it gets")
        }
        return snapshot
    }

    package func tags(_ device: DeviceID) async throws -> Set<Tag> {
        Set(try await snapshot(device).tags.map { Tag($0) })
    }

    func inbox(_ device: DeviceID) async throws -> [DeliveredMessage] { try await snapshot(device).inbox }

    /// The number of messages that each device received.
    func deliveries() async throws -> [Int] {
        var counts: [Int] = []
        for device in deviceIDs { counts.append(try await inbox(device).count) }
        return counts
    }
}
