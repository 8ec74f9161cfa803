import FoundationEssentials
import JPushSimulator
import PushAdapter
import PushClient
import PushJPush
import PushMemory
import PushRouter
import PushSimulation
import PushTPNS
import TPNSSimulator

/// Shared parts of the plan tests.
enum Plans {
    static let message = Message(notification: Notification(body: "Hello"))
    /// The report date of the tests' bindings, unless they have an age.
    static let start = Date(timeIntervalSince1970: 1_790_000_000)

    /// A client and its vendor in this process.
    struct Vendor: Sendable {
        let simulator: any ObservableSimulator
        let host: SimulatorHost
        let client: PushClient
        private let clock: VirtualClock

        init(_ provider: some PushProvider, _ simulator: some ObservableSimulator) {
            clock = VirtualClock(startingAt: Plans.start)
            self.simulator = simulator
            host = SimulatorHost(simulator, clock: clock)
            var configuration = ClientConfiguration()
            configuration.clock = clock
            client = PushClient(provider, transport: InProcessTransport(host), configuration: configuration)
        }

        /// The number of requests that reached the vendor.
        var requests: Int { host.journal.count }

        /// The vendor's state of a device, after all pending writes.
        func state(of device: String) async -> DeviceSnapshot {
            clock.advance(by: .seconds(3))
            await simulator.settle(at: clock.date)
            return await simulator.snapshot(of: device) ?? DeviceSnapshot()
        }

        /// The number of messages on a device.
        func received(by device: String) async -> Int { await state(of: device).inbox.count }
    }

    /// A memory vendor. A send costs one request, because the client generates the keys.
    static func memory(
        _ devices: [VirtualDevice] = [], _ edit: (inout MemoryProvider) -> Void = { _ in }
    ) -> Vendor {
        let key = Secret("of the memory vendor")
        var provider = MemoryProvider(key: key, makesKeys: false)
        edit(&provider)
        return Vendor(provider, MemoryVendor(key: key, devices: devices, takesCallerKeys: true))
    }

    static func jpush(_ devices: [VirtualDevice]) throws -> Vendor {
        let (key, secret) = ("0123456789abcdef01234567", "aaaabbbbccccddddeeeeffff")
        let provider = try JPush(
            appKey: key, masterSecret: Secret(secret), dataCenter: JPush.dataCenter(at: InProcessTransport.origin))
        return Vendor(provider, JPushSimulator(appKey: key, masterSecret: secret, devices: devices))
    }

    static func tpns(_ platform: Platform, _ devices: [VirtualDevice]) throws -> Vendor {
        let id: UInt32 = platform == .ios ? 1_600_999_001 : 1_500_999_001
        let secret = "simulator0simulator0only"
        let provider = try TPNS(
            accessID: id, secretKey: Secret(secret), platform: platform,
            dataCenter: TPNS.dataCenter(at: InProcessTransport.origin))
        let app = TPNSApp(accessID: id, secretKey: secret, platform: platform, devices: devices)
        return Vendor(provider, TPNSSimulator(apps: [app]))
    }

    /// Device ids that the real vendors accept.
    static let jpushDevice = "191e35f7e0a1b2c3d4f"
    static let tpnsDevice = "00aa11bb22cc33dd44ee55ff66778899aabb"

    /// A client for tests that send nothing.
    private static let idle = memory().client

    /// A router with the routes a, b, c and d, for tests that send nothing.
    static func router(
        _ policy: RoutingPolicy = RoutingPolicy(), _ store: any BindingStore = MemoryBindingStore()
    ) throws(PushError) -> PushRouter {
        try PushRouter(
            routes: ["a": idle, "b": idle, "c": idle, "d": idle], bindings: store, policy: policy,
            clock: VirtualClock(startingAt: start))
    }

    /// A router over these vendors.
    static func router(
        over vendors: [RouteName: Vendor], _ policy: RoutingPolicy = RoutingPolicy(),
        _ store: any BindingStore = MemoryBindingStore()
    ) throws(PushError) -> PushRouter {
        try PushRouter(
            routes: vendors.mapValues(\.client), bindings: store, policy: policy,
            clock: VirtualClock(startingAt: start))
    }

    /// - Parameter age: in seconds.
    static func binding(
        _ user: UserID, _ installation: InstallationID?, _ route: RouteName, _ device: String,
        platform: Platform? = nil, age: Double = 0
    ) -> Binding {
        Binding(
            user: user, installation: installation, route: route, target: .device(DeviceID(device)),
            platform: platform, boundAt: start.addingTimeInterval(-age))
    }

    /// Everything that a program may print of a value.
    static func shown(_ value: some Any) -> String {
        var text = String(describing: value) + " " + String(reflecting: value) + " "
        dump(value, to: &text)
        return text
    }
}

extension Plans {
    /// A store that records the size of each query, and answers in reverse order.
    actor RecordingStore: BindingStore {
        private let store: MemoryBindingStore
        private(set) var pages: [Int] = []

        init(_ bindings: [Binding]) { store = MemoryBindingStore(bindings) }

        func bindings(of users: [UserID]) async throws -> [Binding] {
            pages.append(users.count)
            return await store.bindings(of: users).reversed()
        }

        func bindings(ofInstallations installations: [InstallationID]) async throws -> [Binding] {
            pages.append(installations.count)
            return await store.bindings(ofInstallations: installations).reversed()
        }

        func bindings(at ways: [RoutedTarget.Way]) async throws -> [Binding] { await store.bindings(at: ways) }

        func bind(_ binding: Binding) async throws { await store.bind(binding) }

        func retire(_ retirements: [Retirement]) async throws -> Int { await store.retire(retirements) }

        func noteAccepted(_ ways: [RoutedTarget.Way], at date: Date) async throws {
            await store.noteAccepted(ways, at: date)
        }

        func coverage(of from: RouteName, and to: RouteName) async throws -> RouteCoverage {
            await store.coverage(of: from, and: to)
        }
    }

    /// A store without a working database.
    struct BrokenStore: BindingStore {
        struct Failure: Error {}

        func bindings(of users: [UserID]) async throws -> [Binding] { throw Failure() }
        func bindings(ofInstallations installations: [InstallationID]) async throws -> [Binding] { throw Failure() }
        func bindings(at ways: [RoutedTarget.Way]) async throws -> [Binding] { throw Failure() }
        func bind(_ binding: Binding) async throws { throw Failure() }
        func retire(_ retirements: [Retirement]) async throws -> Int { throw Failure() }
        func noteAccepted(_ ways: [RoutedTarget.Way], at date: Date) async throws { throw Failure() }
        func coverage(of from: RouteName, and to: RouteName) async throws -> RouteCoverage { throw Failure() }
    }
}
