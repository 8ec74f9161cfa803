import PushAdapter
import PushClient
import PushDevice
import PushMemory
import PushPhone
import PushSimulation
import TestSupport

/// A device at a memory vendor, and its session.
struct Stage {
    static let device: DeviceID = "phone-1"
    /// Another device at the same vendor.
    static let other: DeviceID = "phone-2"
    let vendor: MemoryVendor
    let host: SimulatorHost
    let clock = VirtualClock()
    let client: PushClient
    let phone: VirtualPhone
    let session: DeviceSession

    /// - Parameters:
    ///   - edit: changes the vendor's capabilities. The vendor has room for everything that the rules allow.
    ///   - configure: changes the client, which does not retry.
    init(
        _ rules: SessionRules, isRegistered: Bool = true, registering: VirtualPhone.Registering = .succeeds,
        consent: SessionConsent = SessionConsent(), edit: (inout Capabilities) -> Void = { _ in },
        configure: (inout ClientConfiguration) -> Void = { $0.retry = .none },
        over wrap: (any HTTPTransport) -> any HTTPTransport = { $0 }
    ) {
        let device = VirtualDevice(Self.device.rawValue, .ios)
        vendor = MemoryVendor(key: Secret("k"), devices: [device, VirtualDevice(Self.other.rawValue, .ios)])
        host = SimulatorHost(vendor, clock: clock)
        var configuration = ClientConfiguration()
        configuration.clock = clock
        configuration.random = RandomSource { .max }
        configure(&configuration)
        var provider = MemoryProvider(key: Secret("k"))
        // The vendor's own intervals and limits would hide the session's.
        provider.capabilities.minimumInterval = [:]
        provider.capabilities.quotas = [:]
        provider.capabilities.limits = Limits([.accountsPerType: Limit(1, .count, .reject, source: "test")])
        // Makes two requests for tags and an alias, so that one half can fail.
        provider.capabilities.support[.updateDevice] = .unsupported("this vendor changes one thing a request")
        edit(&provider.capabilities)
        client = PushClient(provider, transport: wrap(InProcessTransport(host)), configuration: configuration)
        var settings = VirtualPhone.Settings()
        settings.registering = registering
        phone = VirtualPhone(device, at: vendor, settings: settings, clock: clock)
        session = DeviceSession(
            client, device: isRegistered ? Self.device : nil, rules: rules, host: phone, consent: consent)
    }

    /// A stage whose requests wait until the test opens the barrier.
    static func held(_ rules: SessionRules) -> (Stage, Barrier) {
        let barrier = Locked<Barrier?>(nil)
        let stage = Stage(
            rules,
            over: { base in
                let made = Barrier(base)
                barrier.withLock { $0 = made }
                return made
            })
        guard let made = barrier.withLock({ $0 }) else { preconditionFailure("a client has a transport") }
        return (stage, made)
    }

    var snapshot: DeviceSnapshot { get async { await vendor.snapshot(of: Self.device.rawValue) ?? DeviceSnapshot() } }
    var tags: Set<String> { get async { await snapshot.tags } }
    var alias: String? { get async { await snapshot.alias } }
    var requests: Int { host.journal.count }

    /// The fault of a call; nil for a complete success.
    func fault(of call: SessionCall, on other: DeviceSession? = nil) async -> SessionFault? {
        let session = other ?? session
        do throws(SessionFault) {
            if case .halves(let halves) = try await session.run(call) { return halves.failure }
            return nil
        } catch {
            return error
        }
    }
}

extension MemoryProvider {
    static let devicePath = "/v1/devices/phone-1"
}

/// Holds requests until a test opens it.
final class Barrier: HTTPTransport {
    private let base: any HTTPTransport
    private let state = Locked<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

    init(_ base: any HTTPTransport) { self.base = base }

    var waiting: Int { state.withLock { $0.waiting.count } }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func send(_ request: TransportRequest) async throws(PushError) -> WireResponse {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
        return try await base.send(request)
    }

    func shutdown() async { await base.shutdown() }
}

/// A phone whose registration waits for the test, and whose connection never completes while it is offline.
struct SlowPhone: DeviceHost {
    let phone: VirtualPhone
    let isOffline: Bool
    private let steps = AsyncStream.makeStream(of: Void.self)

    init(_ phone: VirtualPhone, isOffline: Bool = false) {
        self.phone = phone
        self.isOffline = isOffline
    }

    func letGoOn() { steps.continuation.finish() }

    func register(_ start: DeviceStart) async throws(PushError) -> DeviceRegistration {
        for await _ in steps.stream {}
        return try await phone.register(start)
    }

    func connect() async throws(PushError) {
        if isOffline {
            await untilCancelled()
            throw PushError(.cancelled, "the caller has given up")
        }
        try await phone.connect()
    }
    func onReconnection(_ notify: @escaping @Sendable () -> Void) { phone.onReconnection(notify) }
    func stop() async throws(PushError) { try await phone.stop() }
    func setBadge(_ number: Int) async throws(PushError) { try await phone.setBadge(number) }
    func showIcon(_ icon: IconBadge) async throws(PushError) { try await phone.showIcon(icon) }
    func upload(_ token: DeviceToken) async throws(PushError) { try await phone.upload(token) }
    func setLanguage(_ language: String) async throws(PushError) { try await phone.setLanguage(language) }
}
