import FoundationEssentials
import PushAdapter
import PushClient
import PushMemory
import PushOutbox
import PushSimulation
import PushSimulationTesting
import TestSupport
import Testing

/// The source of the memory vendor's idempotency keys.
enum Keys: String, Sendable, CaseIterable {
    case vendor, caller, none
    /// No keys, and one target per request.
    case noneSingly
}

/// A memory vendor with phones, a store, and processes that come and go.
struct OutboxWorld: Sendable {
    static let perRequest = 3

    let clock: VirtualClock
    let keys: Keys
    /// What a caller's key does to a repeated push.
    let grade: KeyMemory.Grade
    /// The characters that the vendor takes in a key; nil for any number.
    var keyLength: Int?
    let vendor: MemoryVendor
    let host: SimulatorHost
    /// Another vendor at the route `b`, which knows all phones; nil for none.
    let second: SimulatorHost?
    private let secondVendor: MemoryVendor?
    let devices: [DeviceID]
    let store: any OutboxStore
    let forgetProcesses: @Sendable () async -> Void

    init(
        _ keys: Keys, devices count: Int = 10, missing: Set<Int> = [], clock: VirtualClock = VirtualClock(),
        hasSecond: Bool = false, grade: KeyMemory.Grade = .vendor
    ) {
        (self.keys, self.clock, self.grade) = (keys, clock, grade)
        devices = (0..<count).map { DeviceID("phone-\(1000 + $0)") }
        let known = devices.enumerated().filter { !missing.contains($0.offset) }
        vendor = MemoryVendor(
            key: Secret("right"), devices: known.map { VirtualDevice($0.element.rawValue, .android) },
            takesCallerKeys: keys == .caller, keyGrade: grade)
        host = SimulatorHost(vendor, clock: clock)
        secondVendor =
            hasSecond
            ? MemoryVendor(
                key: Secret("right"), devices: devices.map { VirtualDevice($0.rawValue, .android) },
                takesCallerKeys: keys == .caller) : nil
        second = secondVendor.map { SimulatorHost($0, clock: clock) }
        let store = MemoryOutboxStore()
        self.store = store
        forgetProcesses = { await store.forgetProcesses() }
    }

    static let message = Message(notification: Notification(body: "Hello"))

    func client(
        _ life: Life? = nil, key: String = "right", as disguise: DisguisedProvider.Disguise = .usual,
        of vendor: SimulatorHost? = nil, atOnce: Int? = nil, perRequest: Int = OutboxWorld.perRequest,
        perMinute: Int? = nil, over connection: (any HTTPTransport)? = nil,
        _ configure: (inout ClientConfiguration) -> Void = { _ in },
        whileAnswering happens: (@Sendable () async -> Void)? = nil
    ) -> PushClient {
        var provider = MemoryProvider(key: Secret(key), makesKeys: keys == .vendor)
        if keys == .none || keys == .noneSingly { provider.capabilities.callerKeys = [:] }
        if keys == .caller {
            provider.capabilities.callerKeys = [.push: KeyMemory(.seconds(86_400), grade: grade, source: "test")]
        }
        provider.capabilities.limits[.idempotencyKey] = keyLength.map {
            Limit($0, .utf8Bytes, .reject, source: "test")
        }
        provider.capabilities.concurrency = atOnce ?? provider.capabilities.concurrency
        if let perMinute {
            let quota = Quota(perMinute, per: .seconds(60), source: "test")
            provider.capabilities.quotas = provider.capabilities.quotas.mapValues { _ in quota }
        }
        let most = keys == .noneSingly ? 1 : perRequest
        provider.capabilities.limits[.devicesPerSend] = Limit(most, .count, .split, source: "test")
        var configuration = ClientConfiguration()
        configuration.clock = clock
        configuration.random = RandomSource { .max }
        configure(&configuration)
        let inner = InProcessTransport(vendor ?? host)
        var transport: any HTTPTransport = connection ?? inner
        if let life { transport = MortalTransport(inner: inner, life: life) }
        if let happens { transport = LateTransport(inner, happens) }
        return PushClient(
            DisguisedProvider(base: provider, disguise: disguise), transport: transport, configuration: configuration)
    }

    func outbox(
        _ life: Life? = nil, client: PushClient? = nil, over store: (any OutboxStore)? = nil,
        _ edit: (inout OutboxSettings) -> Void = { _ in }
    ) -> PushOutbox {
        let store = store ?? self.store
        var settings = OutboxSettings()
        edit(&settings)
        var routes: [RouteName: PushClient] = ["a": client ?? self.client(life)]
        if let second { routes["b"] = self.client(life, of: second) }
        return PushOutbox(
            life.map { MortalStore(base: store, life: $0) } ?? store, routes: routes, settings: settings, clock: clock)
    }

    /// All phones at the first vendor. With a second vendor, it is each phone's second route.
    var everyone: CampaignPart {
        guard second != nil else { return .audience(.devices(devices), at: "a") }
        let targets = AsyncStream<RoutedTarget> { feed in
            for device in devices {
                feed.yield(RoutedTarget(.init(.device(device), at: "a"), or: .init(.device(device), at: "b")))
            }
            feed.finish()
        }
        return .routed(targets, over: ["a", "b"], patience: .seconds(2))
    }

    /// All phones at the first vendor, not before a date.
    func everyone(from date: Date) -> CampaignPart { .audience(.devices(devices), at: "a", notBefore: date) }

    func enqueue(
        _ outbox: PushOutbox, as name: CampaignName = "sale", _ edit: (inout CampaignOptions) -> Void = { _ in }
    ) async throws(PushError) {
        var options = CampaignOptions()
        edit(&options)
        try await outbox.enqueue(Self.message, to: [everyone], as: name, options: options)
    }

    /// Works, and lets time pass, until the campaign has ended. Returns false if it is still active after some hours.
    func finish(_ outbox: PushOutbox, _ name: CampaignName = "sale") async throws(PushError) -> Bool {
        for _ in 0..<60 {
            try await outbox.runUntilIdle()
            if try await outbox.progress(now: name).state.isEnded { return true }
            clock.advance(by: .seconds(300))
        }
        return false
    }

    /// Runs a process until it ends by itself or its life ends. Then the kernel frees its locks.
    func live(_ life: Life, _ body: @escaping @Sendable (PushOutbox) async throws -> Void) async {
        let outbox = outbox(life) { $0.slicesInFlight = 2 }
        let process = Task { try await body(outbox) }
        // Otherwise the process would retry its write forever.
        life.onEnd.withLock { $0 = { process.cancel() } }
        if life.isOver { process.cancel() }
        _ = await process.result
        await forgetProcesses()
    }

    /// How often each phone got the message, from all vendors together.
    var deliveries: [Int] {
        get async { await deliveries(of: "Hello") }
    }

    /// How often each phone got a message with this text, from all vendors together.
    func deliveries(of text: String) async -> [Int] {
        var counts = [Int](repeating: 0, count: devices.count)
        for vendor in [vendor, secondVendor].compactMap({ $0 }) {
            for (index, device) in devices.enumerated() {
                counts[index] += await vendor.snapshot(of: device.rawValue)?.inbox.count { $0.alert == text } ?? 0
            }
        }
        return counts
    }

    /// The reported status of each device from the last vendor that was asked; nil for accepted.
    func statuses(_ outbox: PushOutbox, _ name: CampaignName = "sale") async throws -> [TargetStatus?] {
        var statuses = [TargetStatus?](repeating: nil, count: devices.count)
        for try await item in try await outbox.report(of: name).exceptions {
            if item.wentOnAt == nil, case .device(let id) = item.target, let index = devices.firstIndex(of: id) {
                statuses[index] = item.status
            }
        }
        return statuses
    }
}

/// A worker that other code, such as its own request, can end while it works.
final class Shift: Sendable {
    private let worker = Locked<Task<Void, any Error>?>(nil)

    func begin(_ outbox: PushOutbox) -> Task<Void, any Error> {
        worker.withLock { worker in
            let task = Task { try await outbox.run() }
            worker = task
            return task
        }
    }

    func end() { worker.withLock { $0 }?.cancel() }
}

/// A process that ends at its nth step, before or after it. A step is a call to the store, or a request.
final class Life: Sendable {
    struct Ended: Error {}

    /// Ends the process now.
    func end() {
        state.withLock { $0.isOver = true }
        onEnd.withLock { $0 }?()
    }

    private struct State {
        var steps = 0
        var isOver = false
    }

    private let last: Int
    /// The number of changes that its store still refuses, as on a full disk.
    let failures = Locked(0)
    /// Runs when the process ends.
    let onEnd = Locked<(@Sendable () -> Void)?>(nil)
    /// Runs after each lease.
    let afterLease = Locked<(@Sendable () async -> Void)?>(nil)
    /// Runs once, after the first note that a request may be sent.
    let afterNote = Locked<(@Sendable () async -> Void)?>(nil)
    private let endsAfter: Bool
    private let state = Locked(State())

    /// If set, the process ends instead at its first message with this text, which the vendor gets.
    private let fatalText: String?

    init(endingAt last: Int, after endsAfter: Bool = false) {
        (self.last, self.endsAfter, fatalText) = (last, endsAfter, nil)
    }

    /// A process that ends each time it sends to a device.
    init(endingAtMessageTo device: DeviceID) { (last, endsAfter, fatalText) = (.max, true, device.rawValue) }
    /// A process that ends each time it sends.
    init() { (last, endsAfter, fatalText) = (.max, true, "") }

    var steps: Int { state.withLock { $0.steps } }
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Takes a step. Calls of an ended process have no effect, and it does not see the result of its last call.
    func step<Value: Sendable>(
        message: String? = nil, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        let isLast = try state.withLock { state in
            guard !state.isOver else { throw Ended() }
            state.steps += 1
            state.isOver = state.steps == last || isFatal(message)
            return state.isOver
        }
        guard isLast else { return try await body() }
        if endsAfter { _ = try? await body() }
        onEnd.withLock { $0 }?()
        throw Ended()
    }

    private func isFatal(_ message: String?) -> Bool {
        guard let message, let fatalText else { return false }
        return fatalText.isEmpty || message.contains(fatalText)
    }
}

/// The store of a process that may end.
struct MortalStore: ForwardingOutboxStore {
    let base: any OutboxStore
    let life: Life

    func forward<Value: Sendable>(
        _ call: OutboxCall, _ body: @escaping @Sendable (any OutboxStore) async throws -> Value
    ) async throws -> Value { try await life.step { try await body(base) } }

    func lease(_ request: OutboxLease) async throws -> [(slice: SliceRow, targets: [UInt8])] {
        let leased = try await forward(.lease) { try await $0.lease(request) }
        if !leased.isEmpty { await life.afterLease.withLock { $0 }?() }
        return leased
    }

    func apply(_ changes: [SliceChange]) async throws -> [Bool] {
        let fails = life.failures.withLock { count in
            count -= 1
            return count >= 0
        }
        if fails { throw Life.Ended() }
        let made = try await forward(.apply) { try await $0.apply(changes) }
        if changes.contains(where: { $0.slice.state == .sending }) { await life.afterNote.withLock { $0.take() }?() }
        return made
    }
}

/// A connection that runs an action between the vendor's first response and its return. Responses to other messages
/// also come after the action.
struct LateTransport: HTTPTransport {
    let inner: InProcessTransport
    private let happens: Locked<(@Sendable () async -> Void)?>
    private let hasHappened = Locked(false)

    init(_ inner: InProcessTransport, _ happens: @escaping @Sendable () async -> Void) {
        (self.inner, self.happens) = (inner, Locked(happens))
    }

    func send(_ request: TransportRequest) async throws(PushError) -> WireResponse {
        let answer: Result<WireResponse, PushError>
        do { answer = .success(try await inner.send(request)) } catch { answer = .failure(error) }
        let isPush = request.url.hasSuffix("/messages")
        if isPush, let happens = happens.withLock({ next in next.take() }) {
            await happens()
            hasHappened.withLock { $0 = true }
        }
        if isPush { await until { hasHappened.withLock { $0 } } }
        // This matches a socket.
        guard !Task.isCancelled else {
            throw PushError(.cancelled, "the request was cancelled on its way", effect: .unknown)
        }
        return try answer.get()
    }

    func shutdown() async { await inner.shutdown() }
}

/// The connection of a process that may end: before a request leaves, or after the vendor has acted.
struct MortalTransport: HTTPTransport {
    let inner: InProcessTransport
    let life: Life

    func send(_ request: TransportRequest) async throws(PushError) -> WireResponse {
        do {
            var message: String?
            if request.url.hasSuffix("/messages"), case .bytes(let bytes, _) = request.body {
                message = String(decoding: bytes, as: UTF8.self)
            }
            return try await life.step(message: message) { try await inner.send(request) }
        } catch let error as PushError {
            throw error
        } catch {
            throw PushError(.transport, "the process has ended", effect: .unknown)
        }
    }

    func shutdown() async { await inner.shutdown() }
}
