import APNsSimulator
import FCMSimulator
import FoundationEssentials
import JPushSimulator
import PushAPNs
import PushAdapter
import PushClient
import PushFCM
import PushJPush
import PushMemory
import PushRouter
import PushSimulation
import TestSupport
import Testing

/// Vendors in this process behind one router, and installations with a device at each of them, on one virtual clock.
/// The policy's order of routes is `a`, `b`, `c`.
struct Routed: Sendable {
    let clock = VirtualClock()
    let sides: [Side]
    let store: MemoryBindingStore
    let count: Int

    /// - Parameters:
    ///   - isBound: whether an installation has a binding at a route; both are numbers.
    ///   - configure: changes the clients. By default they do not retry.
    init(
        _ vendors: Vendor..., installations count: Int = 1, isBound: (Int, Int) -> Bool = { _, _ in true },
        configure: (inout ClientConfiguration) -> Void = { _ in }
    ) throws(PushError) {
        var configuration = ClientConfiguration()
        configuration.clock = clock
        configuration.random = RandomSource { .max }
        configuration.retry = .none
        configure(&configuration)
        var sides: [Side] = []
        for (index, vendor) in vendors.enumerated() {
            let route = RouteName(["a", "b", "c"][index])
            sides.append(Side(route, try vendor.make(route, count), clock, configuration))
        }
        self.sides = sides
        self.count = count
        let bindings = sides.enumerated().flatMap { index, side in
            (0..<count).filter { isBound($0, index) }.map { side.binding($0, boundAt: Self.firstBound) }
        }
        store = MemoryBindingStore(bindings)
    }

    /// When the initial bindings were reported: 30 days before the clock starts.
    static let firstBound = VirtualClock().date.addingTimeInterval(-30 * 86_400)

    static func installation(_ number: Int) -> InstallationID { InstallationID("i\(number)") }

    static func message(_ text: String) -> Message { Message(notification: Notification(body: text)) }

    func router(
        _ failover: RoutingPolicy.Failover = .whenNotApplied(patience: .seconds(60)),
        over bindings: (any BindingStore)? = nil, _ edit: (inout RoutingPolicy) -> Void = { _ in }
    ) throws(PushError) -> PushRouter {
        var policy = RoutingPolicy(order: sides.map(\.route))
        policy.failover = failover
        edit(&policy)
        return try PushRouter(
            routes: Dictionary(uniqueKeysWithValues: sides.map { ($0.route, $0.client) }),
            bindings: bindings ?? store, policy: policy, clock: clock)
    }

    func plan(
        _ text: String = "Hello", over router: PushRouter, to numbers: Range<Int>? = nil
    ) async throws(PushError) -> RoutePlan {
        let installations = (numbers ?? 0..<count).map { Self.installation($0) }
        return try await router.plan(Self.message(text), to: .installations(installations))
    }

    func send(
        _ text: String = "Hello", over router: PushRouter, to numbers: Range<Int>? = nil
    ) async throws(PushError) -> RouterReport {
        let plan = try await plan(text, over: router, to: numbers)
        return try await router.send(plan)
    }

    /// The number of send requests that left each client.
    var sends: [Int] { sides.map { $0.detour.sends } }

    /// The entries of a message in an installation's inboxes, at each vendor.
    func entries(_ text: String = "Hello", of number: Int = 0) async -> [Int] {
        var counts: [Int] = []
        for side in sides { counts.append(await side.inbox(number).count { $0.alert == text }) }
        return counts
    }

    /// The number of installations with exactly these entries of a message.
    func installations(with entries: [Int], of text: String = "Hello") async -> Int {
        var found = 0
        for number in 0..<count where await self.entries(text, of: number) == entries { found += 1 }
        return found
    }
}

extension Routed {
    /// A vendor: its simulator, its client, and a detour between them.
    struct Side: Sendable {
        let route: RouteName
        let host: SimulatorHost
        let detour: Detour
        let client: PushClient
        let made: Vendor.Made

        init(_ route: RouteName, _ made: Vendor.Made, _ clock: VirtualClock, _ configuration: ClientConfiguration) {
            self.route = route
            self.made = made
            host = SimulatorHost(made.simulator, clock: clock)
            detour = Detour(InProcessTransport(host), clock)
            client = PushClient(made.provider, transport: detour, configuration: configuration)
        }

        func inbox(_ number: Int) async -> [DeliveredMessage] {
            await made.simulator.snapshot(of: made.devices[number].rawValue)?.inbox ?? []
        }

        func binding(_ number: Int, boundAt moment: Date) -> Binding {
            Binding(
                user: UserID("u\(number)"), installation: Routed.installation(number), route: route,
                target: .device(made.devices[number]), boundAt: moment)
        }

        /// Adds a fault for the next sends.
        func fault(_ fault: Fault, times: Int = 1) { host.faults.add(fault, times: times, path: made.path) }

        /// Makes the memory vendor answer the next sends with this word.
        func say(_ word: Outspoken.Word, times: Int = 1) {
            fault(.answer(SimulatedResponse(status: word.rawValue)), times: times)
        }
    }

    /// A vendor of a test.
    struct Vendor: Sendable {
        struct Made: Sendable {
            var provider: any PushProvider
            var simulator: any ObservableSimulator
            var devices: [DeviceID]
            /// The end of the path of a send.
            var path: String
        }

        let make: @Sendable (RouteName, _ count: Int) throws(PushError) -> Made
    }
}

extension Routed {
    /// Interferes with sends on their way to a vendor. Other requests pass.
    final class Detour: HTTPTransport {
        enum Turn: Sendable {
            /// There is no connection.
            case refused
            /// The vendor never sees the request, and the client gets this error.
            case failed(PushError)
            /// The vendor acts, and the client gets this error.
            case acted(PushError)
            /// This many requests wait for each other; then all of them get this error.
            case together(Int, PushError)
            /// The request takes this long.
            case slow(Duration)
            /// The request waits until it is released or its task is cancelled.
            case held
        }

        private struct State {
            var turns: [(turn: Turn, times: Int)] = []
            var sends = 0
            var isReleased = false
            var waiting = 0

            mutating func next() -> Turn? {
                sends += 1
                guard let first = turns.first else { return nil }
                turns[0].times -= 1
                if turns[0].times == 0 { turns.removeFirst() }
                return first.turn
            }
        }

        private let inner: InProcessTransport
        private let clock: VirtualClock
        private let state = Locked(State())

        init(_ inner: InProcessTransport, _ clock: VirtualClock) {
            self.inner = inner
            self.clock = clock
        }

        var sends: Int { state.withLock { $0.sends } }

        func add(_ turn: Turn, times: Int = 1) { state.withLock { $0.turns.append((turn, times)) } }

        /// Lets everything pass from now on.
        func clear() { state.withLock { $0.turns = [] } }

        func release() { state.withLock { $0.isReleased = true } }

        func send(_ request: TransportRequest) async throws(PushError) -> WireResponse {
            let isSend = ["/messages", "/push", "send"].contains { request.url.hasSuffix($0) }
            guard isSend || request.url.contains("/3/device/") else { return try await inner.send(request) }
            switch state.withLock({ $0.next() }) {
            case nil: break
            case .refused?: throw PushError(.transport, "no connection", retry: .backoff)
            case .failed(let error)?: throw error
            case .acted(let error)?:
                _ = try await inner.send(request)
                throw error
            case .together(let count, let error)?:
                state.withLock { $0.waiting += 1 }
                await until { Task.isCancelled || state.withLock { $0.waiting >= count } }
                clock.advance(by: .milliseconds(1))
                throw error
            case .slow(let time)?: clock.advance(by: time)
            case .held?:
                await until { Task.isCancelled || state.withLock { $0.isReleased } }
            }
            return try await inner.send(request)
        }

        func retire(_ connection: Int) { inner.retire(connection) }

        func shutdown() async { await inner.shutdown() }
    }

    /// The memory vendor's adapter, with refusals that the vendor does not have: statuses without a body.
    struct Outspoken: PushProvider {
        enum Word: Int, Sendable {
            case unauthorized = 401
            case quotaExhausted = 402
            case blocked = 403
            case dead = 404
            case suspect = 409
            case deadSince = 410
            case misconfigured = 412
            case tooLong = 413
        }

        /// The vendor's date: ten days before the clock starts.
        static let endOfDevice = VirtualClock().date.addingTimeInterval(-10 * 86_400)

        let base: MemoryProvider
        var capabilities: Capabilities
        /// Its own rule about the form of a target.
        var refusal: (@Sendable (Target) -> PushError?)?

        var id: ProviderID { base.id }
        var dataCenter: DataCenter { base.dataCenter }
        var roles: Roles {
            var roles = base.roles
            roles.refusal = refusal
            return roles
        }
        var authorizer: any Authorizer { base.authorizer }

        func facts(in response: WireResponse) -> ResponseFacts { base.facts(in: response) }

        func diagnose(_ response: WireResponse, to call: VendorCall) -> PushError? {
            guard response.body.isEmpty, let word = Word(rawValue: response.status) else {
                return base.diagnose(response, to: call)
            }
            var vendor = VendorDetail(code: VendorCode(response.status), httpStatus: response.status)
            switch word {
            case .unauthorized: return PushError(.unauthorized, "the key is wrong", vendor: vendor)
            case .quotaExhausted: return PushError(.quotaExhausted, "no more today", retry: .backoff, vendor: vendor)
            case .blocked: return PushError(.blocked, "the app is blocked", vendor: vendor)
            case .misconfigured: return PushError(.misconfigured, "no such app", vendor: vendor)
            case .tooLong: return PushError(.tooLong, "the message is too long", vendor: vendor)
            case .suspect:
                vendor.verdict = .suspect
                return PushError(.misconfigured, "of another app", vendor: vendor)
            case .dead:
                vendor.verdict = .dead()
                return PushError(.noTarget, "gone", vendor: vendor)
            case .deadSince:
                vendor.verdict = .dead(since: Self.endOfDevice)
                return PushError(.noTarget, "gone", vendor: vendor)
            }
        }
    }
}

extension Routed {
    /// The source of idempotency keys.
    enum Keys: Sendable, CaseIterable {
        case vendor, caller, none
    }

    /// The properties of the memory vendor.
    struct Habits: Sendable {
        var keys = Keys.vendor
        /// The targets per request; nil for the vendor's own limit.
        var perRequest: Int?
        /// Whether a request has only one target.
        var takesOne: Bool {
            get { perRequest == 1 }
            set { perRequest = newValue ? 1 : nil }
        }
        /// The number of concurrent requests to single targets.
        var concurrency = 1
        var takesNotifications = true
        /// Devices that the vendor does not know.
        var missing: Set<Int> = []
        var longestID: Int?
        var hasWrongKey = false
    }
}

extension Routed.Vendor {
    /// The vendor in memory.
    static func memory(_ edit: (inout Routed.Habits) -> Void = { _ in }) -> Self {
        var edited = Routed.Habits()
        edit(&edited)
        let habits = edited
        return Self { (route, count) throws(PushError) in
            let devices = (0..<count).map { DeviceID("\(route)\($0)") }
            let known = devices.enumerated().filter { !habits.missing.contains($0.offset) }
            let base = MemoryProvider(
                key: Secret(habits.hasWrongKey ? "wrong" : "right"), makesKeys: habits.keys == .vendor)
            var provider = Routed.Outspoken(base: base, capabilities: base.capabilities)
            if habits.keys == .none { provider.capabilities.callerKeys = [:] }
            if let most = habits.perRequest {
                provider.capabilities.limits[.devicesPerSend] = Limit(most, .count, .split, source: "test")
            }
            if habits.takesOne { provider.capabilities.concurrency = habits.concurrency }
            if !habits.takesNotifications {
                provider.capabilities.support[.contentNotification] = .unsupported("it shows nothing")
            }
            provider.capabilities.limits[.deviceIDLength] = habits.longestID.map {
                Limit($0, .utf8Bytes, .reject, source: "test")
            }
            let simulator = MemoryVendor(
                key: Secret("right"), devices: known.map { VirtualDevice($0.element.rawValue, .android) },
                takesCallerKeys: habits.keys == .caller)
            return Made(provider: provider, simulator: simulator, devices: devices, path: "/messages")
        }
    }

    static func jpush(hasWrongKey: Bool = false) -> Self {
        let (key, secret) = ("0123456789abcdef01234567", "aaaabbbbccccddddeeeeffff")
        return Self { (_, count) throws(PushError) in
            let devices = (0..<count).map { DeviceID("190e35f7e0a1b2c" + Self.digits($0, 4)) }
            let provider = try JPush(
                appKey: key, masterSecret: Secret(hasWrongKey ? "0000bbbbccccddddeeeeffff" : secret),
                dataCenter: JPush.dataCenter(at: InProcessTransport.origin))
            let simulator = JPushSimulator(
                appKey: key, masterSecret: secret, devices: devices.map { VirtualDevice($0.rawValue, .android) })
            return Made(provider: provider, simulator: simulator, devices: devices, path: "/push")
        }
    }

    /// Generated once, because it takes longer than a test.
    private static let account = try? FCMServiceAccount.generate(in: "shop")

    static func fcm() -> Self {
        Self { (_, count) throws(PushError) in
            guard let account = Self.account else { throw PushError(.invalidState, "no key") }
            let devices = (0..<count).map { DeviceID("dEvIcE00000:APA91b" + Self.digits($0, 134)) }
            let provider = try FCM(
                ServiceAccount(json: Secret(JSONWriter.bytes(of: .object(account.keyFile)))),
                dataCenter: FCM.dataCenters.standard.moved(to: InProcessTransport.origin))
            let project = FCMProject(
                id: "shop", number: "42", devices: devices.map { VirtualDevice($0.rawValue, .android) })
            let simulator = FCMSimulator(projects: [project], accounts: [account.account])
            return Made(provider: provider, simulator: simulator, devices: devices, path: "send")
        }
    }

    private static let signer = try? APNsSigner.generate(keyID: "K7EXAMPLE9", teamID: "T3AMEXAMP1")

    static func apns() -> Self {
        Self { (_, count) throws(PushError) in
            guard let signer = Self.signer else { throw PushError(.invalidState, "no key") }
            let devices = (0..<count).map { DeviceID("7c1e" + Self.digits($0, 60)) }
            let provider = try APNs(
                APNsKey(pem: signer.pem, keyID: "K7EXAMPLE9", teamID: "T3AMEXAMP1"), topic: "com.example.shop",
                dataCenter: APNs.dataCenters.standard.moved(to: InProcessTransport.origin))
            let app = APNsApp(
                bundleID: "com.example.shop", teamID: "T3AMEXAMP1",
                devices: devices.map { VirtualDevice($0.rawValue, .ios) })
            let simulator = APNsSimulator(apps: [app], signers: [signer.signer])
            return Made(provider: provider, simulator: simulator, devices: devices, path: "")
        }
    }

    private static func digits(_ number: Int, _ length: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: length - digits.count) + digits
    }
}
