import FoundationEssentials
import PushAdapter
import PushClient
import PushCurl
import PushMemory
import PushOutbox
import PushOutboxPage
import PushSimulation
import PushSimulationTesting

/// An outbox over a vendor in memory, and its page.
struct OutboxStage: InspectedStage {
    static let token = "0123456789abcdef-token"
    /// The ids of devices; no page may have one.
    static let devices = (0..<3).map { DeviceID("SECRET-DEVICE-\($0)") }
    private static let message = Message(notification: Notification(title: "SECRET-TITLE", body: "SECRET-TEXT"))

    let outbox: PushOutbox
    let store: FragileStore
    let host: SimulatorHost
    let address: String
    let transport: CurlTransport

    /// Runs the page of an outbox with this many campaigns that nothing has sent.
    /// - Parameters:
    ///   - campaigns: enqueued in this order: `campaign-100`, `campaign-101`.
    ///   - allowsChanges: whether the page may change something.
    ///   - key: the client's; only `right` is right.
    ///   - body: runs while the page is served.
    static func run(
        campaigns: Int = 0, allowsChanges: Bool = false, key: String = "right",
        _ body: @Sendable (OutboxStage) async throws -> Void
    ) async throws {
        let vendor = MemoryVendor(
            key: Secret("right"), devices: devices.map { VirtualDevice($0.rawValue, .android) })
        let host = SimulatorHost(vendor)
        let client = PushClient(MemoryProvider(key: Secret(key)), transport: InProcessTransport(host))
        let store = FragileStore(base: MemoryOutboxStore())
        let outbox = PushOutbox(store, routes: ["memory": client])
        let page = OutboxPage(outbox, token: Secret(token), allowsChanges: allowsChanges)
        let result: Result<Void, any Error>
        do {
            try await withTransport { transport in
                try await OutboxPage.withServer(page) { address in
                    let stage = OutboxStage(
                        outbox: outbox, store: store, host: host, address: address, transport: transport)
                    for number in 0..<campaigns { try await stage.enqueue("campaign-\(100 + number)") }
                    try await body(stage)
                }
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await client.shutdown()
        try result.get()
    }

    func enqueue(_ name: String, priority: CampaignOptions.Priority = .normal, expiry: Duration? = nil) async throws {
        var options = CampaignOptions()
        (options.priority, options.expiry) = (priority, expiry)
        try await outbox.enqueue(
            Self.message, to: [.audience(.devices(Self.devices), at: "memory")], as: CampaignName(name),
            options: options)
    }

    /// Sends a request with the token.
    func ask(
        _ method: HTTPRequest.Method, _ path: String, _ body: JSONValue? = nil, headers: [String: String?] = [:]
    ) async throws -> WireResponse {
        try await send(
            method, path, body, headers: headers.merging(["Authorization": "Bearer \(Self.token)"]) { own, _ in own })
    }

    func names(_ query: String) async throws -> [String] {
        let list = try await ask(.get, "/campaigns?\(query)").json()["campaigns"]?.arrayValue ?? []
        return list.compactMap { $0["name"]?.stringValue }
    }

    func campaign(_ name: String) async throws -> JSONValue { try await ask(.get, "/campaign?name=\(name)").json() }

    func state(of name: String) async throws -> Campaign.State { try await outbox.campaign(CampaignName(name)).state }

    /// A worker gets one slice, and does nothing with it.
    func leaseOne() async throws {
        _ = try await store.claim(7)
        _ = try await store.lease(OutboxLease(worker: 7, routes: ["memory"], limit: 1, now: Date.now))
    }
}

/// A store that can fail.
final class FragileStore: ForwardingOutboxStore {
    struct Failure: Error {}

    let base: any OutboxStore
    let isBroken = Locked(false)

    init(base: any OutboxStore) { self.base = base }

    func forward<Value: Sendable>(
        _ call: OutboxCall, _ body: @escaping @Sendable (any OutboxStore) async throws -> Value
    ) async throws -> Value {
        guard !isBroken.withLock({ $0 }) else { throw Failure() }
        return try await body(base)
    }
}
